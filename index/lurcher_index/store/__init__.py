"""The truth on disk: which files there are, what they hold, and where the index of a workspace lives."""
