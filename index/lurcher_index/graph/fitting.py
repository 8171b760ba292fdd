"""Which definitions lie in the module that an import names."""

import re
from functools import lru_cache
from itertools import takewhile

from lurcher_index.graph.files import GraphFile, Location
from lurcher_index.graph.modules import EXACT, FOLDERS, fit, fit_of_folder
from lurcher_index.graph.namesakes import Namesakes, Spot
from lurcher_index.store.linkage import module_stem, name_key


def fit_of(file: GraphFile, module: str, spot: Spot) -> float:
    """How well the file of a definition fits a module that another one imports."""
    if file.row.folder_id != spot.file.row.folder_id and module.startswith("."):
        return 0.0
    return fit(file.family.name, module, file.path, spot.file.path)


def best_fit(named: Namesakes, file: GraphFile, module: str) -> list[Spot]:
    """Definitions in the module itself; if there are none, those in its parts, which it may hand on."""
    fits = [(fit_of(file, module, each), each) for each in _in_question(named, file, module)]
    exact = [each for how_well, each in fits if how_well == EXACT]
    if exact:
        # Of several files that have the module's name the nearest is meant: each project has its own `lib.utils`.
        nearness = [_nearness(file, each.file) for each in exact]
        return [each for near, each in zip(nearness, exact, strict=True) if near == max(nearness)]
    within = [each for how_well, each in fits if how_well > 0.0]
    if within or not fits:
        return within
    # `import { Foo } from "./models"` in Java's manner: the last part of the module is the type that holds the name.
    key = name_key(module_stem(module))
    return [each for _, each in fits if each.container == key and file.family.name in ("jvm", "csharp", "php")]


def _in_question(named: Namesakes, file: GraphFile, module: str) -> list[Spot]:
    """All definitions; where a folder is a module, those in folders that fit, so that the rest need not be made."""
    if file.family.name != FOLDERS:
        return named.all()
    folders = named.by_folder()
    return named.spots(each for place, some in folders.items() if _fits(file, module, place) for each in some)


def _fits(file: GraphFile, module: str, place: Location) -> bool:
    is_far = file.row.folder_id != place[0] and module.startswith(".")
    return not is_far and fit_of_folder(module, place[1]) > 0.0


def _nearness(one: GraphFile, other: GraphFile) -> tuple[bool, int]:
    """How many folders two files share, from the top."""
    pairs = zip(one.path.split("/")[:-1], other.path.split("/")[:-1], strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return one.row.folder_id == other.row.folder_id, shared


@lru_cache(4_096)
def go_package(module: str) -> str:
    """The name that a package has where it is imported plainly: its last part, without a version."""
    parts = [part for part in module.split("/") if not re.fullmatch(r"v\d+", part)]
    last = re.sub(r"\.v\d+$", "", parts[-1]) if parts else ""
    return last.removeprefix("go-").removesuffix("-go").replace("-", "") if "-" in last else last
