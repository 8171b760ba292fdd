"""Lurcher's adapters: what people, editors and assistants talk to."""

__version__ = "0.1.0"
"""The one place where the version stands. Asking the installed package for it would take 0.1 s of every start."""
