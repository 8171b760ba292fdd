"""The training pipeline of the embedding model: fetch source packages, mine (query, code) pairs from them."""
