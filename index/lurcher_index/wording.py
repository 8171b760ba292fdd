"""The words of a workspace's names, gathered from the stored outlines when somebody first wants them."""

import threading

from lurcher_index.errors import StoreError
from lurcher_index.query.vocabulary import Vocabulary
from lurcher_index.store.catalog import Catalog

BATCH_CONTENTS = 256
"""Contents read at a time, about 5 MB unpacked."""


class Wording:
    """The vocabulary of one workspace. It only grows: words of deleted files do no harm, they are found nowhere."""

    def __init__(self, catalog: Catalog) -> None:
        """Nothing is read before `catch_up`."""
        self._catalog = catalog
        self._vocabulary = Vocabulary()
        self._last_content = 0
        self._turn = threading.Lock()

    @property
    def vocabulary(self) -> Vocabulary:
        """What is known by now; empty at first."""
        return self._vocabulary

    def catch_up(self) -> None:
        """Take in the contents that are new since the last time. Blocks; returns at once if another thread is at it."""
        if not self._turn.acquire(blocking=False):
            return
        try:
            known = self._last_content
            while batch := self._catalog.names_after(self._last_content, BATCH_CONTENTS):
                for content_id, names in batch:
                    self._vocabulary.add(names)
                    self._last_content = content_id
            if self._last_content > known:
                # Once, at the end: it looks at every pair of words there is.
                self._vocabulary.settle()
        except StoreError:
            pass  # Closed, or damaged and soon replaced: a question does without.
        finally:
            self._turn.release()
