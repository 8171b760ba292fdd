"""Measure a model file: `python -m training.evaluate WORK MODEL`.

Prints the mean reciprocal rank on the held-out pairs and, if WORK has labelled questions (`training.labelled`),
NDCG@10 of the dense ranking alone and how often it finds the right chunk.
"""

import argparse
import json
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from lurcher_index.dense.static.modelfile import Model, read_model
from training.arrays import Data, Names, load
from training.labelled import read_labelled
from training.measure import held_out_ranks, parameters_of


def measured(work: Path, model: Model, held_out: Data, names: Names) -> dict[str, Any]:
    """All scores of a model, as rounded to 8 bits."""
    parameters, path_weight = parameters_of(model), model.facts.path_weight
    mean, by_language = held_out_ranks(held_out, names.languages, parameters, path_weight)
    scores: dict[str, Any] = {"held_out_mrr": round(mean, 4), "held_out_mrr_by_language": by_language}
    if (work / "labelled").is_dir():
        found = read_labelled(work / "labelled", model.vocabulary).score(parameters, path_weight)
        scores |= {
            "ndcg10": round(fmean(found.raw), 4),
            "ndcg10_best_chunk_of_a_file": round(fmean(found.by_file), 4),
            "ndcg10_by_category": _rounded(found.groups(found.categories)),
            "ndcg10_by_language": _rounded(found.groups(found.languages)),
            "questions": len(found.raw),
        }
    if (work / "asked").is_dir():
        hits = read_labelled(work / "asked", model.vocabulary).hits(parameters, path_weight)
        scores |= {
            "right_chunk": _rounded(hits.figures()),
            "right_chunk_by_category": {name: _rounded(found) for name, found in hits.groups().items()},
        }
    return scores


def _rounded(groups: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in groups.items()}


def main() -> None:
    """Read and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("model", type=Path)
    options = parser.parse_args()
    names = msgspec.json.decode((options.work / "data.json").read_bytes(), type=Names)
    scores = measured(options.work, read_model(options.model), load(options.work / "held_out.npz"), names)
    print(json.dumps(scores, indent=1))


if __name__ == "__main__":
    main()
