"""What a file's content and its path say, whatever is asked."""

from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.chunking.outline import outline
from lurcher_index.ranking.facts import ContentFacts, content_facts, parts_of, path_facts

SOURCE = b'''\
class UserStore:
    """Keeps users."""

    def load_user(self, user_id):
        return self.rows[user_id]


def main():
    pass
'''


def facts(chunk_tokens: int) -> ContentFacts:
    return content_facts(outline(SOURCE, "python", chunk_tokens=chunk_tokens))


def test_a_chunk_knows_the_names_it_defines_and_their_words_once() -> None:
    (chunk,) = facts(300).chunks
    assert [(name.name, name.is_type) for name in chunk.names] == [
        ("UserStore", True),
        ("load_user", False),
        ("main", False),
    ]
    assert chunk.parts == ("user", "stor", "load", "main")
    assert chunk.around == ()
    assert chunk.lines == 9


def test_what_a_chunk_lies_in_is_around_it_and_not_defined_by_it() -> None:
    head, method, function = facts(20).chunks
    assert [name.name for name in method.names] == ["load_user"]
    assert method.around == ("user", "stor")
    assert not method.defines_type
    assert head.defines_type
    assert function.around == ()


def test_a_body_without_its_head_defines_nothing() -> None:
    body = facts(10).chunks[2]
    assert (body.names, body.parts, body.complete) == ((), (), False)
    assert body.around == ("user", "stor", "load")


def test_documented_and_complete() -> None:
    """The class is documented, but its methods are cut off; its method is whole, but not documented."""
    head, method, _ = facts(20).chunks
    assert (head.documented, head.complete, head.lines) == (True, False, 2)
    assert (method.documented, method.complete, method.lines) == (False, True, 2)


def test_the_names_of_a_whole_content() -> None:
    found = facts(20)
    assert found.names.keys() == {"UserStore", "load_user", "main"}
    assert found.lower_names.keys() == {"userstore", "load_user", "main"}
    assert found.type_names.keys() == {"UserStore"}
    assert found.parts.keys() == {"user", "stor", "load", "main"}


def test_an_empty_content_has_no_names() -> None:
    found = content_facts(outline(b"", "python"))
    assert not (found.names or found.parts or found.type_names)


def test_words_of_names_are_stems_each_once() -> None:
    assert parts_of("parseHTTPRequest") == ("pars", "http", "request")
    assert parts_of("users_user") == ("user",)
    assert parts_of("") == ()


def test_a_path_gives_its_stem_and_its_three_innermost_folders() -> None:
    found = path_facts("project/one/two/three/HttpClient.test.ts")
    assert found.stem == ("http", "client")
    assert found.flat == "httpclient"
    assert found.folders == parts_of("one two three")
    assert found.kind.test


def test_a_file_without_an_ending_is_its_own_stem() -> None:
    assert path_facts("Makefile").flat == "makefile"
    assert path_facts("src/.eslintrc").flat == "eslintrc"
    assert path_facts("user_sessions.py").folders == ()


@given(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,62}", fullmatch=True))
def test_plain_names_have_the_words_that_they_have_among_others(name: str) -> None:
    # The blank makes it a text of several words, which are taken apart one by one.
    assert parts_of(name) == parts_of(name + " ")
