"""Search by meaning: what embeds text, what holds the vectors, and what brings them up to date."""
