"""Indexing: what has to be done, the worker processes that do it, and the one owner that writes."""
