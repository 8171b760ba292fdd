"""The command line."""

from lurcher_server.cli.app import main

__all__ = ["main"]
