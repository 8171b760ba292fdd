"""Random races against a model of the rules that knows no tasks, only a list of what happens when."""

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.race.entrants import Behaviour, Row, cannot, entrant, fails, finds, raced, rows

NEVER = 10**6


@dataclass(frozen=True)
class Script:
    """An entrant in whole seconds, so that sums are exact and ties are common."""

    kind: str
    prepare: int
    lasts: int
    timeout: int | None

    def run(self) -> Behaviour:
        if self.kind == "finds":
            return finds(self.lasts)
        return cannot(self.lasts) if self.kind == "cannot" else fails(self.lasts)


scripts = st.builds(
    Script,
    kind=st.sampled_from(["finds", "cannot", "fails"]),
    prepare=st.sampled_from([0, 0, 0, 1, 4]),
    lasts=st.sampled_from([0, 1, 2, 3, 4, 5, 6, 9, NEVER]),
    timeout=st.one_of(st.none(), st.integers(1, 5)),
)


def expected(chain: list[Script], deadline: int) -> tuple[int | None, list[Row]]:
    """The rules, second by second. In one second, what ends comes before what is late, and that before who starts."""
    starts: list[int] = []
    for second in range(deadline + 1):
        while True:
            ended = [
                start + script.prepare + script.lasts <= second for start, script in zip(starts, chain, strict=False)
            ]
            found = [at for at, over in enumerate(ended) if over and chain[at].kind == "finds"]
            if found:
                return found[0], _rows(chain, starts, second, found[0])
            late = [_due(script, start) <= second for start, script in zip(starts, chain, strict=False)]
            free = all(over or slow for over, slow in zip(ended, late, strict=True))
            if len(starts) == len(chain) and all(ended):
                return None, _rows(chain, starts, second, None)
            if not free or second == deadline or len(starts) == len(chain):
                break
            starts.append(second)
    return None, _rows(chain, starts, deadline, None)


def _due(script: Script, start: int) -> int:
    return NEVER if script.timeout is None else start + script.prepare + script.timeout


def _rows(chain: list[Script], starts: list[int], over: int, winner: int | None) -> list[Row]:
    unstarted: list[Row] = [(str(at), "not started", None, None, False) for at in range(len(starts), len(chain))]
    return [_row(at, chain[at], start, over, winner) for at, start in enumerate(starts)] + unstarted


def _row(at: int, script: Script, start: int, over: int, winner: int | None) -> Row:
    end = start + script.prepare + script.lasts
    late = _due(script, start) < end and _due(script, start) <= over
    if at == winner:
        outcome = "won"
    elif end <= over and script.kind != "finds":
        outcome = {"cannot": "cannot search", "fails": "failed"}[script.kind]
    elif late:
        outcome = "timed out"
    else:
        outcome = "deadline" if winner is None else "cancelled"
    return (str(at), outcome, start, min(end, over), late)


@settings(max_examples=300, deadline=None)
@given(st.lists(scripts, max_size=5), st.integers(1, 15))
def test_every_race_follows_the_rules(chain: list[Script], deadline: int) -> None:
    entrants = [
        entrant(str(at), script.run(), script.timeout, script.prepare or None) for at, script in enumerate(chain)
    ]
    told = raced(entrants, deadline, collect=False)
    winner, wanted = expected(chain, deadline)
    assert told.winner == (None if winner is None else str(winner))
    assert rows(told) == wanted
