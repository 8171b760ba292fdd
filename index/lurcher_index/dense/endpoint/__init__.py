"""Embeddings made by a server. The only part of the engine that opens a socket, and only if a person names one."""
