"""The ways of searching, one small file each, and what they share during a search."""
