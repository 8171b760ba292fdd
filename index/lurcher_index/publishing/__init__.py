"""Sends the index of a commit to an engine that a team shares."""
