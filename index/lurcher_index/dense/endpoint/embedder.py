"""Vectors made by a server that speaks OpenAI's `/embeddings`. Everything that is embedded is sent there."""

import random
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np

from lurcher_index.dense.breaker import Breaker
from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.endpoint.address import read_address
from lurcher_index.dense.endpoint.answer import BadAnswer, vectors_of
from lurcher_index.dense.endpoint.exchange import Limits, NoReply, Reply, post, seconds_to_wait
from lurcher_index.dense.judgement import UnknownModel
from lurcher_index.errors import EmbedderError
from lurcher_index.secret import Secret

BATCH_TEXTS = 32
"""Texts in one request: the most that text-embeddings-inference takes as it is delivered; others take more."""

BATCH_CHARACTERS = 400_000
"""Characters in one request, unless a single text has more: about 130,000 tokens; OpenAI takes 300,000."""

TEXT_CHARACTERS = 24_000
"""Characters sent of a text: about 8,000 tokens of code, the limit of most models. A chunk has about 1,000."""

QUERY_LIMITS = Limits(connect=2.0, read=4.0, overall=4.0)
"""A question: as long as the words wait for the meaning (`SEMANTIC_SECONDS`). It is not asked twice."""

DOCUMENT_LIMITS = Limits(connect=10.0, read=60.0, overall=120.0)
"""A batch of chunks: a server that computes on a processor needs a second a text."""

ATTEMPTS = 4
"""How often a batch is sent before the pass gives up."""

FIRST_WAIT_SECONDS = 0.5
"""Pause before the second attempt; before each further one twice as long."""

LONGEST_WAIT_SECONDS = 20.0
"""Longest pause between two attempts. A server that asks for more is left alone, and the pass is tried again later."""

_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Answers after which the same request may succeed."""

_ADVICE = {
    400: "it refuses the request; check the settings `endpoint_model` and `endpoint_dimensions`",
    401: "it does not accept the key; check the variable that `endpoint_key_variable` names",
    403: "it does not allow this to the key; check the variable that `endpoint_key_variable` names",
    404: "it knows no such address or model; check the settings `model` and `endpoint_model`",
    413: "a request is too large for it",
    429: "it asks for fewer requests",
}


class Endpoint(msgspec.Struct, frozen=True):
    """What a person sets."""

    url: str
    model: str
    dimensions: int | None = None
    """Numbers that vectors shall have, for models that can be asked; None for what the model gives."""


class Surroundings(msgspec.Struct, frozen=True):
    """What an embedder takes from the world, so that a test can give it another one."""

    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    """Seconds since 1970, for servers that name a moment."""
    sleep: Callable[[float], object] = time.sleep
    chance: Callable[[], float] = random.random
    """A number from 0 to 1, that keeps many clients from coming back at the same moment."""
    tls: ssl.SSLContext | None = None
    query_limits: Limits = QUERY_LIMITS
    document_limits: Limits = DOCUMENT_LIMITS


class EndpointEmbedder(UnknownModel):
    """A model behind an address. Safe to call from any thread.

    After a failure it fails at once for a while, so that no search waits for a server that is down; then it is tried
    again. The first answer says how many numbers a vector has; another number later is an error.
    """

    def __init__(self, endpoint: Endpoint, key: Secret | None, world: Surroundings | None = None) -> None:
        """Ask for the dimension, unless it is set."""
        self._endpoint = endpoint
        self._address = read_address(endpoint.url)
        self._key = key
        self._world = world or Surroundings()
        self._breaker = Breaker(self._world.clock)
        self._turn = threading.Lock()
        self._dimension = endpoint.dimensions
        if self._dimension is None:
            self._ask(["a first text"], self._world.query_limits, attempts=1)

    @property
    def name(self) -> str:
        """The model, where it runs and the size of its vectors."""
        return f"{self._endpoint.model}@{self._address.shown}:{self.dimension}"

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        assert self._dimension is not None, "set, or known since the first answer"
        return self._dimension

    def __repr__(self) -> str:
        """Where it is, and nothing of the key."""
        return f"EndpointEmbedder({self._address.shown!r}, {self._endpoint.model!r})"

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, as one row."""
        self._breaker.check()
        return self._ask([text], self._world.query_limits, attempts=1)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """The vectors of chunks."""
        parts = [np.zeros((0, self.dimension), np.float32)]
        for batch in _batches([text[:TEXT_CHARACTERS] for text in texts]):
            self._breaker.check()
            parts.append(self._ask(batch, self._world.document_limits, ATTEMPTS))
        return np.concatenate(parts)

    def _ask(self, texts: Sequence[str], limits: Limits, attempts: int) -> Vectors:
        """The vectors of some texts, with several attempts; what comes of it is remembered."""
        for attempt in range(1, attempts + 1):
            outcome = self._attempt(texts, limits)
            if not isinstance(outcome, _Failure):
                self._breaker.succeeded()
                return outcome
            pause = max(outcome.wait, self._pause(attempt))
            if attempt == attempts or not outcome.may_pass or pause > LONGEST_WAIT_SECONDS:
                why = f"the embedding endpoint at {self._address.shown} cannot be used: {outcome.why}"
                self._breaker.failed(why, outcome.wait)
                raise EmbedderError(why)
            self._world.sleep(pause)
        raise AssertionError("there is at least one attempt")

    def _attempt(self, texts: Sequence[str], limits: Limits) -> "Vectors | _Failure":
        # Half of a character, as editors may send it, has no place in JSON.
        whole = [text.encode("utf-8", "replace").decode() for text in texts]
        asked: dict[str, object] = {"input": whole, "model": self._endpoint.model, "encoding_format": "float"}
        if self._endpoint.dimensions is not None:
            asked["dimensions"] = self._endpoint.dimensions
        try:
            reply = post(self._address, msgspec.json.encode(asked), self._key, limits, self._world.tls)
        except NoReply as error:
            return _Failure(f"{error}; see that it runs, or correct the setting `model`", True)
        if reply.status != 200:
            return _refusal(reply, self._world.now())
        try:
            vectors = vectors_of(reply.kind, reply.body, len(texts))
        except BadAnswer as error:
            return _Failure(f"its answer cannot be used: {error}", False)
        return self._of_one_dimension(vectors)

    def _of_one_dimension(self, vectors: Vectors) -> "Vectors | _Failure":
        found = vectors.shape[1]
        with self._turn:
            if self._dimension is None:
                self._dimension = found
            if found == self._dimension:
                return vectors
            return _Failure(f"its vectors have {found} numbers instead of {self._dimension}", False)

    def _pause(self, attempt: int) -> float:
        longest = FIRST_WAIT_SECONDS * 2.0 ** (attempt - 1)
        return longest * (0.5 + 0.5 * self._world.chance())


class _Failure(msgspec.Struct, frozen=True):
    """Why an attempt failed."""

    why: str
    may_pass: bool
    """Whether the same request may succeed later."""
    wait: float = 0.0
    """Seconds that the server asks for."""


def _refusal(reply: Reply, now: float) -> _Failure:
    """Of what the server says only the number is repeated: the rest may be anything, even the key."""
    if 300 <= reply.status < 400:
        return _Failure(f"it redirects ({reply.status}), which is not followed; set the final address", False)
    advice = _ADVICE.get(reply.status, "try again later" if reply.status >= 500 else "check the settings")
    wait = seconds_to_wait(reply.retry_after, now) if reply.retry_after else 0.0
    return _Failure(f"it answers {reply.status}; {advice}", reply.status in _AGAIN, wait)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == BATCH_TEXTS or size + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
