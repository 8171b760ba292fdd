"""The workspace on disk: what is there, what is ignored, what a file says, what must never be shown, what changes."""
