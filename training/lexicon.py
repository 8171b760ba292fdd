"""Bring the words of a model nearer to what developers mean by them, by a lexicon that was written for it.

`python -m training.lexicon WORK --pairs DIR --model FILE --out FOLDER` takes `lexicon.tsv`: a word, a tab, and the
words that stand in code, or that people say, where this one is meant, the closest first. Every word of the model that
the lexicon ties to others goes a part of the way to where these are. Nothing is trained, and the same files give the
same model.
"""

import argparse
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import msgspec
import numpy as np
import scipy.sparse as sp

from lurcher_index.dense.static.modelfile import read_model, write_model
from lurcher_index.dense.static.tokens import PIECE_MARK
from training.evaluate import measured
from training.export import Release
from training.measure import parameters_of, unit
from training.network import Parameters
from training.polish import mined_pairs, told_apart, with_table
from training.written import load_pools

LEXICON = Path(__file__).with_name("lexicon.tsv")

Lexicon = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Plan:
    """How far words go; chosen by written questions about packages that teach nothing."""

    share: float = 0.2
    """Of a word's new direction, what those that it is tied to have in it."""
    back: float = 0.3
    """What a tie counts in the other direction: who says *throw out* may mean `evict`, seldom the other way round."""
    fall: float = 0.3
    """How much less each further word of an entry counts: one, 1 / 1.3, 1 / 1.6 and so on."""


def read_lexicon(file: Path = LEXICON) -> dict[str, list[str]]:
    """Each word with those that it is tied to, the closest first."""
    entries = (line.partition("\t") for line in file.read_text(encoding="utf-8").splitlines())
    return {word: others.split() for word, _, others in entries}


def forms(word: str, known: Collection[str]) -> list[str]:
    """A word and its usual forms, as far as they are known. Entries are written for the base form alone."""
    return [form for form in dict.fromkeys((word, *_inflected(word))) if form in known]


def _inflected(word: str) -> Iterator[str]:
    doubles = 2 < len(word) < 5 and word[-1] not in "aeiouwyx" and word[-2] in "aeiou"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        yield from (f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing")
    elif word.endswith("e"):
        yield from (f"{word}s", f"{word}d", f"{word[:-1]}ing")
    elif word.endswith(("s", "x", "z", "ch", "sh")):
        yield from (f"{word}es", f"{word}ed", f"{word}ing")
    else:
        yield from (f"{word}s", f"{word}ed", f"{word}ing")
    if doubles:
        yield from (f"{word}{word[-1]}ed", f"{word}{word[-1]}ing")


def ties(lexicon: Lexicon, vocabulary: Sequence[str], plan: Plan) -> sp.csr_array:
    """How much each word of the vocabulary, a row, is tied to each other one, a column."""
    numbers = {word: number for number, word in enumerate(vocabulary) if not word.startswith(PIECE_MARK)}
    rows: list[int] = []
    columns: list[int] = []
    counts: list[float] = []
    for word, others in lexicon.items():
        ours = [numbers[form] for form in forms(word, numbers)]
        known = [other for other in others if other in numbers]
        for place, other in enumerate(known if ours else ()):
            count = 1 / (1 + plan.fall * place)
            theirs = [numbers[form] for form in forms(other, numbers)]
            for one in ours:
                for two in theirs:
                    if one != two:
                        rows += [one, two]
                        columns += [two, one]
                        counts += [count / len(theirs), plan.back * count / len(ours)]
    return sp.csr_array((counts, (rows, columns)), (len(vocabulary), len(vocabulary)))


def drawn_together(parameters: Parameters, tied: sp.csr_array, share: float) -> Parameters:
    """The table with every tied word a part of the way nearer to its like; each vector stays as long as it was."""
    lengths = np.linalg.norm(parameters.table, axis=1, keepdims=True)
    directions = unit(parameters.table)
    goals = unit(tied @ directions)
    moved = np.where(goals.any(axis=1, keepdims=True), unit((1 - share) * directions + share * goals), directions)
    return replace(parameters, table=(moved * lengths).astype(np.float32))


def main() -> None:
    """Draw together, measure, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--pairs", type=Path, required=True, help="the folder that training.mine filled")
    parser.add_argument("--model", type=Path, required=True, help="the model to begin with")
    parser.add_argument("--lexicon", type=Path, default=LEXICON)
    parser.add_argument("--name", help="of the model that is written (default: the same)")
    parser.add_argument("--plan", default="{}", help="settings of Plan as JSON")
    parser.add_argument("--out", type=Path, help="folder to write the model into")
    options = parser.parse_args()
    plan = msgspec.convert(json.loads(options.plan), Plan)
    model = read_model(options.model)
    if "lexicon" in model.facts.training:
        parser.error(f"{options.model.name} has learned from a lexicon already: take the model as it was before")
    lexicon = read_lexicon(options.lexicon)
    before = parameters_of(model)
    tied = ties(lexicon, model.vocabulary, plan)
    after = drawn_together(before, tied, plan.share)
    _, held_out, names = mined_pairs(options.pairs, options.work, model)
    told: dict[str, object] = {
        "entries": len(lexicon),
        "moved": int((np.diff(tied.indptr) > 0).sum()),
        "plan": asdict(plan),
    }
    if (options.work / "written-apart.npz").exists():
        states = {"before": before, "after": after}
        told["apart"] = told_apart(load_pools(options.work / "written-apart.npz"), states, model.facts.path_weight)
    found = with_table(model, after, held_out, {"lexicon": told}, options.name or model.facts.name)
    scores = {
        "before": measured(options.work, model, held_out, names),
        "after": measured(options.work, found, held_out, names),
    }
    print(json.dumps(scores))
    found.facts.training["scores"] = scores["after"]
    told["before"] = scores["before"]
    if options.out:
        Release(found, write_model(found), options.out).write()


if __name__ == "__main__":
    main()
