"""A small real language server, on pygls, that knows the symbols of Python files; or one in a bad mood."""

import re
import sys
import time
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

server = LanguageServer("symbols", "1")


@server.feature(types.WORKSPACE_SYMBOL)
def symbols(params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    if sys.argv[1:] == ["refuses"]:
        raise ValueError("not today")
    found: list[types.SymbolInformation] = []
    # One place outside of the workspace, which nobody may believe.
    paths = [Path("/etc/passwd"), *sorted(Path(to_fs_path(server.workspace.root_uri or "") or ".").rglob("*.py"))]
    for path in paths:
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines()):
            match = re.match(r"def (\w+)", line)
            name = match[1] if match else params.query if path.name == "passwd" and number == 0 else ""
            if name and params.query in name:
                span = types.Range(types.Position(number, 0), types.Position(number, 1))
                place = types.Location(from_fs_path(str(path)) or "", span)
                found.append(types.SymbolInformation(location=place, name=name, kind=types.SymbolKind.Function))
    return found


def main() -> None:
    mood = sys.argv[1] if len(sys.argv) > 1 else ""
    if mood == "silent":
        time.sleep(600)
    elif mood == "noise":
        sys.stdout.write("hello\r\n\r\n" * 100)
        sys.stdout.flush()
    elif mood == "huge":
        sys.stdout.write("Content-Length: 99999999999\r\n\r\n")
        sys.stdout.flush()
    elif mood != "gone":
        server.start_io()


if __name__ == "__main__":
    main()
