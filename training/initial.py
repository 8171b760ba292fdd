"""The table that training begins with.

`python -m training.initial WORK --encoder DIR` looks up every word of the vocabulary in what `training.encoders`
fetched, keeps the 256 strongest directions and writes `initial.npy`. Without an encoder a random table does.
"""

import argparse
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

import numpy as np

from lurcher_index.dense.static.tokens import PIECE_MARK
from training.network import Floats
from training.vocabulary import Vocabulary, read_vocabulary

SIF = 1e-4
"""Constant of smooth inverse frequency (Arora and others, 2017): words rarer than this share of a text keep their full
length, frequent ones are shortened."""

BATCH = 256


def sif_lengths(vocabulary: Vocabulary) -> Floats:
    """The length each word's vector begins with."""
    counts = np.array(vocabulary.counts, np.float64)
    lengths: Floats = (SIF / (SIF + counts / counts.sum())).astype(np.float32)
    return lengths


def random_table(vocabulary: Vocabulary, dimension: int, seed: int) -> Floats:
    """Random directions with those lengths."""
    table = np.random.default_rng(seed).standard_normal((len(vocabulary.words), dimension), np.float32)
    return table / np.float32(np.sqrt(dimension)) * sif_lengths(vocabulary)[:, None]


def strongest(vectors: Floats, dimension: int) -> Floats:
    """Vectors of length 1 along their strongest directions, the mean taken away."""
    centred = vectors - vectors.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    kept = centred @ directions[:, ::-1][:, :dimension]
    lengths: Floats = np.linalg.norm(kept, axis=1, keepdims=True)
    directed: Floats = (kept / np.maximum(lengths, 1e-12)).astype(np.float32)
    return directed


def unit(vectors: Floats) -> Floats:
    """Vectors of length 1 around their mean."""
    centred = vectors - vectors.mean(axis=0)
    lengths: Floats = np.linalg.norm(centred, axis=1, keepdims=True)
    directed: Floats = centred / np.maximum(lengths, 1e-12)
    return directed


def looked_up(words: list[str], known: Sequence[str], vectors: Floats) -> Floats:
    """The vectors of words, those of unknown words put together from the longest known parts."""
    places = {word: place for place, word in enumerate(known)}
    directed = unit(vectors)
    rows = np.zeros((len(words), vectors.shape[1]), np.float32)
    for row, word in zip(rows, words, strict=True):
        for part in _known_parts(word.removeprefix(PIECE_MARK), places):
            row += len(part) * directed[places[part]]
    return rows


def _known_parts(word: str, known: Container[str]) -> Iterator[str]:
    at = 0
    while at < len(word):
        ends = (end for end in range(len(word), at, -1) if word[at:end] in known and (end - at > 1 or len(word) == 1))
        end = next(ends, 0)
        if end:
            yield word[at:end]
        at = max(end, at + 1)


def encoded(words: list[str], model: Path, tokenizer: Path) -> Floats:
    """The mean-pooled output of an ONNX sentence encoder for every word."""
    import onnxruntime
    from tokenizers import Tokenizer

    spelled = Tokenizer.from_file(str(tokenizer))
    spelled.enable_truncation(16)
    spelled.enable_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    inputs = {each.name for each in session.get_inputs()}
    rows: dict[int, Floats] = {}
    for places in _by_length(words):
        pieces = spelled.encode_batch([words[at].removeprefix(PIECE_MARK) for at in places])
        feed = {
            "input_ids": np.array([each.ids for each in pieces], np.int64),
            "attention_mask": np.array([each.attention_mask for each in pieces], np.int64),
            "token_type_ids": np.array([each.type_ids for each in pieces], np.int64),
        }
        hidden = session.run(None, {name: value for name, value in feed.items() if name in inputs})[0]
        if hidden.ndim == 3:
            mask = feed["attention_mask"][:, :, None].astype(np.float32)
            hidden = (hidden * mask).sum(axis=1) / mask.sum(axis=1)
        rows |= dict(zip(places, hidden, strict=True))
    return np.stack([rows[at] for at in range(len(words))])


def _by_length(words: list[str]) -> Iterator[list[int]]:
    """Batches of places; words of like length together, so that little is filled up."""
    places = sorted(range(len(words)), key=lambda at: len(words[at]))
    for at in range(0, len(places), BATCH):
        yield places[at : at + BATCH]


def main() -> None:
    """Encode, reduce, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--encoder", type=Path, required=True, help="folder that training.encoders wrote")
    parser.add_argument("--dimension", type=int, default=512, help="more than the model has, if a map is learned")
    options = parser.parse_args()
    vocabulary = read_vocabulary(options.work)
    parts = [encoded(vocabulary.words, options.encoder / "model.onnx", options.encoder / "tokenizer.json")]
    if (options.encoder / "words.npz").exists():
        with np.load(options.encoder / "words.npz", allow_pickle=False) as file:
            parts.append(looked_up(vocabulary.words, file["words"].tolist(), file["vectors"].astype(np.float32)))
    vectors = np.hstack([unit(part) for part in parts])
    np.save(options.work / "initial.npy", strongest(vectors, options.dimension) * sif_lengths(vocabulary)[:, None])


if __name__ == "__main__":
    main()
