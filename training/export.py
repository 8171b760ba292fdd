"""Checkpoints into the file that is shipped: averaged, rounded to 8 bits, with related words and the model card.

`python -m training.export WORK RUN... --out FILE` writes the model; `--release` writes it, its digest and its card into
the package.
"""

import argparse
import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.static.modelfile import NEIGHBOURS, SIMILARITY_STEPS, Facts, Model, write_model
from lurcher_index.dense.static.tokens import PIECE_MARK
from lurcher_index.text.terms import stem
from training.arrays import Names, load
from training.calibration import calibrated
from training.card import licences, model_card, sources_table, used_sources
from training.evaluate import measured
from training.network import Parameters
from training.train import averaged, load_checkpoint
from training.vocabulary import Vocabulary, read_vocabulary

FREQUENT = 20_000
"""Words, most frequent first, that may be named as related to another; the vectors of rarer ones are less sure."""

LEAST_SIMILARITY = 0.3
"""Words that are less alike are not related."""

BLOCK = 1_000


def exported(parameters: Parameters, vocabulary: Vocabulary, facts: Facts) -> Model:
    """The model of a table that was trained."""
    return rounded(parameters, vocabulary.words, facts)


def rounded(parameters: Parameters, words: list[str], facts: Facts) -> Model:
    """The table in 8 bits a number with one scale a row, and the related words. Nothing is turned."""
    scale = np.abs(parameters.table).max(axis=1) / 127
    table = np.rint(parameters.table / np.maximum(scale, 1e-12)[:, None]).astype(np.int8)
    related, similarities = related_words(parameters.table, words)
    return Model(
        facts,
        words,
        table,
        scale.astype(np.float32),
        np.exp(parameters.query).astype(np.float32),
        np.exp(parameters.document).astype(np.float32),
        related,
        similarities,
        np.zeros((parameters.table.shape[1],) * 2, np.float32),
    )


def related_words(table: NDArray[np.floating], words: list[str]) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """For every whole word the nearest frequent ones that are not forms of it, and how near they are."""
    whole = sum(not word.startswith(PIECE_MARK) for word in words)
    vectors = table[:whole] / np.maximum(np.linalg.norm(table[:whole], axis=1, keepdims=True), 1e-12)
    usable = np.array([at for at in range(min(whole, FREQUENT)) if len(words[at]) > 2 and words[at].isalpha()])
    related = np.zeros((whole, NEIGHBOURS), np.uint16)
    similarities = np.zeros((whole, NEIGHBOURS), np.uint8)
    depth = min(4 * NEIGHBOURS, len(usable))
    for start in range(0, whole if len(usable) else 0, BLOCK):
        cosines = vectors[start : start + BLOCK] @ vectors[usable].T
        nearest = np.argpartition(-cosines, depth - 1, axis=1)[:, :depth]
        for row, places in enumerate(nearest):
            word = words[start + row]
            order = places[np.argsort(-cosines[row, places], kind="stable")]
            kept = [at for at in order if cosines[row, at] >= LEAST_SIMILARITY and not is_form(word, words[usable[at]])]
            for column, at in enumerate(kept[:NEIGHBOURS]):
                related[start + row, column] = usable[at]
                similarities[start + row, column] = int(min(1.0, cosines[row, at]) * SIMILARITY_STEPS)
    return related, similarities


def is_form(word: str, other: str) -> bool:
    """Whether two words are forms of one: the same stem, or one holds the stem of the other."""
    one, two = stem(word), stem(other)
    shorter, longer = sorted((one, two), key=len)
    return one == two or (len(shorter) >= 4 and shorter in longer)


@dataclass(frozen=True)
class Release:
    """What is written into the package."""

    model: Model
    data: bytes
    folder: Path

    def write(self) -> None:
        """The file, the module with its digest, and the card."""
        file = f"{self.model.facts.name}.safetensors"
        if (self.folder / "__init__.py").exists():
            # In the package there is one; whatever else lies where somebody tries something out is not ours.
            for old in self.folder.glob("*.safetensors"):
                old.unlink()
        (self.folder / file).write_bytes(self.data)
        released = RELEASED.format(
            name=self.model.facts.name,
            file=file,
            sha256=sha256(self.data).hexdigest(),
            dimension=self.model.table.shape[1],
        )
        (self.folder / "released.py").write_text(released, encoding="utf-8")
        (self.folder / "MODEL_CARD.md").write_text(model_card(self.model, len(self.data)), encoding="utf-8")


RELEASED = '''"""Which model belongs to this version of the code. Written by `training/export.py`."""

from functools import cache
from pathlib import Path

from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.shipped import Release, load_release

RELEASE = Release(
    name="{name}",
    file="{file}",
    sha256="{sha256}",
    dimension={dimension},
)


@cache
def shipped_embedder() -> StaticEmbedder:
    """The one embedder of all engines in a process; a failure is not remembered."""
    return load_release(RELEASE, Path(__file__).parent)
'''


def main() -> None:
    """Average, measure, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("checkpoints", type=Path, nargs="+", help="files that training wrote")
    parser.add_argument("--name", default="lurcher-code-v5", help="another than that of any model before")
    parser.add_argument("--path-weight", type=float, default=0.5)
    parser.add_argument("--initial", default="random directions", help="what training began with, for the card")
    parser.add_argument("--sources", type=Path, help="packages.jsonl as training.fetch writes it")
    parser.add_argument("--out", type=Path, help="file for the model")
    parser.add_argument("--release", type=Path, help="folder of the package to write it into")
    options = parser.parse_args()
    vocabulary = read_vocabulary(options.work)
    names = msgspec.json.decode((options.work / "data.json").read_bytes(), type=Names)
    held_out = load(options.work / "held_out.npz")
    parameters = averaged([load_checkpoint(file) for file in options.checkpoints])
    calibration = calibrated(held_out, parameters, options.path_weight)
    facts = Facts(options.name, options.path_weight, calibration)
    unmeasured = exported(parameters, vocabulary, facts)
    scores = measured(options.work, unmeasured, held_out, names)
    print(json.dumps(scores))
    sources = used_sources(options.sources, set(names.packages)) if options.sources else []
    runs = dict.fromkeys(file.parent for file in options.checkpoints)
    training = {
        "packages": len(names.packages),
        "pairs_by_language": names.pairs_by_language,
        "pairs_by_kind": names.pairs_by_kind,
        "left_out": names.left_out,
        "initial": options.initial,
        "plans": [json.loads((run / "plan.json").read_text(encoding="utf-8")) for run in runs],
        "checkpoints_averaged": len(options.checkpoints),
        "scores": scores,
        "licences": licences(sources),
    }
    model = msgspec.structs.replace(unmeasured, facts=msgspec.structs.replace(facts, training=training))
    data = write_model(model)
    print(f"{len(data) / 1e6:.1f} MB, SHA-256 {sha256(data).hexdigest()}")
    if options.out:
        options.out.write_bytes(data)
    if options.release:
        Release(model, data, options.release).write()
        (Path(__file__).parent / "sources.tsv").write_text(sources_table(sources), encoding="utf-8")


if __name__ == "__main__":
    main()
