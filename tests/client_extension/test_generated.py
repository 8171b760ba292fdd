"""What the extension repeats of the server is what the server says."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from lurcher_server import __version__
from lurcher_server.lsp import protocol
from lurcher_server.lsp.settings import SECTION, ServerSettings
from lurcher_server.lsp.wire import Range

FOLDER = Path(__file__).parents[2] / "client-extension"
SCRIPT = FOLDER / "generate.py"


def generator() -> Any:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("generate", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_protocol_and_settings_are_as_the_server_says() -> None:
    """If this fails: run client-extension/generate.py, and read the difference."""
    done = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_request_of_ours_has_its_types() -> None:
    constants = {getattr(protocol, name) for name in generator().MESSAGES}
    assert constants == set(protocol.COMMANDS.values())


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (str | None, "string | null"),
        (str | int, "string | number"),
        (int | float, "number"),
        (tuple[str, ...], "readonly string[]"),
        (tuple[Literal["a", "b"], ...], 'readonly ("a" | "b")[]'),
        (dict[str, float], "Readonly<Record<string, number>>"),
        (Annotated[int, msgspec.Meta(ge=0)], "number"),
        (Any, "unknown"),
        (Range, "Range"),
    ],
)
def test_types_are_written_as_typescript_does(kind: Any, expected: str) -> None:
    assert generator().type_of(kind) == expected


def test_what_a_client_may_leave_out_is_optional_and_what_it_gets_is_not() -> None:
    text = generator().typescript()
    assert "  query: string;" in text and "  maxResults?: number | null;" in text
    assert "  inAnswer: boolean | null;" in text


def test_every_setting_is_declared_with_type_default_and_meaning() -> None:
    manifest = json.loads((FOLDER / "package.json").read_text("utf-8"))
    properties = manifest["contributes"]["configuration"]["properties"]
    for field in msgspec.structs.fields(ServerSettings):
        declared = properties[f"{SECTION}.{field.encode_name}"]
        assert declared["default"] == json.loads(msgspec.json.encode(field.default))
        assert declared["markdownDescription"] and declared["type"]
    assert properties["lurcher.workers"]["exclusiveMinimum"] == 0 and properties["lurcher.workers"]["maximum"] == 64
    assert properties["lurcher.maxFileBytes"]["maximum"] == 1 << 30
    assert manifest["version"] == __version__


def test_a_workspace_that_is_not_trusted_names_no_programs_folders_or_addresses() -> None:
    manifest = json.loads((FOLDER / "package.json").read_text("utf-8"))
    restricted = set(manifest["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"])
    named = (
        "serverPath",
        "serverPackage",
        "python",
        "model",
        "store",
        "logFile",
        "includeIgnored",
        "endpointKeyVariable",
    )
    assert {f"lurcher.{name}" for name in named} <= restricted


def test_the_check_fails_for_what_is_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = generator()
    package, types = tmp_path / "package.json", tmp_path / "protocol.ts"
    package.write_text('{"version": "0"}', "utf-8")
    types.write_text("", "utf-8")
    monkeypatch.setattr(module, "PACKAGE", package)
    monkeypatch.setattr(module, "PROTOCOL", types)
    assert module.main(["--check"]) == 1 and types.read_text("utf-8") == ""
    assert module.main([]) == 0
    assert module.main(["--check"]) == 0
