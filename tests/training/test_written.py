"""Questions that were written for pieces of packages: how they are read, looked up and learned from."""

import io
import tarfile
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from training.arrays import save
from training.exclusions import excluded_package
from training.network import Floats, Forward, Parameters, one_of_many
from training.packages import Package
from training.written import (
    APART,
    Piece,
    Pooling,
    Question,
    answer_to,
    is_apart,
    load_pools,
    pieces_of,
    read_written,
)

WORDS = ["open", "file", "read", "close", "socket", "send", "bytes", "path", "store", "net"]


def function(name: str, lines: int = 9) -> str:
    body = "".join(f"    {name}_{number} = {name}(path, file, {number})\n" for number in range(lines))
    return f"def {name}(path, file):\n{body}    return {name}_0\n"


def package(folder: Path, files: dict[str, str], name: str = "little") -> Package:
    with tarfile.open(folder / f"{name}.tar.gz", "w:gz") as archive:
        for path, text in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return Package(name, "pypi", "1.0", "MIT", "pypi", (f"{name}.tar.gz",))


def test_the_questions_of_the_repository_can_be_read() -> None:
    packages = read_written()
    questions = [question for asked in packages for question in asked.questions]
    assert len(questions) > 30_000
    assert all(0 < question.first <= question.last for question in questions)
    assert {question.style for question in questions} == {"paraphrase", "where", "symptom", "keywords", "subject"}
    assert len({(asked.registry, asked.package, asked.version) for asked in packages}) == len(packages)


def test_nothing_is_asked_about_projects_that_judge_us() -> None:
    assert not [asked.package for asked in read_written() if excluded_package(asked.package)]


def test_about_one_of_six_packages_is_kept_from_the_table() -> None:
    apart = [is_apart(asked.registry, asked.package) for asked in read_written()]
    assert 0.8 / APART < np.mean(apart) < 1.2 / APART


def test_a_line_that_is_neither_a_package_nor_a_question_is_named(tmp_path: Path) -> None:
    (tmp_path / "python.tsv").write_text("pypi\tlittle\t1.0\na.py\t1\t9\twhere\tis it\nodd line\n")
    with pytest.raises(ValueError, match=r"python\.tsv, line 3"):
        read_written(tmp_path)
    (tmp_path / "python.tsv").write_text("a.py\t1\t9\twhere\tis it\n")
    with pytest.raises(ValueError, match="line 1"):
        read_written(tmp_path)


def test_pieces_are_those_of_the_index_and_files_that_are_asked_about_come_first(tmp_path: Path) -> None:
    files = {f"little-1.0/part{number}.py": function(f"other{number}") for number in range(5)}
    files["little-1.0/deep/asked.py"] = function("wanted") + "\n\n" + function("unwanted", 40)
    question = Question("little-1.0/deep/asked.py", 1, 11, "where", "where is it wanted")
    pieces = pieces_of(tmp_path, package(tmp_path, files), [question])
    assert pieces[0].path == question.path
    assert {piece.path for piece in pieces} == set(files)
    right = pieces[answer_to(question, pieces)]
    assert "def wanted" in right.code
    assert right.first <= 1 <= right.last


def test_what_is_nowhere_has_no_answer() -> None:
    pieces = [Piece("a.py", 1, 10, "one"), Piece("a.py", 11, 20, "two"), Piece("b.py", 1, 30, "three")]
    assert answer_to(Question("a.py", 9, 18, "where", "q"), pieces) == 1
    assert answer_to(Question("a.py", 40, 50, "where", "q"), pieces) == -1
    assert answer_to(Question("c.py", 1, 5, "where", "q"), pieces) == -1
    assert answer_to(Question("c.py", 1, 5, "where", "q"), []) == -1


def test_pools_are_read_as_they_were_written(tmp_path: Path) -> None:
    pooling = Pooling(WORDS)
    pooling.add([Piece("x/store/a.py", 1, 9, "open file"), Piece("x/net/b.py", 1, 9, "send bytes")], [])
    pooling.add(
        [Piece("x/store/a.py", 1, 9, "open file"), Piece("x/net/b.py", 1, 9, "send bytes")],
        [Question("x/net/b.py", 2, 5, "where", "socket send"), Question("x/no.py", 2, 5, "where", "close")],
    )
    pools = pooling.pools()
    assert pooling.packages == 1, "a package that nothing is asked about teaches nothing"
    assert pools.right.tolist() == [1]
    save(pools, tmp_path / "pools.npz")
    found = load_pools(tmp_path / "pools.npz")
    for field in fields(pools):
        one, other = getattr(pools, field.name), getattr(found, field.name)
        assert np.array_equal(getattr(one, "words", one), getattr(other, "words", other)), field.name


def test_without_any_of_the_packages_it_says_what_to_do() -> None:
    with pytest.raises(ValueError, match="fetch them first"):
        Pooling(WORDS).pools()


def test_the_slope_of_one_among_many_is_what_the_loss_does() -> None:
    draw = np.random.default_rng(4)
    cosines, right = draw.uniform(-1, 1, (5, 9)), np.array([0, 3, 3, 8, 1])
    _, slope = one_of_many(cosines, right, 7.0)
    for at in ((0, 0), (1, 3), (4, 8)):
        step = np.zeros_like(cosines)
        step[at] = 1e-6
        expected = (one_of_many(cosines + step, right, 7.0)[0] - one_of_many(cosines - step, right, 7.0)[0]) / 2e-6
        assert abs(expected) > 1e-9, "a test that cannot fail"
        assert slope[at] == pytest.approx(expected, abs=1e-6)


def test_more_pieces_than_questions_go_forward_and_back() -> None:
    draw = np.random.default_rng(5)
    pooling = Pooling(WORDS)
    pieces = [Piece(f"x/p{n}.py", 1, 9, " ".join(draw.choice(WORDS, 4))) for n in range(6)]
    pooling.add(pieces, [Question("x/p2.py", 1, 9, "where", "open socket")])
    pools = pooling.pools()
    table = draw.standard_normal((len(WORDS), 5))
    zeros = np.zeros(len(WORDS))
    size = len(WORDS)
    queries, codes, paths = (
        each.matrix(np.arange(len(each)), size) for each in (pools.queries, pools.codes, pools.paths)
    )

    def forward_with(of: Floats) -> Forward:
        return Forward(Parameters(of, zeros, zeros, np.zeros(1)), queries, codes, paths, 0.5)

    def loss(of: Floats) -> float:
        return one_of_many(forward_with(of).cosines, pools.right, 5.0)[0]

    forward = forward_with(table)
    gradient, _, _ = forward.back(one_of_many(forward.cosines, pools.right, 5.0)[1])
    step = np.zeros_like(table)
    step[WORDS.index("socket"), 2] = 1e-6
    assert gradient[WORDS.index("socket"), 2] == pytest.approx(
        (loss(table + step) - loss(table - step)) / 2e-6, abs=1e-5
    )
