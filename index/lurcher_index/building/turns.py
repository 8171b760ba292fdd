"""Answers in the order of their jobs, as far as that keeps nobody waiting."""

from collections.abc import Callable, Iterable

from lurcher_index.building.messages import Job, Parsed

MOST_WAITING = 256
"""Answers that wait for an earlier one at most; more would only take memory."""

LONGEST_WAIT = 1.0
"""Seconds that they wait at most. Usually that is a tenth of one, until the other worker is done with what it has; a
file that takes a worker longer must not keep all others from being found."""


class Turns:
    """Takes answers as they come and gives them back in their turn.

    What is stored gets its numbers in this order. Answers of the index do not depend on them, but a name that half a
    tree uses is looked up in the files nearest by number (`graph.linking`), and two builds of a tree should look alike.
    """

    def __init__(self, jobs: Iterable[Job], clock: Callable[[], float]) -> None:
        """The order of the jobs is that of their answers; `clock` tells the seconds."""
        self._turns = {job.number: turn for turn, job in enumerate(jobs)}
        self._clock = clock
        self._next = 0
        self._waiting: dict[int, Parsed] = {}
        self._since = 0.0

    def take(self, answers: Iterable[Parsed]) -> list[Parsed]:
        """Some more answers; those whose turn it is now."""
        due: list[Parsed] = []
        nobody_waited = not self._waiting
        for each in answers:
            turn = self._turns[each.number]
            # An earlier one is one that the others have ceased to wait for.
            if turn < self._next:
                due.append(each)
            else:
                self._waiting[turn] = each
        while (after := self._waiting.pop(self._next, None)) is not None:
            due.append(after)
            self._next += 1
        if due or nobody_waited:
            self._since = self._clock()
        return due if len(self._waiting) <= MOST_WAITING else [*due, *self.rest()]

    def overdue(self) -> list[Parsed]:
        """All that wait, if they have waited long enough."""
        return self.rest() if self._waiting and self._clock() - self._since >= LONGEST_WAIT else []

    def rest(self) -> list[Parsed]:
        """All that wait; whatever comes before them comes too late."""
        turns = sorted(self._waiting)
        self._next = turns[-1] + 1 if turns else self._next
        return [self._waiting.pop(turn) for turn in turns]
