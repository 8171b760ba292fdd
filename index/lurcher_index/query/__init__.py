"""What a question means, before anything is searched: pure functions over its text, by rules alone."""
