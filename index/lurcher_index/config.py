"""Every number and switch of the engine, with its unit and origin."""

import msgspec

from lurcher_index.errors import BadSetting

MAX_FILE_BYTES = 1_572_864
"""Largest file that is indexed: 1.5 MiB, the figure of VS Code's workspace index."""

MOST_FILE_BYTES = 1 << 30
"""Most that it may be raised to: 1 GiB. A file is read whole, and parsers count its bytes in 32 bits."""

MINIFIED_LINE_CHARACTERS = 10_000
"""A source file with a longer line is taken as minified or generated data."""

MINIFIED_AVERAGE_CHARACTERS = 400
"""So is one whose lines are longer than this on average."""

CHUNK_TOKENS = 250
"""Size that chunks aim at; the figure of VS Code's workspace index, and 80 of them fit in a budget of 20,000."""

WORKERS = 2
"""Processes that read, parse and split; more than two rarely help an editor's machine and make it noticeable."""

PARSE_SECONDS = 2.0
"""Longest time one parse may take before the file is chunked by lines instead."""

FILE_SECONDS = 10.0
"""Longest time a worker may be silent over one file before it is stopped; the file gets one more try, alone."""


VECTOR_CACHE_BYTES = 1 << 30
"""Most bytes that vectors of expensive models may take in the cache: 1 GiB are 700,000 vectors of 384 numbers."""

MODELS = ("lurcher", "none", "onnx:", "model2vec:", "endpoint:")
"""What may be chosen as embedding model; those with a colon are followed by a folder or an address."""

FINGERPRINT = "chunks-4 terms-2 masks-1 features-1"
"""Raised in the part that changed whenever the same file would give other chunks, terms, masks or features than
before."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a user can choose. The defaults are meant to be right for nearly everyone."""

    max_file_bytes: int = MAX_FILE_BYTES
    chunk_tokens: int = CHUNK_TOKENS
    workers: int = WORKERS
    parse_seconds: float = PARSE_SECONDS
    file_seconds: float = FILE_SECONDS
    exclude: tuple[str, ...] = ()
    """Patterns in .gitignore syntax, relative to each folder, that are left out of the index only."""
    include_ignored: tuple[str, ...] = ()
    """Folders, relative to each workspace folder, that are indexed although an ignore rule names them."""
    use_ripgrep: bool = True
    """Whether files are listed by ripgrep (quick) or by the walker written in Python (same list)."""
    model: str = "lurcher"
    """The embedding model: `lurcher`, `none`, `onnx:<folder>`, `model2vec:<folder>` or `endpoint:<url>`."""
    endpoint_model: str = ""
    """Name of the model that the endpoint is asked for."""
    endpoint_key_variable: str = ""
    """Environment variable that holds the endpoint's key; the key itself is in no setting."""
    endpoint_dimensions: int | None = None
    """Numbers that the endpoint's vectors shall have; None for what the model gives."""
    vector_cache_bytes: int = VECTOR_CACHE_BYTES

    def __post_init__(self) -> None:
        """Refuse numbers that cannot work, with a message that names the setting."""
        for name in _POSITIVE:
            if getattr(self, name) is not None and getattr(self, name) <= 0:
                raise BadSetting(f"setting {name!r} must be greater than 0, not {getattr(self, name)!r}")
        if self.max_file_bytes > MOST_FILE_BYTES:
            raise BadSetting(f"setting 'max_file_bytes' must be at most {MOST_FILE_BYTES}, not {self.max_file_bytes}")
        try:
            split_model(self.model)
        except ValueError as error:
            raise BadSetting(f"setting 'model' cannot be used: {error}") from None

    @classmethod
    def from_dict(cls, values: dict[str, object]) -> "Settings":
        """Check values that come from a file or a client."""
        try:
            return msgspec.convert(values, cls, strict=True)
        except msgspec.ValidationError as error:
            raise BadSetting(f"bad setting: {error}") from None

    def shape(self) -> str:
        """The settings that decide what is in an index, as text: indexes of different shapes are kept apart."""
        shaping = (self.max_file_bytes, self.chunk_tokens, sorted(self.exclude), sorted(self.include_ignored))
        return repr(shaping)


_POSITIVE = (
    "max_file_bytes",
    "chunk_tokens",
    "workers",
    "parse_seconds",
    "file_seconds",
    "endpoint_dimensions",
    "vector_cache_bytes",
)


def split_model(model: str) -> tuple[str, str]:
    """The two parts of the setting `model`: what kind, and where it is; ValueError for what is none."""
    kind, colon, where = model.partition(":")
    if kind + colon not in MODELS or bool(colon) != bool(where):
        raise ValueError(f"a model is one of {', '.join(f'{each}…' if ':' in each else each for each in MODELS)}")
    return kind, where
