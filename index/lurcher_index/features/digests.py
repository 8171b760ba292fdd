"""What is kept of a content for the feature tree: its strongest words, what it imports, and phrases out of its
documentation. No text, nothing that depends on the path."""

import zlib
from collections import Counter
from collections.abc import Iterable

import msgspec

from lurcher_index.deflate import deflated
from lurcher_index.errors import StoreDamaged
from lurcher_index.features.phrases import (
    DOC_BYTES,
    FEATURED,
    TYPES,
    documented_phrase,
    leading_documentation,
    named_words,
    wants_documentation,
)
from lurcher_index.model import EdgeKind, Outline, SymbolKind, Value

TERMS = 16
"""Words kept of a content: a label is made of two or three, and what two files share is seldom beyond the first ten."""

IMPORTS = 256
"""Imported modules kept of a content; more than hand-written files have, and a bound for the others."""

MAX_DIGEST_BYTES = 1_000_000
"""Largest digest that is read back; hundreds of times a usual one, and a bound for a forged one."""

SHORTEST_WORD = 3
"""Letters of a word that may stand in a label."""

TYPE_WEIGHT = 3
"""What the name of a type counts, beside that of a function: files are about types more than about their methods."""

SILENT = frozenset(
    """
    abstract add all and any arg args array assert async base begin bool boolean byte bytes call callback char
    check class close code common config const context copy core count create data default delete dict do element
    elements empty end error exception expected first float foo bar baz for from func function get handle handler
    has helper impl index info init initialize inner input instance int integer interface invalid invoke item
    items iter key keys kind last len length like list load main make map max message method min mock mode name
    names new next node none not null number obj object off old on one open option options other output own param
    params part parse path pop prev private process property props ptr public push put read real ref remove reset
    result return run self set setup should show simple single size sort start state static status std step stop
    str string strings struct sub test tests testing text the this time tmp to total true try tuple two type types
    unit update use user util utils valid value values var version void wait when with without write about above
    accept across after again also always among another are around article before being below between both but can
    cannot correct different does done down each easily either enough even every false following free full given
    going here how href html http https implementation implementations into its just left legal lang long many may
    more most much must need needed needs never non now once only onto out over own per possible provided provides
    providing rather return returned returns right same second see set short should some something such than that
    their them then there these they thing things this those three through too under until uses using various very
    via want was well were what where whether which while who whose will within works would yet you your
    """.split()
)
"""Words of names that are in every project and say nothing about a group of files."""


# Looked up once: a member of an enum takes several times as long to find as a global.
_KEY, _IMPORT = SymbolKind.KEY, EdgeKind.IMPORT


class Digest(Value, frozen=True, array_like=True, gc=False):
    """What the tree is built from."""

    terms: tuple[str, ...]
    """The strongest words of names and documentation, the strongest first."""
    counts: tuple[int, ...]
    imports: tuple[str, ...]
    """Modules that are imported, as they are written."""
    phrase: str = ""
    """What the documentation at the file's beginning says it does."""


class Features(Value, frozen=True, array_like=True):
    """All that is kept of a content."""

    digest: bytes
    phrases: bytes
    """Packed apart: the tree does without until somebody looks at the definitions of a file."""


NOTHING = Digest((), (), ())


def features_of(data: bytes, outline: Outline) -> Features:
    """The features of a document; costs a few microseconds for each definition."""
    phrases: dict[int, str] = {}
    # All words in one list and counted once: a count for each definition would cost as much as all the rest.
    words: list[str] = []
    for at, symbol in enumerate(outline.symbols):
        kind = symbol.kind
        if kind is _KEY:
            continue
        own = named_words(symbol.name)
        words += own * TYPE_WEIGHT if kind in TYPES else own
        if symbol.doc_end > symbol.doc_start and kind in FEATURED and wants_documentation(symbol.name, kind):
            doc = data[symbol.doc_start : min(symbol.doc_end, symbol.doc_start + DOC_BYTES)].decode("utf-8", "ignore")
            phrase = documented_phrase(doc, symbol.name, kind)
            if phrase:
                phrases[at] = phrase
                words += phrase.split()[1:]
    phrase = documented_phrase(leading_documentation(data), "", None)
    words += phrase.split()[1:]
    best = _strongest(Counter(words))
    imports = dict.fromkeys(edge.name for edge in outline.edges if edge.kind is _IMPORT)
    digest = Digest(tuple(best), tuple(best.values()), tuple(imports)[:IMPORTS], phrase)
    return Features(msgspec.msgpack.encode(digest), pack_phrases(phrases))


def pack_phrases(phrases: dict[int, str]) -> bytes:
    """Phrases by the number of the definition, as they are stored; nothing for none."""
    return deflated(msgspec.msgpack.encode(phrases)) if phrases else b""


def unpack_phrases(packed: bytes) -> dict[int, str]:
    """Stored phrases; what is damaged or far too large is refused."""
    if not packed:
        return {}
    try:
        inflater = zlib.decompressobj()
        raw = inflater.decompress(packed, MAX_DIGEST_BYTES)
        if not inflater.eof:
            raise StoreDamaged("stored phrases are cut off or too large")
        return msgspec.msgpack.decode(raw, type=dict[int, str])
    except (zlib.error, msgspec.DecodeError) as error:
        raise StoreDamaged(f"stored phrases are damaged: {error}") from error


class Digests:
    """Reads stored digests; equal words of different digests become one object, for there are thousands of them."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._decoder = msgspec.msgpack.Decoder(Digest)
        self._words: dict[str, str] = {}

    def read(self, packed: bytes) -> Digest:
        """A stored digest; an empty one, of a content that has none, says nothing."""
        if not packed:
            return NOTHING
        if len(packed) > MAX_DIGEST_BYTES:
            raise StoreDamaged("a stored digest is too large")
        try:
            digest = self._decoder.decode(packed)
        except msgspec.DecodeError as error:
            raise StoreDamaged(f"a stored digest is damaged: {error}") from error
        return Digest(self._one(digest.terms), digest.counts, self._one(digest.imports), digest.phrase)

    def _one(self, words: Iterable[str]) -> tuple[str, ...]:
        known = self._words
        return tuple([known.setdefault(word, word) for word in words])


def _strongest(counted: Counter[str]) -> dict[str, int]:
    telling = [
        (-count, word)
        for word, count in counted.items()
        if len(word) >= SHORTEST_WORD and word not in SILENT and not word.isdigit()
    ]
    telling.sort()
    return {word: -count for count, word in telling[:TERMS]}
