"""One place per workspace, and worktrees that find each other."""

from pathlib import Path

from lurcher_index.store.places import Place, place_for, relatives, shared_git_directory, write_about


def test_the_order_of_folders_does_not_matter_but_the_shape_does(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert place_for([one, two], "s", tmp_path) != place_for([one], "s", tmp_path)
    assert place_for([one], "s", tmp_path) != place_for([one], "t", tmp_path)
    assert (
        place_for([one, two], "s", tmp_path).directory.name.rpartition("-")[2]
        == (place_for([two, one], "s", tmp_path).directory.name.rpartition("-")[2])
    )


def worktree(root: Path, name: str, repository: Path) -> Path:
    """A second worktree as git lays it out."""
    inner = repository / ".git" / "worktrees" / name
    inner.mkdir(parents=True)
    (inner / "commondir").write_text("../..\n")
    folder = root / name
    folder.mkdir()
    (folder / ".git").write_text(f"gitdir: {inner}\n")
    return folder


def test_worktrees_of_one_repository_are_relatives(tmp_path: Path) -> None:
    main, stranger = tmp_path / "main", tmp_path / "stranger"
    for folder in (main, stranger):
        (folder / ".git").mkdir(parents=True)
    second = worktree(tmp_path, "second", main)
    assert shared_git_directory(second) == shared_git_directory(main / "deep" / "inside") == (main / ".git").resolve()
    places: dict[str, Place] = {}
    for folder in (main, second, stranger):
        places[folder.name] = place_for([folder], "s", tmp_path / "store")
        write_about(places[folder.name], [folder], "s")
    assert relatives(places["second"]) == [places["main"]]
    assert relatives(places["stranger"]) == []
    write_about(places["main"], [main], "other settings")
    assert relatives(places["second"]) == []


def test_a_damaged_note_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "main" / ".git").mkdir(parents=True)
    place = place_for([tmp_path / "main"], "s", tmp_path / "store")
    write_about(place, [tmp_path / "main"], "s")
    broken = place.directory.parent / "broken"
    broken.mkdir()
    (broken / "about.json").write_text("{")
    assert relatives(place) == []


def test_deleting_keeps_the_lock(tmp_path: Path) -> None:
    place = place_for([tmp_path], "s", tmp_path / "store")
    write_about(place, [tmp_path], "s")
    place.lock.touch()
    place.words("e").mkdir()
    place.delete()
    assert list(place.directory.iterdir()) == [place.lock]
    Place(tmp_path / "never there").delete()
