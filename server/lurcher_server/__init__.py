"""Lurcher's adapters: what people, editors and assistants talk to."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("lurcher")
except PackageNotFoundError:  # A checkout that was never installed.
    __version__ = "0+unknown"
