"""How the engine's own processes start."""

import json
from typing import Any

import pytest

from lurcher_index.building.spawning import spawn


def started(*, bare: bool = False) -> dict[str, Any]:
    process = spawn("tests.building.spawned", bare=bare)
    output, _ = process.communicate(timeout=60)
    told: dict[str, Any] = json.loads(output)
    return told


def test_a_bare_process_starts_without_what_is_done_for_every_program() -> None:
    assert started()["site"]
    assert not started(bare=True)["site"]


def test_nothing_comes_from_the_current_directory() -> None:
    told = started(bare=True)
    assert told["isolated"]
    assert not told["here"]


def test_numpy_starts_no_threads_unless_somebody_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    assert started()["threads"] == "1"
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "4")
    assert started()["threads"] == "4"
