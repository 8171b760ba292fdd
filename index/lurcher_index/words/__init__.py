"""Words: what a question's terms are, and the two places where they are looked up."""
