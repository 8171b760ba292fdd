"""`lurcher mcp`: checks what was typed, and that the extra is there, before an assistant waits for an answer."""

import argparse
import sys
from pathlib import Path

from lurcher_index.config import MAX_FILE_BYTES, WORKERS, Settings, split_model
from lurcher_index.errors import BadSetting

EXIT_USAGE = 2
EXIT_FAILED = 3

MISSING = (
    "`lurcher mcp` needs the extra `mcp`. Install it with: pip install 'lurcher[mcp]'"
    " (in a checkout: pip install '.[mcp]')"
)

_OF_THE_EXTRA = ("mcp", "mcp_types", "pydantic", "anyio")


def serve_assistants(options: argparse.Namespace) -> int:
    """Run until the host leaves; the exit code tells it how that went. Only messages go to standard output."""
    try:
        from lurcher_server.mcp.app import serve
        from lurcher_server.mcp.session import Wishes
    except ImportError as error:
        # Another version of the SDK has other names: that is as good as none.
        if (error.name or "").partition(".")[0] not in _OF_THE_EXTRA:
            raise
        return _refused(f"{MISSING} ({error})", EXIT_FAILED)
    for folder in options.workspace:
        if not Path(folder).expanduser().is_dir():
            return _refused(f"{folder!r} is not a folder", EXIT_USAGE)
    try:
        settings = _settings(options)
    except (BadSetting, ValueError) as error:
        return _refused(str(error), EXIT_USAGE)
    return serve(Wishes(tuple(str(Path(folder).expanduser()) for folder in options.workspace), options.store, settings))


def _settings(options: argparse.Namespace) -> Settings:
    if split_model(options.model)[0] == "endpoint":
        raise BadSetting("a model behind an address is not offered to assistants: code would leave the machine")
    return Settings(
        max_file_bytes=options.max_file_bytes or MAX_FILE_BYTES,
        workers=options.workers or WORKERS,
        exclude=tuple(options.exclude),
        include_ignored=tuple(options.include_ignored),
        model=options.model,
    )


def _refused(message: str, code: int) -> int:
    print(f"lurcher: {message}", file=sys.stderr)
    return code
