"""List the packages that pairs were mined from, with their licences: `python -m training.mined --data DIR`."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from training.exclusions import excluded_package
from training.licences import acceptable
from training.mine import key_of
from training.packages import Package, read_packages

COLUMNS = ("package", "registry", "version", "licence")


class Mined(msgspec.Struct, frozen=True):
    """What of a pair says where it comes from."""

    package: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table with tabs between its columns."""
    parser = argparse.ArgumentParser(prog="python -m training.mined", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that training.mine filled")
    options = parser.parse_args(arguments)
    sys.stdout.writelines(table(used_packages(options.data)))
    return 0


def used_packages(data: Path) -> list[Package]:
    """The packages that gave pairs and that today's rules about names and licences still allow."""
    done = set((data / "pairs" / "done.txt").read_text(encoding="utf-8").splitlines())
    names = _mined_names(data / "pairs")
    packages = [package for package in read_packages(data) if package.package in names and key_of(package) in done]
    allowed = [package for package in packages if not excluded_package(package.package) and acceptable(package.licence)]
    return sorted(allowed, key=key_of)


def table(packages: Iterable[Package]) -> list[str]:
    """Lines with the name, registry, version and licence of each package below a line of headings."""
    rows = [(package.package, package.registry, package.version, package.licence) for package in packages]
    return ["\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in (COLUMNS, *rows)]


def _mined_names(folder: Path) -> set[str]:
    decoder = msgspec.json.Decoder(Mined)
    names: set[str] = set()
    for path in sorted(folder.glob("pairs.*.jsonl")):
        with path.open("rb") as file:
            # The last line of a run that was killed is not whole.
            names.update(decoder.decode(line).package for line in file if line.endswith(b"\n"))
    return names


if __name__ == "__main__":
    raise SystemExit(main())
