"""A folder with an embedding model: which files are in it, read within bounds. What they hold is not to be trusted."""

import stat
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import msgspec

from lurcher_index.errors import EmbedderError

T = TypeVar("T")

MODEL_BYTES = 2 << 30
"""Largest file of weights: 2 GiB, the most an ONNX file can have."""

TOKENIZER_BYTES = 64 << 20
"""Largest tokenizer.json; those of 250,000 tokens have 17 MB."""

CONFIG_BYTES = 1 << 20
"""Largest file with settings; usual ones have a kilobyte."""

_BLOCK = 1 << 20


class ModelFolder:
    """A folder that a person named."""

    def __init__(self, folder: str) -> None:
        """The folder must be there, and named from the root: where a server was started is nobody's business."""
        self.path = Path(folder).expanduser()
        if not self.path.is_absolute():
            raise EmbedderError(f"the model's folder {folder!r} is not an absolute path; write it from the root")
        if not _is_directory(self.path):
            raise EmbedderError(f"there is no folder {folder!r} with a model; correct the setting `model`")

    def file(self, *names: str, most: int) -> Path:
        """The first of some files that is there, of a bearable size."""
        for name in names:
            found = self.file_if_any(name, most=most)
            if found is not None:
                return found
        raise EmbedderError(f"the model's folder {self.path} has no {' and no '.join(names)}")

    def file_if_any(self, name: str, most: int) -> Path | None:
        """A file, if it is there and of a bearable size."""
        path = self.path / name
        try:
            status = path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise EmbedderError(f"{path} cannot be read: {error.strerror}") from None
        if not stat.S_ISREG(status.st_mode):
            raise EmbedderError(f"{path} is not a file")
        if status.st_size > most:
            raise EmbedderError(f"{path} has {status.st_size:,} bytes, more than the {most:,} that are read")
        return path

    def settings(self, name: str, kind: type[T]) -> T | None:
        """What a JSON file says, if it is there."""
        path = self.file_if_any(name, most=CONFIG_BYTES)
        if path is None:
            return None
        try:
            with path.open("rb") as file:
                return msgspec.json.decode(file.read(CONFIG_BYTES), type=kind)
        except (OSError, msgspec.DecodeError, RecursionError) as error:
            raise EmbedderError(f"{path} cannot be used: {error}") from None

    def version(self, *files: Path, said: str = "") -> str:
        """Names what is in some files and what is said beside them, so that two models are never taken for one."""
        digest = blake2b(said.encode("utf-8", "surrogatepass"), digest_size=6)
        try:
            for path in files:
                with path.open("rb") as file:
                    while block := file.read(_BLOCK):
                        digest.update(block)
        except OSError as error:
            raise EmbedderError(f"the model in {self.path} cannot be read: {error.strerror}") from None
        return digest.hexdigest()


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
