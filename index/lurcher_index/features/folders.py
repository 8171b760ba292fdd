"""The folders of a workspace, without those that say nothing: wrappers such as `src`, chains of single folders."""

from collections.abc import Iterable, Iterator

from lurcher_index.features.phrases import WRAPPERS
from lurcher_index.features.values import TreeFile
from lurcher_index.ranking.kinds import kind_of

_BESIDE = frozenset(
    "scripts tools ci contrib assets licenses license etc misc extras requirements hack build doc site website assembly"
    " resources changes data fixtures".split()
)
"""Folders beside the code, besides tests, documents and examples."""


CODE_SHARE = 0.3
"""Share of code among the files of a folder below which it is a folder of documents or data."""

FEW = 4
"""Files of code beside the only folder of code that do not make it one among others: `setup.py`, `conftest.py`."""


class Folder:
    """A folder with what lies in it."""

    def __init__(self, path: str) -> None:
        """An empty one."""
        self.path = path
        self.files: list[TreeFile] = []
        self.folders: dict[str, Folder] = {}

    @property
    def name(self) -> str:
        """Its own name."""
        return self.path.rpartition("/")[2]

    def below(self) -> Iterator[TreeFile]:
        """All files in it, at any depth, in the order of the folders."""
        yield from self.files
        for name in sorted(self.folders):
            yield from self.folders[name].below()

    def has_several(self) -> bool:
        """Whether more than one file is in it."""
        files = self.below()
        return next(files, None) is not None and next(files, None) is not None


class Opened:
    """What a folder holds when wrappers are taken away."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.folders: list[Folder] = []
        self.loose: dict[str, list[TreeFile]] = {}
        """Files of no folder of `folders`, by the folder that they lie in."""


def folder_tree(files: Iterable[TreeFile]) -> Folder:
    """The folders of some files of one workspace folder."""
    root = Folder("")
    known = {"": root}
    for file in files:
        where = file.path.rpartition("/")[0]
        _folder(where, known).files.append(file)
    return root


def opened(folder: Folder) -> Opened:
    """The folders and files in a folder, those of its wrappers too."""
    found = Opened()
    _open(folder, found)
    return found


def opened_root(root: Folder) -> Opened:
    """The same for a whole project: if all its code is in one folder, that is a wrapper, whatever it is called."""
    found = opened(root)
    seen = {root.path}
    while True:
        code = [folder for folder in found.folders if not _is_beside(folder)]
        if len(code) != 1 or code[0].path in seen or _has_own_code(found):
            return found
        seen.add(code[0].path)
        found.folders.remove(code[0])
        _open(code[0], found)


def is_code(file: TreeFile) -> bool:
    """Whether a file is neither a document nor a setting."""
    kind = kind_of(file.path)
    return not (kind.documentation or kind.configuration)


def _folder(path: str, known: dict[str, Folder]) -> Folder:
    folder = known.get(path)
    if folder is None:
        above, _, name = path.rpartition("/")
        folder = known[path] = Folder(path)
        _folder(above, known).folders[name] = folder
    return folder


def _open(folder: Folder, found: Opened) -> None:
    if folder.files:
        found.loose.setdefault(folder.path, []).extend(folder.files)
    for name in sorted(folder.folders):
        inner = _without_chain(folder.folders[name])
        if inner.name.lower() in WRAPPERS:
            _open(inner, found)
        elif inner.has_several():
            found.folders.append(inner)
        else:
            for file in inner.below():
                found.loose.setdefault(folder.path, []).append(file)


def _without_chain(folder: Folder) -> Folder:
    """The folder in which something other than one more folder lies."""
    while not folder.files and len(folder.folders) == 1:
        (folder,) = folder.folders.values()
    return folder


def _is_beside(folder: Folder) -> bool:
    parts = folder.path.lower().split("/")
    kind = kind_of(folder.path + "/file.code")
    beside = any(part in _BESIDE or part.startswith(".") for part in parts)
    if beside or kind.test or kind.example or kind.documentation:
        return True
    are_code = [is_code(file) for file in folder.below()]
    return sum(are_code) < CODE_SHARE * len(are_code)


def _has_own_code(found: Opened) -> bool:
    """Whether as much code lies loose as in a folder of its own."""
    loose = [file for files in found.loose.values() for file in files if is_code(file)]
    return len(loose) > FEW
