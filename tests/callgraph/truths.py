"""A small truth that the tests share: two modules, a class with a constructor, a prototype and its body."""

from collections.abc import Sequence

from benchmarks.callgraph.truth import Call, Definition, File, Spot, Status, Truth, gathered, module

OPEN = Spot("box.py", 3, "open")
BOX = Spot("box.py", 10, "Box")
INIT = Spot("box.py", 11, "__init__")
SHUT = Spot("box.py", 15, "shut")
OTHER_SHUT = Spot("lid.py", 2, "shut")
INNER = Spot("lid.py", 8, "inner")
PROTOTYPE = Spot("lid.h", 1, "shut")


def definition(spot: Spot, outer: Spot | None = None, same: Spot | None = None) -> Definition:
    around = outer or module(spot.file)
    qualified = f"{around.name}.{spot.name}" if around.name else spot.name
    return Definition(spot, qualified, around, same or spot)


DEFINITIONS = (
    definition(OPEN),
    definition(BOX),
    definition(INIT, BOX, BOX),
    definition(SHUT, BOX),
    definition(OTHER_SHUT),
    definition(INNER, OTHER_SHUT),
    definition(PROTOTYPE, same=OTHER_SHUT),
)


def call(caller: Spot, name: str, *callees: Spot, status: Status = Status.INSIDE, line: int = 1) -> Call:
    return Call(caller.file, line, name, caller, status, callees)


def truth(calls: Sequence[Call], files: Sequence[str] = ("box.py", "lid.py", "lid.h")) -> Truth:
    return gathered([*(File(each) for each in files), *DEFINITIONS, *calls])
