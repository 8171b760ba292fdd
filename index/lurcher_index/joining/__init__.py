"""Joins what a remote search names with what is true on this machine."""
