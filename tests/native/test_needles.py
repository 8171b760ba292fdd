"""What is masked does not depend on who looked for the words that make a rule worth trying."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native.conftest import needs_compiled

from lurcher_index.files import secrets
from lurcher_index.native import compiled

ROOT = Path(__file__).resolve().parents[2]
WORDS = (b"token", b"api_key", b"SK", b"eyJ", b"://", b"sk-", b"sk-ant-")

pytestmark = needs_compiled


def held(data: bytes, words: tuple[bytes, ...] = WORDS) -> set[bytes]:
    assert compiled
    return compiled.Needles(words).held(data)


def expected(data: bytes) -> set[bytes]:
    return {word for word in WORDS if word in (data.lower() if word == word.lower() else data)}


@given(
    st.lists(st.sampled_from([*WORDS, b"TOKEN", b"Sk-", b"s", b"k", b" ", b"\xff", b"E", b"\0", b"-"])).map(b"".join)
)
def test_words_made_of_pieces(data: bytes) -> None:
    assert held(data) == expected(data)


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    assert held(data) == expected(data)


def test_borders() -> None:
    assert held(b"") == held(b"t") == held(b"toke") == set()
    assert held(b"token") == {b"token"}
    assert held(b"x" * 1000 + b"://") == {b"://"}
    assert held(b"anything", ()) == set()


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "files").glob("*.py")), ids=lambda path: str(path.name))
def test_whole_files_are_masked_alike(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = path.read_bytes()
    quick = secrets.mask(data)
    monkeypatch.setattr(secrets, "_likely", secrets.likely_words)
    assert secrets.mask(data) == quick


def test_some_of_these_files_hold_secrets() -> None:
    assert any(secrets.mask(path.read_bytes())[1] for path in (ROOT / "tests" / "files").glob("*.py"))


def test_words_that_make_no_sense_are_refused() -> None:
    assert compiled
    for words in ((b"a",), ("ab",), tuple(b"%03d" % number for number in range(300))):
        with pytest.raises(ValueError, match="words"):
            compiled.Needles(words)  # type: ignore[arg-type]
