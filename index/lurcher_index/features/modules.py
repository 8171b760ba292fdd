"""The groups of the feature tree as modules that a question can be about."""

from collections.abc import Mapping, Sequence

from lurcher_index.features.digests import NOTHING, Digest
from lurcher_index.features.values import FeatureTree, Group
from lurcher_index.ranking.facts import parts_of
from lurcher_index.ranking.modules import Module, asked_about


class Modules:
    """The modules of one tree."""

    def __init__(self, tree: FeatureTree, digests: Mapping[str, Digest]) -> None:
        """`digests` are what is known of the files, by their keys."""
        self._tree = tree
        self._modules = tuple(_module(group, digests) for group in tree.groups.values())
        self._above = {inner: outer.id for outer in tree.groups.values() for inner in outer.groups}

    def asked_about(self, stems: Sequence[str]) -> frozenset[str]:
        """Ids of the groups that a question with these words is about, and of all groups below them."""
        chosen = set(asked_about(self._modules, stems))
        return frozenset(number for number in self._tree.groups if chosen and self._is_in(number, chosen))

    def group_of(self, key: str) -> str:
        """Id of the innermost group of a file; empty if it is in none."""
        return self._tree.group_of.get(key, "")

    def _is_in(self, number: str, chosen: set[str]) -> bool:
        # No deeper than there are groups: a tree that was put together wrongly must not run in a circle.
        for _ in range(len(self._tree.groups)):
            if number in chosen:
                return True
            if number not in self._above:
                return False
            number = self._above[number]
        return False


def _module(group: Group, digests: Mapping[str, Digest]) -> Module:
    """A group by its own files; those of the groups below speak for these."""
    own = [digests.get(key, NOTHING) for key in group.files]
    return Module(
        group.id,
        name=frozenset(parts_of(group.label)),
        purpose=frozenset(part for digest in own for part in parts_of(digest.phrase)),
        exports=frozenset(part for digest in own for part in parts_of(" ".join(digest.terms))),
        path=frozenset(parts_of(group.below or "")),
    )
