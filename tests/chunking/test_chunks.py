"""Where chunks begin and end."""

import textwrap

import pytest

from lurcher_index.chunking.outline import outline


def check(language: str, text: str, expected: list[str], *, tokens: int = 40) -> None:
    """Compare the chunks' text; each is given dedented, as it would be read."""
    data = textwrap.dedent(text).strip("\n").encode()
    chunks = [data[chunk.start : chunk.end].decode() for chunk in outline(data, language, chunk_tokens=tokens).chunks]
    assert [textwrap.dedent(chunk) for chunk in chunks] == [textwrap.dedent(part).strip("\n") for part in expected]


def numbered(count: int, line: str = "    step_{0} = compute({0}, {0})") -> str:
    return "\n".join(line.format(number) for number in range(count))


def test_whole_functions_are_packed_together_and_never_split() -> None:
    one = "def one(a):\n    b = compute(a, a, a)\n    return b + compute(b, b)\n"
    two = one.replace("one", "two")
    six = one.replace("one", "three") + "    # and a tail that is long enough to fill up the rest of it\n"
    check("python", f"import os\n\n{one}\n\n{two}\n\n{six}", [f"import os\n\n{one}", two, six], tokens=30)


def test_a_comment_and_a_decorator_stay_with_their_function() -> None:
    first = "def first(alpha, beta):\n    gamma = alpha + beta\n    return compute(gamma, alpha)\n"
    second = "# Says what it does.\n@decorated(with_arguments)\ndef second(alpha):\n    return compute(alpha, alpha)\n"
    check("python", f"{first}\n{second}", [first, second], tokens=32)


def test_a_large_class_is_cut_between_methods_and_keeps_its_header_with_the_first() -> None:
    method = "    def {0}(self, value):\n        self.{0}_value = value\n        return compute(self, value)\n"
    one, two, three = (method.format(name) for name in ("one", "two", "three"))
    text = f'class Thing(Base):\n    """A thing."""\n\n{one}\n{two}\n{three}'
    check("python", text, [f'class Thing(Base):\n    """A thing."""\n\n{one}', two, three], tokens=38)


def test_a_large_function_is_cut_between_statements() -> None:
    whole = "    if value:\n        return compute(value, value, value)\n"
    text = f"def large(value):\n{numbered(4)}\n{whole}{numbered(3)}\n"
    check("python", text, [f"def large(value):\n{numbered(4)}", f"{whole}{numbered(3)}\n"], tokens=40)


def test_a_closing_brace_is_no_chunk() -> None:
    body = numbered(6, "  step{0}(value, value);")
    text = f"function large(value) {{\n{body}\n}}\n\nfunction next(value) {{\n{body}\n}}\n"
    chunks = outline(text.encode(), "javascript", chunk_tokens=33).chunks
    assert all(len(text.encode()[chunk.start : chunk.end].strip()) > 20 for chunk in chunks)


def test_a_giant_comment_does_not_split_the_function_below_it() -> None:
    comment = "\n".join(f"# remark number {number} about all this" for number in range(8))
    function = "def small(alpha, beta):\n    gamma = alpha + beta\n    return compute(gamma, alpha)\n"
    data = f"{comment}\n{function}".encode()
    chunks = outline(data, "python", chunk_tokens=32).chunks
    assert data[chunks[-1].start : chunks[-1].end].decode() == function.rstrip()


def test_markdown_is_cut_at_headings_and_keeps_code_whole() -> None:
    first = "# Parcels\n\nHow parcels travel through all of the depots.\n"
    second = "## Sending\n\nCall it with a depot:\n\n```python\n# Not a heading.\n\nparcel.send(depot)\n```\n"
    third = "## Receiving\n\nOpen the door, take the parcel and sign for it.\n"
    check("markdown", f"{first}\n{second}\n{third}", [first, second, third], tokens=24)


def test_json_is_cut_between_top_keys() -> None:
    one = '  "one": {\n    "alpha": [1, 2, 3, 4, 5],\n    "beta": "some text that is here"\n  }'
    two = one.replace("one", "two")
    check("json", f"{{\n{one},\n{two}\n}}", [f"{{\n{one},", f"{two}\n}}"], tokens=24)


def test_yaml_is_cut_between_top_keys() -> None:
    one = "one:\n  alpha: [1, 2, 3, 4, 5]\n  beta: some text that is here\n  gamma: and some more\n"
    two = one.replace("one", "two")
    check("yaml", one + two, [one, two], tokens=32)


def test_text_is_cut_at_blank_lines_then_at_small_indents_then_by_count() -> None:
    one, two = "alpha beta gamma delta\nepsilon zeta eta\n", "theta iota kappa lambda\nmu nu xi omicron\n"
    check("text", f"{one}\n{two}", [one, two], tokens=13)
    one, two = "alpha\n  beta gamma\n  delta epsilon\n", "zeta\n  eta theta iota\n  kappa lambda\n"
    check("text", one + two, [one, two], tokens=10)
    check("text", "abcdefgh\n" * 5, ["abcdefgh\n" * 2, "abcdefgh\n" * 2, "abcdefgh"], tokens=5)


@pytest.mark.parametrize("language", ["text", "javascript", "json"])
def test_a_long_line_is_split_between_words_and_keeps_its_number(language: str) -> None:
    data = b"first\n\n" + b"word, " * 500 + b"\n\nlast\n"
    found = outline(data, language, chunk_tokens=50)
    middle = [chunk for chunk in found.chunks if chunk.first_line == 3]
    assert len(middle) > 10
    assert all(chunk.last_line == 3 for chunk in middle)
    assert all(data[chunk.start : chunk.end].startswith(b"word") for chunk in middle)


def test_chinese_text_is_split_between_characters() -> None:
    data = ("包裹从仓库到仓库" * 300).encode()
    chunks = outline(data, "text").chunks
    assert len(chunks) > 5
    assert "".join(data[chunk.start : chunk.end].decode() for chunk in chunks).encode() == data


@pytest.mark.parametrize("data", [b"", b"\n", b" \t\r\n\x0c \n\r", b"\n" * 10_000])
@pytest.mark.parametrize("language", ["text", "python", "markdown", "yaml"])
def test_nothing_but_blanks_gives_no_chunk(data: bytes, language: str) -> None:
    assert outline(data, language).chunks == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems(end: str) -> None:
    data = end.join(["def f():", "    return 1", "", "def g():", "    return 2", ""]).encode()
    found = outline(data, "python", chunk_tokens=8)
    assert [(chunk.first_line, chunk.last_line) for chunk in found.chunks] == [(1, 2), (4, 5)]
    assert not data[found.chunks[0].start : found.chunks[0].end].endswith((b"\r", b"\n"))
    assert found.line_count == 5
