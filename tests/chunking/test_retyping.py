"""A text that is typed in is parsed from the last one's tree, and comes out as if it were parsed alone."""

from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.chunking.grammars import load_grammar
from lurcher_index.chunking.outline import outline
from lurcher_index.chunking.retyping import Typed, unchanged

FUNCTION = """
def handle_{at}(request, depth={at}):
    # Grüße {at}
    if depth:
        return stop(request)
    return go()
"""
SOURCE = "\n".join(FUNCTION.format(at=at) for at in range(60)).encode()
"""Sixty functions without a mistake."""

texts = st.text(alphabet="ab é€😀\n", max_size=30)


@given(texts, texts, texts, texts)
def test_what_is_shared_is_shared(head: str, one: str, other: str, tail: str) -> None:
    before, after = (head + one + tail).encode(), (head + other + tail).encode()
    start, end = unchanged(before, after)
    assert before[:start] == after[:start]
    assert before[len(before) - end :] == after[len(after) - end :]
    assert start + end <= min(len(before), len(after))
    for part in (before[:start], before[start : len(before) - end], after[start : len(after) - end]):
        part.decode()  # No character is divided.


def test_texts_without_a_change_and_without_anything() -> None:
    assert unchanged(b"same", b"same") == (4, 0)
    assert unchanged(b"", b"new") == (0, 0)
    assert unchanged(b"old", b"") == (0, 0)
    assert unchanged(b"aaa", b"aaaa") == (3, 0)


edits = st.lists(
    st.tuples(st.integers(0, 59), st.sampled_from(["name", "body", "gone", "new", "comment"])), min_size=1, max_size=8
)


@given(edits)
def test_edits_of_a_correct_text_give_what_a_whole_parse_gives(changes: list[tuple[int, str]]) -> None:
    typed, functions = Typed(), SOURCE.split(b"\n\n\n")
    outline(SOURCE, "python", typed=typed)
    for at, change in changes:
        at %= len(functions)
        if change == "name":
            functions[at] = functions[at].replace(b"handle_", b"renamed_handle_")
        elif change == "body":
            functions[at] += b"\n    return [each for each in request if each]"
        elif change == "gone" and len(functions) > 1:
            del functions[at]
        elif change == "new":
            functions.insert(at, b"class Fresh%d:\n    def method(self):\n        return self.value" % at)
        else:
            functions[at] = functions[at].replace("ü".encode(), "ö😀".encode())
        text = b"\n\n\n".join(functions) + b"\n"
        assert outline(text, "python", typed=typed) == outline(text, "python")


def test_the_last_tree_is_used() -> None:
    grammar, typed = load_grammar("python"), Typed()
    assert grammar is not None
    first = grammar.parse(SOURCE, 2.0, typed)
    changed = SOURCE.replace(b"handle_30", b"handle_thirty")
    start = typed.start(grammar.language, changed)
    assert start is not None
    assert start.root_node.has_changes
    assert first is not None
    again = grammar.parse(changed, 2.0, typed)
    assert again is not None
    assert again.root_node.end_byte == len(changed)


def test_another_language_begins_anew() -> None:
    typed = Typed()
    outline(SOURCE, "python", typed=typed)
    script = b"function go() { return 1 }\n"
    assert outline(script, "javascript", typed=typed) == outline(script, "javascript")
    assert outline(SOURCE, "python", typed=typed) == outline(SOURCE, "python")


def test_a_text_that_is_not_parsed_in_between_does_no_harm() -> None:
    """A line that is too long is refused before the parser sees it."""
    typed = Typed()
    outline(SOURCE, "python", typed=typed)
    assert outline(SOURCE + b"# " + b"x" * 100_000, "python", typed=typed).note
    changed = SOURCE.replace(b"handle_7(", b"handle_seven(")
    assert outline(changed, "python", typed=typed) == outline(changed, "python")
