"""The command line."""

from lurcher_server.cli.main import main

__all__ = ["main"]
