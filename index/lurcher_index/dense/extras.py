"""Packages that only some embedders need, and what to do when they are not there."""

from importlib import import_module, invalidate_caches
from types import ModuleType

from lurcher_index.errors import EmbedderError


def required(module: str, extra: str) -> ModuleType:
    """A module of an optional package."""
    # It may have been installed since the last try.
    invalidate_caches()
    try:
        return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise EmbedderError(
            f"the package {name!r} for this embedding model is not there ({error});"
            f" install it with: pip install 'lurcher[{extra}]'"
        ) from None
