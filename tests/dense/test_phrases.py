"""Phrases that mean something else than their words, in questions."""

from pathlib import Path

import numpy as np
import pytest
from tests.dense.models import WORDS, small_model

from lurcher_index.dense.static.embedder import OWN_WORDS_WEIGHT, PHRASE_WEIGHT, StaticEmbedder
from lurcher_index.dense.static.phrases import MOST_LOOKED_AT, MOST_MEANING, Phrase, PhraseBook, bases_of, read_phrases
from lurcher_index.dense.static.shipped import PHRASES, shipped_phrases
from lurcher_index.errors import ModelError


def book(*phrases: str) -> PhraseBook:
    return PhraseBook(Phrase(tuple(phrase.split()), ("meant",)) for phrase in phrases)


@pytest.mark.parametrize(
    ("phrase", "text", "own"),
    [
        ("take turns", "two of them take turns", ("take", "turns")),
        ("take turns", "They TOOK turns.", ("took", "turns")),
        ("take turns", "turns that take long", None),
        ("throw .. out", "who throws the oldest guest out?", ("throws", "out")),
        ("throw .. out", "throw out", ("throw", "out")),
        ("throw .. out", "throw one two three four out", None),
        ("keep an eye on", "keeping an eye on it", ("keeping", "an", "eye", "on")),
        ("keep an eye on", "keeping an eye", None),
        ("in one's way", "it stands in their way", ("in", "their", "way")),
        ("drop by", "dropped by lot", ("dropped", "by")),
        ("try again", "tries again", ("tries", "again")),
        ("take .. back to .. front", "take it back to the front", ("take", "back", "to", "front")),
        ("take .. back to .. front", "take him back and back to the front", ("take", "back", "to", "front")),
        ("put .. in the way", "put in a stone in the way", ("put", "in", "the", "way")),
        ("take turns", "they 'take turns'", ("take", "turns")),
        ("in one's way", "in somebody\N{RIGHT SINGLE QUOTATION MARK}s way", ("in", "somebody's", "way")),
        ("give up", "", None),
        ("give up", "give", None),
    ],
)
def test_what_stands_in_a_question(phrase: str, text: str, own: tuple[str, ...] | None) -> None:
    found = book(phrase).found_in(text)
    assert [each.own for each in found] == ([own] if own else [])
    assert all((each.name, each.meaning) == (phrase, ("meant",)) for each in found)


def test_a_longer_phrase_has_the_words_and_phrases_stand_in_the_order_of_the_question() -> None:
    found = book("out of", "out of date", "look for", "date of").found_in("looking for what is out of date of all")
    assert [each.name for each in found] == ["look for", "out of date"]


def test_only_so_much_of_a_text_is_looked_at() -> None:
    found = book("give up").found_in("word " * (MOST_LOOKED_AT - 1) + "give up")
    assert found == []
    assert book("give up").found_in("word " * (MOST_LOOKED_AT - 2) + "give up")


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("boxes", "box"),
        ("carried", "carry"),
        ("stopping", "stop"),
        ("making", "make"),
        ("lying", "lie"),
        ("used", "use"),
        ("went", "go"),
        ("thrown", "throw"),
        ("left", "leave"),
        ("guest's", "guest"),
        ("is", "be"),
    ],
)
def test_forms_of_a_word(form: str, base: str) -> None:
    assert base in bases_of(form)
    assert form in bases_of(form)


# -- in vectors


def meaning(*words: str) -> StaticEmbedder:
    return StaticEmbedder(small_model(), lambda: PhraseBook([Phrase(("open", "up"), words)]))


def directions(*words: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    table = small_model().table[[WORDS.index(word) for word in words]].astype(np.float32)
    found: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = table / np.linalg.norm(table, axis=1, keepdims=True)
    return found


def test_a_phrase_is_one_more_word_that_lies_between_those_of_its_meaning() -> None:
    plain, found = StaticEmbedder(small_model()).asked_words("open up"), meaning("read", "write").asked_words("open up")
    assert found.words == (*plain.words, "open up")
    read, write = directions("read", "write")
    between = read + write / 1.3
    assert found.vectors[-1] == pytest.approx(between / np.linalg.norm(between), abs=1e-6)
    at = plain.words.index("open")
    assert found.weights[at] == pytest.approx(OWN_WORDS_WEIGHT * plain.weights[at])
    of_words = StaticEmbedder(small_model()).asked_words("read write")
    assert 0 < found.weights[-1] <= PHRASE_WEIGHT * of_words.weights.max() + 1e-6


def test_a_phrase_that_is_said_twice_counts_once() -> None:
    embedder = meaning("read", "write")
    once, twice = embedder.asked_words("open up"), embedder.asked_words("open up, opened up")
    assert twice.words.count("open up") == 1
    assert twice.weights[-1] == once.weights[-1]


def test_the_vector_of_a_question_goes_towards_the_meaning() -> None:
    def nearness(embedder: StaticEmbedder) -> float:
        return float(embedder.embed_query("open up")[0] @ directions("write")[0])

    assert nearness(meaning("write")) > nearness(StaticEmbedder(small_model())) + 0.1


def test_a_meaning_that_the_model_does_not_know_changes_nothing() -> None:
    plain, found = StaticEmbedder(small_model()).asked_words("open up"), meaning("zygote").asked_words("open up")
    assert found.words == plain.words
    assert np.array_equal(found.weights, plain.weights)


# -- the file


def test_the_shipped_phrases_are_read_and_found() -> None:
    (found,) = shipped_phrases().found_in("the two servers take turns")
    assert found.name == "take turns"
    assert "robin" in found.meaning
    assert len(found.meaning) <= MOST_MEANING


def test_the_shipped_phrases_stand_in_order_each_once() -> None:
    names = [line.partition("\t")[0] for line in PHRASES.read_text(encoding="utf-8").splitlines()]
    assert names == sorted(set(names))


@pytest.mark.parametrize("line", ["alone\tmeant", "two words", "two words\t", ".. out\tmeant", "throw ..\tmeant", ""])
def test_a_damaged_file_is_refused_with_what_to_do(tmp_path: Path, line: str) -> None:
    file = tmp_path / "phrases.tsv"
    file.write_text(f"take turns\trobin\n{line}\n", encoding="utf-8")
    with pytest.raises(ModelError, match=r"phrases.tsv, line 2.*install lurcher anew"):
        read_phrases(file)


def test_a_file_that_is_missing_or_no_text_is_refused_too(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        read_phrases(tmp_path / "phrases.tsv")
    (tmp_path / "phrases.tsv").write_bytes(b"take turns\t\xff\n")
    with pytest.raises(ModelError, match="cannot be read"):
        read_phrases(tmp_path / "phrases.tsv")
