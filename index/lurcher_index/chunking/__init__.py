"""Text to chunks, symbols and references: the syntax where a grammar knows it, lines where none does."""
