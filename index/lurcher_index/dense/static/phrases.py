"""Phrases that mean something else than the sum of their words: who wants two servers to *take turns* means `round` and
`robin`, and neither taking nor turning."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from lurcher_index.errors import ModelError

GAP = ".."
"""Stands in a phrase for what people put in between: `throw .. out` is in *throw everybody out*, and in *throw out*."""

MOST_BETWEEN = 3
"""Words in a gap."""

MOST_LOOKED_AT = 200
"""Words of a text that are looked at: more of them are no question."""

MOST_MEANING = 8
"""Words of a phrase's meaning that count; they stand in the order of what they tell."""

MOST_BYTES = 4_000_000
"""A larger file is none of ours."""


class Phrase(NamedTuple):
    """A phrase in its base form and the words that stand in code for it, the most telling first."""

    words: tuple[str, ...]
    meaning: tuple[str, ...]


class FoundPhrase(NamedTuple):
    """A phrase as it stands in a question."""

    name: str
    own: tuple[str, ...]
    """The question's words that it is made of."""
    meaning: tuple[str, ...]


class PhraseBook:
    """Finds phrases in questions."""

    def __init__(self, phrases: Iterable[Phrase] = ()) -> None:
        self._starting: dict[str, dict[str, list[Phrase]]] = {}
        """By the first and the second word; a gap between the two counts as part of the first."""
        for phrase in phrases:
            second = 2 if phrase.words[1] == GAP else 1
            first = " ".join(phrase.words[:second])
            self._starting.setdefault(first, {}).setdefault(phrase.words[second], []).append(phrase)

    def found_in(self, text: str) -> list[FoundPhrase]:
        """The phrases of a text in its order. No word is in two of them; the longer one has it."""
        if not self._starting:
            return []
        plain = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        words = [each.group() for each in islice(_WORD.finditer(plain), MOST_LOOKED_AT)]
        sought = [bases_of(word) for word in words]
        every = [found for at in range(len(words)) if (found := self._longest(sought, at)) is not None]
        every.sort(key=lambda found: -len(found[1]))
        taken: set[int] = set()
        kept: list[tuple[Phrase, list[int]]] = []
        for phrase, places in every:
            if taken.isdisjoint(places):
                taken.update(places)
                kept.append((phrase, places))
        kept.sort(key=lambda found: found[1][0])
        return [FoundPhrase(" ".join(p.words), tuple(words[at] for at in places), p.meaning) for p, places in kept]

    def _longest(self, sought: list[set[str]], at: int) -> tuple[Phrase, list[int]] | None:
        best: tuple[Phrase, list[int]] | None = None
        for phrase in self._candidates(sought, at):
            places = _places(phrase.words, sought, at)
            if places and (best is None or len(places) > len(best[1])):
                best = phrase, places
        return best

    def _candidates(self, sought: list[set[str]], at: int) -> Iterator[Phrase]:
        """Phrases whose first two words stand here."""
        # Sorted, since the order of a set differs between two runs, and so must no answer.
        for word in sorted(sought[at]):
            for first, reach in ((word, 1), (f"{word} {GAP}", 1 + MOST_BETWEEN)):
                seconds = self._starting.get(first)
                if seconds:
                    for following in sought[at + 1 : at + 1 + reach]:
                        for second in sorted(following):
                            yield from seconds.get(second, ())


def _places(phrase: tuple[str, ...], sought: list[set[str]], at: int) -> list[int]:
    """Where the words of a phrase stand, the first one at a given place and each of the others as soon as it can; none
    if they do not."""
    if len(phrase) == 1:
        return [at]
    reach, rest = (1 + MOST_BETWEEN, phrase[2:]) if phrase[1] == GAP else (1, phrase[1:])
    for place in range(at + 1, min(at + 1 + reach, len(sought))):
        if rest[0] in sought[place] and (found := _places(rest, sought, place)):
            return [at, *found]
    return []


def bases_of(word: str) -> set[str]:
    """A word and all that it may be a form of; some of it is no word, which finds nothing."""
    found = {word, *_IRREGULAR.get(word, ())}
    for ending, instead in _ENDINGS:
        stem = word[: -len(ending)]
        if len(stem) > 1 and word.endswith(ending):
            found.add(stem + instead)
            if ending in ("ed", "ing") and stem[-1] == stem[-2]:
                found.add(stem[:-1])
    return found


def read_phrases(file: Path) -> PhraseBook:
    """The phrases of a file: a line each, a tab between the phrase and its meaning."""
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{file.name} cannot be read ({error}); install lurcher anew to repair it") from error
    if len(data) > MOST_BYTES:
        raise ModelError(f"{file.name} is too large to be ours; install lurcher anew to repair it")
    return PhraseBook(_phrase(file, number, line) for number, line in enumerate(text.splitlines(), 1))


def _phrase(file: Path, number: int, line: str) -> Phrase:
    phrase, _, meaning = line.partition("\t")
    words, meant = tuple(phrase.split()), tuple(meaning.split())
    if len(words) < 2 or words[0] == GAP or words[-1] == GAP or not meant:
        raise ModelError(f"{file.name}, line {number}, is no phrase; install lurcher anew to repair it")
    return Phrase(words, meant[:MOST_MEANING])


_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_ENDINGS = (
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("ied", "y"),
    ("ing", ""),
    ("ing", "e"),
    ("'s", ""),
)
_WHOSE = ("my", "your", "his", "her", "its", "our", "their", "somebody's", "someone's", "one's")
_FORMS = """
be is are was were been being am | begin began begun | bend bent | bind bound | bite bit bitten | blow blew blown
break broke broken | bring brought | build built | buy bought | catch caught | choose chose chosen | come came
deal dealt | dig dug | do does did done | draw drew drawn | drive drove driven | eat ate eaten | fall fell fallen
feed fed | feel felt | fight fought | find found | fly flew flown | forget forgot forgotten | freeze froze frozen
get got gotten | give gave given | go goes went gone | grow grew grown | hang hung | have has had | hear heard
hide hid hidden | hold held | keep kept | know knew known | lay laid | lead led | leave left | lend lent
lie lay lain lying | die dying | tie tying | lose lost | make made | mean meant | meet met | pay paid
ride rode ridden | ring rang rung
rise rose risen | run ran | say said | see saw seen | seek sought | sell sold | send sent | shake shook shaken
shoot shot | show shown | sing sang sung | sink sank sunk | sit sat | sleep slept | speak spoke spoken | spend spent
spin spun | stand stood | steal stole stolen | stick stuck | strike struck | swear swore sworn | sweep swept
swim swam | swing swung | take took taken | teach taught | tear tore torn | tell told | think thought
throw threw thrown | understand understood | wake woke woken | wear wore worn | win won | write wrote written
child children | foot feet | half halves | man men | person people | this these | that those
"""
_IRREGULAR: dict[str, set[str]] = {}
for _entry in re.split(r"\||\n", _FORMS):
    for _form in _entry.split()[1:]:
        _IRREGULAR.setdefault(_form, set()).add(_entry.split()[0])
for _form in _WHOSE:
    _IRREGULAR.setdefault(_form, set()).update(_WHOSE)
