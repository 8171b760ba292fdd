"""Where the log goes: standard error and, if wished, a file. It never holds source code or questions."""

import logging
import sys
from pathlib import Path

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def set_up_logs(level: str, file: str | None) -> None:
    """Log from now on at a level, and to a file if one is given; one that cannot be written is said and left."""
    root = logging.getLogger("lurcher_server")
    root.setLevel(level.upper())
    root.propagate = False
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    # pygls logs every message at INFO, and with it the user's source code.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    _add(root, logging.StreamHandler(sys.stderr))
    if file is None:
        return
    try:
        path = Path(file).expanduser()
        path.parent.mkdir(parents=True, exist_ok=True)
        _add(root, logging.FileHandler(path, encoding="utf-8"))
    except (OSError, ValueError, RuntimeError) as error:
        root.warning("the log file cannot be written: %s", error)


def _add(root: logging.Logger, handler: logging.Handler) -> None:
    handler.setFormatter(logging.Formatter(_FORMAT))
    root.addHandler(handler)
