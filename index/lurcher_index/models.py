"""Which embedding model answers: the one that was chosen or, until its vectors are made, the one before."""

from typing import NamedTuple

from lurcher_index.building.progress import Cancelled, Report, never, unheard
from lurcher_index.dense.choice import OWN, Choice, Maker, choice_of, from_origin
from lurcher_index.dense.embedder import Embedder
from lurcher_index.dense.supply import Supply, at_once, in_a_thread
from lurcher_index.meaning import Meaning
from lurcher_index.workspace import Workspace


class Serving(NamedTuple):
    """What a search can rely on."""

    meaning: Meaning | None = None
    """None: words alone."""
    alerts: tuple[str, ...] = ()
    next_model: str = ""
    """The model whose vectors are being made; it answers when they are."""

    @property
    def model(self) -> str:
        """Name of the model that answers; empty for none."""
        return self.meaning.embedder.name if self.meaning else ""

    @property
    def ready(self) -> float:
        """Share of the chunks that have a vector of it."""
        return self.meaning.ready() if self.meaning else 0.0


class Models:
    """The embedding models of one workspace. Thread-safe.

    Which one answers is read off the stored vectors, so that it is the same after a restart and in every process: as
    long as another model has vectors for more chunks than the chosen one, and can be made, it answers. A pass that made
    all vectors of the chosen one deletes the others.
    """

    def __init__(self, workspace: Workspace, maker: Maker | None = None, supply: Supply | None = None) -> None:
        """Nothing is loaded yet. `maker` and `supply` are those of the workspace that this one takes the place of."""
        self.workspace = workspace
        settings = workspace.settings
        place = workspace.place
        self._choice = choice_of(settings)
        self._maker = maker or Maker(place.root if place else None, settings.vector_cache_bytes)
        self._supply = supply or self._supply_of(self._choice)
        self._meanings: dict[str, Meaning] = {}
        self._former: dict[str, Supply] = {}
        self._stored: tuple[int, dict[str, str]] = (-1, {})

    def over(self, workspace: Workspace) -> "Models":
        """The same models for a workspace that was opened in place of this one."""
        return Models(workspace, self._maker, self._supply)

    def wanted(self) -> Meaning:
        """The chosen model, waited for; `EmbedderError` if it cannot be had."""
        return self._meaning(self._supply.made())

    def serving(self) -> Serving:
        """What answers now. Nobody waits for a model that is not there."""
        embedder = self._supply.now()
        chosen = self._meaning(embedder) if embedder is not None else None
        former = self._best_former(chosen)
        notes = (self._maker.problem,) if self._maker.problem else ()
        if chosen is None:
            return Serving(former, (self._without(former), *notes))
        if former is None:
            return Serving(chosen, notes)
        share = int(100 * chosen.ready())
        note = f"{former.embedder.name} answers until the vectors of {chosen.embedder.name} are made ({share} % are)"
        return Serving(former, (note, *notes), chosen.embedder.name)

    def catch_up(self, report: Report = unheard, cancelled: Cancelled = never) -> bool:
        """Make the missing vectors of the chosen model; False if it was cancelled."""
        return self.wanted().catch_up(report, cancelled, self._choice.origin)

    def revive(self) -> None:
        """Another process has just used the model: no reason to stay away from it."""
        self._supply.retry()

    def warm(self) -> None:
        """Load what the first question needs."""
        self._supply.retry()
        serving = self.serving()
        if serving.meaning is not None:
            serving.meaning.load()

    def _without(self, former: Meaning | None) -> str:
        instead = f"{former.embedder.name} answers" if former else "search is by words alone"
        return f"{self._supply.problem}. Until then {instead}; it is tried again by itself"

    def _best_former(self, chosen: Meaning | None) -> Meaning | None:
        """Another model that has vectors for more chunks than the chosen one."""
        best, most = None, chosen.ready() if chosen else 0.0
        if most >= 1.0:
            return None
        for origin in self._stored_models().values():
            meaning = self._former_model(origin)
            if meaning is not None and meaning is not chosen and meaning.ready() > most:
                best, most = meaning, meaning.ready()
        return best

    def _former_model(self, origin: str) -> Meaning | None:
        """What lies in its folder now, which may be another model than the one before: then it has no vectors."""
        choice = from_origin(origin, self.workspace.settings)
        if choice is None:
            return None
        embedder = self._former.setdefault(origin, self._supply_of(choice)).now()
        return self._meaning(embedder) if embedder is not None else None

    def _meaning(self, embedder: Embedder) -> Meaning:
        found = self._meanings.get(embedder.name)
        if found is None:
            found = self._meanings.setdefault(embedder.name, Meaning(self.workspace, embedder))
        return found

    def _stored_models(self) -> dict[str, str]:
        version = self.workspace.data_version()
        if self._stored[0] != version:
            self._stored = (version, self.workspace.stored_models())
        return self._stored[1]

    def _supply_of(self, choice: Choice) -> Supply:
        return Supply(self._maker.making(choice), start=at_once if choice.kind == OWN else in_a_thread)
