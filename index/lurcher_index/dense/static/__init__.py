"""Our own embedding model: a table of word vectors, trained for questions about code, that needs no more than numpy."""
