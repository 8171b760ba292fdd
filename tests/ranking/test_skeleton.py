"""A chunk in short."""

import re

from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.ranking.skeleton import lines_of, skeleton
from lurcher_index.text.tokens import estimate_tokens


def check(text: str, short: str, *keep: int) -> None:
    assert skeleton(text, keep) == short


PYTHON = '''\
@route(
    "/items",
)
def items(
    request: Request,
    limit: int,
) -> Response:
    """
    List the items.

    Paged, newest first.
    """
    found = load(request)
    for item in found:
        check(item)
        publish(item)

    return Response(found)
'''


def test_signature_and_first_words_of_the_documentation_stay() -> None:
    check(
        PYTHON,
        '@route(\n    …\ndef items(\n    request: Request,\n    limit: int,\n) -> Response:\n    """\n'
        "    List the items.\n    …\n",
    )


def test_lines_that_were_asked_for_stay_with_their_indentation() -> None:
    short = skeleton(PYTHON, [15])
    assert short.endswith("    List the items.\n    …\n        publish(item)\n    …\n")


def test_documentation_before_the_signature() -> None:
    check(
        "/**\n * Parses a date.\n * @param text ISO 8601\n */\nfunction parse(text) {\n  return new Date(text);\n}\n",
        "/**\n * Parses a date.\n …\nfunction parse(text) {\n  …\n",
    )
    check(
        "// Run starts it.\n// It blocks.\nfunc Run() {\n\tgo serve()\n\twait()\n}\n",
        "// Run starts it.\n…\nfunc Run() {\n\t…\n",
    )
    check('"""What it is for.\n\nAt length.\n"""\nimport one\nimport two\n', '"""What it is for.\n…\nimport one\n…\n')


def test_a_comment_that_is_never_closed_is_one_line() -> None:
    check("/* open\nint a;\nint b;\nint cc;\n", "/* open\nint a;\n…\n")


def test_brackets_that_stay_open_are_data_and_one_line_is_kept() -> None:
    data = "[\n" + "".join(f"  {number}{number}{number},\n" for number in range(20)) + "]\n"
    check(data, "[\n  …\n")


def test_a_mark_is_used_only_where_it_is_shorter() -> None:
    check("if a {\n}\n", "if a {\n}\n")
    check("call()\na=1\nb\nuse(x)\n", "call()\na=1\nb\nuse(x)\n", 3)
    check("call()\nab = 1\nc = 12\nuse(x)\n", "call()\n…\nuse(x)\n", 3)


def test_blank_lines_become_one_and_get_no_mark() -> None:
    check("one()\n\n\n\ntwo()\n", "one()\n\ntwo()\n", 4)


def test_line_ends_stay_what_they_are() -> None:
    check("one()\r\n  two = 2\r\n  three = 3\r\nfour()\r\n", "one()\r\n  …\r\nfour()\r\n", 3)
    check("one()\n  two = 2\n  three = 3", "one()\n  …")


def test_lines_that_are_not_there_are_ignored() -> None:
    check("one()\n", "one()\n", 7, -1)
    check("", "", 0)
    check("\n \n", " \n")


TEXTS = st.lists(
    st.sampled_from(
        [
            "def f(a,",
            "    b):",
            "  g(1)",
            "",
            " ",
            "}",
            "# c",
            '"""',
            "x",
            "…",
            "/*",
            "*/",
            "@d(",
            "中文",
            "\r",
            "\u3000",
        ]
    ),
    max_size=20,
).map("\n".join)


@given(TEXTS, st.lists(st.integers(-2, 20), max_size=5))
def test_never_longer_and_every_line_is_the_texts_own_or_a_mark(text: str, keep: list[int]) -> None:
    short = skeleton(text, keep)
    assert short == skeleton(text, keep)
    assert len(short.encode()) <= len(text.encode())
    assert estimate_tokens(short) <= estimate_tokens(text)
    lines = lines_of(text)
    for line in lines_of(short):
        assert line in lines or line.strip() == "…"
    assert bool(short.strip()) == bool(text.strip())
    for at in keep:
        if 0 <= at < len(lines):
            assert lines[at] in lines_of(short)


@given(st.text(alphabet="a\n\r \u2028\x0b\x0c", max_size=30))
def test_lines_end_as_lsp_says(text: str) -> None:
    lines = lines_of(text)
    assert "".join(lines) == text
    ends = re.findall(r"\r\n|\r|\n", text)
    assert len(lines) == len(ends) + bool(text and text[-1] not in "\r\n")
