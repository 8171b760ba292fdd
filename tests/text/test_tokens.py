"""Two estimates of tokens: the one that cuts chunks, and the closer one for budgets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.text.tokens import count_tokens, estimate_tokens

PYTHON = '''\
def read_config(path: str, default: int = 10) -> dict[str, int]:
    """Read a file of `name = number` lines."""
    found = {}
    for line in open(path):
        name, _, value = line.partition("=")
        found[name.strip()] = int(value or default)
    return found
'''

GO = """\
package cache

// Get returns the value that is stored under key, and whether there is one.
func (c *Cache) Get(key string) (any, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	item, found := c.items[key]
	if !found || time.Now().After(item.expires) {
		return nil, false
	}
	return item.value, true
}
"""


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \t\r\n\x0b\x0c", 0),
        ("x", 1),
        (".", 1),
        ("x\n", 1),
        ("return", 1),
        ("x = 100", 4),  # 0.161 * 5 + 0.84 * 3 + 0.82
        ("f(a)\n", 3),  # 0.161 * 4 + 1.11 + 0.82 * 2
        ("数据库连接", 4),  # 0.161 * 15 + 0.40 * 5
        ("\U0001f40e" * 5, 3),  # 0.161 * 20: four-byte characters are not counted as wide
        ("\ud800", 1),
    ],
)
def test_the_formula(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@pytest.mark.parametrize(("text", "real"), [(PYTHON, 69), (GO, 82)])
def test_close_to_real_vocabularies(text: str, real: int) -> None:
    """`real` is what cl100k_base makes of it; o200k_base differs by one at most."""
    assert estimate_tokens(text) == pytest.approx(real, rel=0.05)


def test_the_estimate_for_chunks_is_as_it_was() -> None:
    """Borders of chunks depend on it; a change needs a new fingerprint."""
    assert count_tokens(PYTHON.encode()) == round(len("".join(PYTHON.split())) / 3.2)
    assert count_tokens(b"abcd 1234\n" * 100) == 250


TEXTS = st.text(max_size=80) | st.text(alphabet="ab1(=. \n数据\U0001f40e", max_size=80)


@given(TEXTS)
def test_never_negative_nothing_only_for_blanks_and_the_same_for_bytes(text: str) -> None:
    tokens = estimate_tokens(text)
    assert tokens == estimate_tokens(text.encode())
    assert (tokens == 0) == (not text.strip(" \t\r\n\x0b\x0c"))


@given(TEXTS, TEXTS)
def test_a_longer_text_never_has_fewer_tokens(first: str, second: str) -> None:
    assert estimate_tokens(first + second) >= max(estimate_tokens(first), estimate_tokens(second))


@given(TEXTS.map(lambda text: text + "x"), TEXTS.map(lambda text: "x" + text))
def test_two_texts_together_have_as_many_as_both(first: str, second: str) -> None:
    """Up to rounding, and the one token that a text has at least."""
    assert abs(estimate_tokens(first + second) - estimate_tokens(first) - estimate_tokens(second)) <= 2


@given(st.text(alphabet="数据库连接池管理中文日本語한국어", min_size=1, max_size=200))
def test_wide_characters_cost_about_one_token_each(text: str) -> None:
    assert 0.8 * len(text) <= estimate_tokens(text) <= max(1, round(0.95 * len(text)))
