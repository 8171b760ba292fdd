"""What is right, wrong, missed or unknown, when an index claims edges and an analyser has said its own."""

import pytest
from benchmarks.callgraph.comparing import Claim, Claimed, Comparison, Figures
from benchmarks.callgraph.truth import Call, Spot, Status, module
from tests.callgraph.truths import BOX, INIT, INNER, OPEN, OTHER_SHUT, PROTOTYPE, SHUT, call, truth

OURS = {
    OPEN: module("box.py"),
    BOX: module("box.py"),
    INIT: BOX,
    SHUT: BOX,
    OTHER_SHUT: module("lid.py"),
    INNER: OTHER_SHUT,
}


def claim(caller: Spot, callee: Spot, confidence: float = 1.0, name: str = "") -> Claim:
    return Claim(caller, callee, confidence, name)


def compared(
    calls: list[Call], claims: list[Claim], outer: dict[Spot, Spot] | None = None, least: float = 0.5
) -> tuple[Figures, list[str]]:
    found = Comparison(truth(calls), Claimed(OURS if outer is None else outer, claims)).compared(least)
    return found.figures, [fault.kind for fault in found.faults]


def check(
    calls: list[Call], claims: list[Claim], right: int = 0, wrong: int = 0, missed: int = 0, unknown: int = 0
) -> None:
    assert compared(calls, claims)[0] == Figures(right, wrong, missed, unknown)


def test_an_edge_is_right_whoever_says_it_how_often() -> None:
    check([call(OPEN, "shut", SHUT), call(OPEN, "shut", SHUT, line=2)], [claim(OPEN, SHUT), claim(OPEN, SHUT)], right=1)


def test_what_nobody_claims_is_missed() -> None:
    figures, kinds = compared([call(OPEN, "shut", SHUT)], [])
    assert figures == Figures(missed=1)
    assert kinds == ["missed: no edge"]


def test_what_is_claimed_without_confidence_is_missed() -> None:
    figures, kinds = compared([call(OPEN, "shut", SHUT)], [claim(OPEN, SHUT, 0.4)])
    assert figures == Figures(missed=1)
    assert kinds == ["missed: not confident enough"]


def test_another_definition_of_the_name_is_wrong_and_the_true_one_missed() -> None:
    figures, kinds = compared([call(OPEN, "shut", SHUT)], [claim(OPEN, OTHER_SHUT)])
    assert figures == Figures(wrong=1, missed=1)
    assert kinds == ["wrong: another definition of that name is called", "missed: taken for another definition"]


@pytest.mark.parametrize(
    ("calls", "kind"),
    [
        ([call(OPEN, "shut", status=Status.OUTSIDE)], "wrong: what is called lies outside"),
        ([call(OPEN, "lock", status=Status.UNKNOWN)], "wrong: no call by that name"),
        ([], "wrong: no call by that name"),
    ],
)
def test_kinds_of_wrong_edges(calls: list[Call], kind: str) -> None:
    figures, kinds = compared(calls, [claim(OPEN, SHUT)])
    assert figures == Figures(wrong=1)
    assert kinds == [kind]


def test_where_the_analyser_gave_up_an_edge_is_neither_right_nor_wrong() -> None:
    check([call(OPEN, "shut", status=Status.UNKNOWN)], [claim(OPEN, SHUT)], unknown=1)


def test_the_name_that_is_written_tells_which_call_is_meant() -> None:
    calls = [call(OPEN, "close", status=Status.UNKNOWN)]
    check(calls, [claim(OPEN, SHUT, name="close")], unknown=1)
    check(calls, [claim(OPEN, SHUT)], wrong=1)


def test_an_unknown_call_of_another_caller_excuses_nothing() -> None:
    check([call(BOX, "shut", status=Status.UNKNOWN)], [claim(OPEN, SHUT)], wrong=1)


def test_files_that_were_not_looked_at_are_not_judged() -> None:
    check([], [claim(Spot("win.py", 1, "f"), SHUT), claim(OPEN, Spot("win.py", 1, "f"))], unknown=2)


def test_a_constructor_is_its_class() -> None:
    check([call(OPEN, "Box", BOX)], [claim(OPEN, INIT, name="Box")], right=1)


def test_a_prototype_is_what_it_declares() -> None:
    check([call(OPEN, "shut", PROTOTYPE)], [claim(OPEN, OTHER_SHUT)], right=1)


def test_a_caller_that_only_the_analyser_names_is_the_next_one_outwards() -> None:
    outer = {spot: around for spot, around in OURS.items() if spot != INNER}
    figures, _ = compared([call(INNER, "open", OPEN)], [claim(OTHER_SHUT, OPEN)], outer)
    assert figures == Figures(right=1)


def test_a_caller_that_only_the_index_names_is_the_next_one_outwards() -> None:
    local = Spot("lid.py", 5, "local")
    figures, _ = compared([call(OTHER_SHUT, "open", OPEN)], [claim(local, OPEN)], OURS | {local: OTHER_SHUT})
    assert figures == Figures(right=1)


def test_callers_that_both_name_are_kept_apart() -> None:
    check([call(INNER, "open", OPEN)], [claim(OTHER_SHUT, OPEN)], wrong=1, missed=1)


def test_a_callee_that_the_index_does_not_name_is_missed() -> None:
    outer = {spot: around for spot, around in OURS.items() if spot != INNER}
    figures, kinds = compared([call(OPEN, "inner", INNER)], [claim(OPEN, OTHER_SHUT)], outer)
    assert figures == Figures(wrong=1, missed=1)
    assert kinds[1] == "missed: the callee is no symbol of the index"


def test_the_curve_falls_in_recall_as_confidence_is_asked_for() -> None:
    calls = [call(OPEN, "shut", SHUT), call(OPEN, "Box", BOX)]
    claims = [claim(OPEN, SHUT, 0.9), claim(OPEN, BOX, 0.3), claim(OPEN, OTHER_SHUT, 0.2)]
    curve = Comparison(truth(calls), Claimed(OURS, claims)).curve((0.0, 0.3, 0.5, 1.0))
    assert list(curve.values()) == [Figures(2, 1, 0), Figures(2, 0, 0), Figures(1, 0, 1), Figures(0, 0, 2)]


def test_of_two_claims_the_more_confident_counts() -> None:
    comparison = Comparison(
        truth([call(OPEN, "shut", SHUT)]), Claimed(OURS, [claim(OPEN, SHUT, c) for c in (0.2, 0.8, 0.3)])
    )
    assert comparison.figures(0.7) == Figures(right=1)


def test_open_calls_are_those_that_may_lead_into_the_package() -> None:
    calls = [call(OPEN, name, status=Status.UNKNOWN) for name in ("shut", "shut", "append")]
    assert Comparison(truth(calls), Claimed(OURS, [])).open == 1


@pytest.mark.parametrize(
    ("figures", "precision", "recall", "f1"),
    [
        (Figures(right=6, wrong=2, missed=6), 0.75, 0.5, 0.6),
        (Figures(right=3, unknown=9), 1.0, 1.0, 1.0),
        (Figures(wrong=2, missed=2), 0.0, 0.0, 0.0),
        (Figures(missed=2), 1.0, 0.0, 0.0),
        (Figures(), 1.0, 1.0, 1.0),
    ],
)
def test_shares(figures: Figures, precision: float, recall: float, f1: float) -> None:
    assert (figures.precision, figures.recall, figures.f1) == pytest.approx((precision, recall, f1))


def test_figures_add_up() -> None:
    assert Figures(1, 2, 3, 4) + Figures(10, 20, 30, 40) == Figures(11, 22, 33, 44)
