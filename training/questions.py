"""Short questions out of what code says about itself: `Parses the header` becomes `where is the header parsed`."""

import re
from random import Random

IRREGULAR = {
    "get": "gotten", "set": "set", "read": "read", "write": "written", "send": "sent", "build": "built", "make": "made",
    "find": "found", "run": "run", "put": "put", "hold": "held", "keep": "kept", "take": "taken", "give": "given",
    "throw": "thrown", "draw": "drawn", "split": "split", "begin": "begun", "cut": "cut",
    "hide": "hidden", "bind": "bound",
    "choose": "chosen", "tell": "told", "show": "shown", "go": "gone", "do": "done",
    "reset": "reset", "rebuild": "rebuilt",
    "let": "let", "know": "known", "see": "seen", "catch": "caught", "freeze": "frozen", "shut": "shut", "spin": "spun",
}  # fmt: skip
"""Participles that no rule makes."""

VERBS = frozenset(
    """accept access acquire add adjust allocate allow append apply assert assign attach authenticate authorize bind
    block broadcast build cache calculate call cancel capture cast change check choose clean clear clone close
    collect combine commit compare compile complete compress compute configure confirm connect construct consume
    convert copy count create cut decode decompress decrypt define delete deliver deserialize destroy detach detect
    determine disable disconnect dispatch display download draw drop dump emit enable encode encrypt enqueue ensure
    escape estimate evaluate execute expand export extend extract fetch fill filter find finish fire flatten flush
    force format forward free generate get group handle hash hide import increment index initialize inject insert
    inspect install interpret invalidate invoke iterate join launch limit link list listen load locate lock log
    look lookup make manage map mark match measure merge migrate mock modify monitor move normalize notify observe
    obtain open order override pack parse pause perform persist play poll pop prepare prevent print process produce
    propagate provide publish pull push put query queue raise read rebuild receive reconnect record recover
    redirect refresh register reject release reload remove rename render replace report request reset resize
    resolve restart restore resume retrieve retry return reverse revert rotate round run sanitize save scan
    schedule scroll search select send serialize serve set setup shift show shut shutdown sign skip sort spawn
    split start stop store stream strip submit subscribe swap switch sync synchronize terminate test toggle trace
    track transform translate traverse trigger trim truncate unbind uninstall unlock unpack unregister unsubscribe
    unwrap update upgrade upload use validate verify wait walk watch wrap write""".split()
)
"""Verbs that begin descriptions of code."""

ARTICLES = ("a", "an", "the", "this", "all", "any", "every", "each", "its", "one", "some", "if", "whether")
OBJECT_END = re.compile(
    r"\b(?:from|to|into|in|on|for|with|by|using|of the given|that|which|"
    r"when|if|and|as|at|via|so|or|before|after|based|until|while)\b|[,;:(]"
)


def question(query: str, name: str, rng: Random) -> str:
    """A question whose answer is the code that `query` describes or `name` names; empty if none can be made."""
    words = query.split()
    verb = base_form(words[0].lower()) if words else ""
    if verb and len(words) >= 3:
        return _ask(verb, [words[1].lower() if words[1] in ("The", "A", "An") else words[1], *words[2:]], rng)
    parts = name.split()
    if len(parts) >= 2 and parts[0] in VERBS:
        return _ask(parts[0], parts[1:], rng)
    return ""


def base_form(word: str) -> str:
    """The verb that a word is a form of (`parses`, `parse`); empty if it is no known verb."""
    for form in (word, word[:-1], word[:-2], word[:-3] + "y"):
        if form in VERBS and word in (form, *_third_person(form)):
            return form
    return ""


def participle(verb: str) -> str:
    """`parse` becomes `parsed`, `stop` becomes `stopped`."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb) or verb in ("submit", "commit", "cancel"):
        return verb + verb[-1] + "ed"
    return verb + "ed"


def _third_person(verb: str) -> tuple[str, ...]:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return (verb[:-1] + "ies",)
    return (verb + "s", verb + "es")


def _ask(verb: str, rest: list[str], rng: Random) -> str:
    phrase = " ".join(rest[:14])
    cut = OBJECT_END.search(phrase)
    thing = (phrase[: cut.start()] if cut and cut.start() else phrase).strip()
    tail = phrase[len(thing) :].strip() if cut else ""
    if not thing or tail.startswith((",", ";", ":", "(")):
        tail = ""
    if rest[0] in ("if", "whether", "that"):
        return rng.choice((f"how does it {verb} {phrase}", f"where does it {verb} {phrase}"))
    done = participle(verb)
    plural = "are" if thing.split()[-1].endswith("s") and not thing.endswith("ss") else "is"
    whole = f"{thing} {plural} {done} {tail}".strip()
    asked = f"{plural} {thing} {done} {tail}".strip()
    return rng.choice(
        (
            f"where {whole}",
            f"how {whole}",
            f"where {asked}",
            f"how {asked}",
            f"how to {verb} {phrase}",
            f"code that {verb}s {thing}" if not verb.endswith(("y", "s", "h", "x")) else f"code to {verb} {thing}",
            f"{thing} {_noun(verb)}",
        )
    )


def _noun(verb: str) -> str:
    if verb.endswith("e"):
        return verb[:-1] + "ing"
    return participle(verb)[:-2] + "ing" if participle(verb).endswith("ed") and not verb.endswith("y") else verb + "ing"
