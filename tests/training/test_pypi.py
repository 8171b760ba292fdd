"""Source distributions come from an index's simple pages, and only under licences that their metadata state."""

import hashlib
import io
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from packaging.metadata import RawMetadata, parse_email
from training.exclusions import excluded_package
from training.packages import Refused, Unreachable
from training.pypi import NAMES, Index, configured_index, licence_of


def _sdist(version: str, licence: str) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as tar:
        for name, text in {
            f"parcel-{version}/tests/PKG-INFO": "License-Expression: GPL-3.0-only\n",
            f"parcel-{version}/PKG-INFO": f"Metadata-Version: 2.4\nName: parcel\nLicense-Expression: {licence}\n",
            f"parcel-{version}/parcel.py": "WEIGHT = 3\n",
        }.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))
    return whole.getvalue()


@contextmanager
def _index(pages: dict[str, bytes]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = pages.get(self.path)
            self.send_response(404 if found is None else 200)
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/simple"
        finally:
            server.shutdown()
            thread.join()


def _pages(files: dict[str, bytes], attributes: dict[str, str] | None = None) -> dict[str, bytes]:
    links = [
        f'<a href="../../files/{name}#sha256={hashlib.sha256(data).hexdigest()}" {(attributes or {}).get(name, "")}>'
        f"{name}</a><br/>"
        for name, data in files.items()
    ]
    return {
        "/simple/parcel/": ("<!DOCTYPE html><body>" + "\n".join(links)).encode(),
        **{f"/files/{name}": data for name, data in files.items()},
    }


def test_the_newest_version_that_is_final_and_not_withdrawn_is_taken(tmp_path: Path) -> None:
    versions = ("1.9", "1.10", "2.0rc1", "1.11")
    files = {f"parcel-{version}.tar.gz": _sdist(version, "MIT") for version in versions}
    files["parcel-3.0-py3-none-any.whl"] = b"no source"
    with _index(_pages(files, {"parcel-1.11.tar.gz": 'data-yanked=""'})) as address:
        package = Index(tmp_path, address).fetch("pypi", "parcel")
    assert (package.version, package.licence, package.registry) == ("1.10", "MIT", "pypi")
    assert package.archives == ("archives/pypi/parcel-1.10.tar.gz",)
    assert (tmp_path / package.archives[0]).read_bytes() == files["parcel-1.10.tar.gz"]


def test_what_the_licence_forbids_is_not_kept(tmp_path: Path) -> None:
    with (
        _index(_pages({"parcel-1.0.tar.gz": _sdist("1.0", "GPL-3.0-only")})) as address,
        pytest.raises(Refused, match=r"GPL-3\.0"),
    ):
        Index(tmp_path, address).fetch("pypi", "parcel")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_file_that_is_not_the_listed_one_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.downloading.ATTEMPTS", 1)
    pages = _pages({"parcel-1.0.tar.gz": _sdist("1.0", "MIT")})
    pages["/files/parcel-1.0.tar.gz"] = _sdist("1.0", "ISC")
    with _index(pages) as address, pytest.raises(Unreachable, match="checksum"):
        Index(tmp_path, address).fetch("pypi", "parcel")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_package_that_is_not_there_is_asked_for_again_and_one_without_sources_is_not(tmp_path: Path) -> None:
    with _index(_pages({"parcel-3.0-py3-none-any.whl": b"no source"})) as address:
        with pytest.raises(Unreachable):
            Index(tmp_path, address).fetch("pypi", "gone")
        with pytest.raises(Refused, match="no source distribution") as refused:
            Index(tmp_path, address).fetch("pypi", "parcel")
    assert not isinstance(refused.value, Unreachable)


def _metadata(*lines: str) -> RawMetadata:
    return parse_email("Metadata-Version: 2.1\n" + "\n".join(lines))[0]


APACHE = "Classifier: License :: OSI Approved :: Apache Software License"


def test_a_licence_is_named_in_one_of_three_fields() -> None:
    assert licence_of(_metadata("License-Expression: MIT OR GPL-3.0", "License: whatever")) == "MIT OR GPL-3.0"
    assert licence_of(_metadata("License: BSD", "Classifier: License :: OSI Approved :: BSD License")) == "BSD"
    assert licence_of(_metadata(APACHE, "Classifier: License :: OSI Approved")) == "Apache Software License"
    assert (
        licence_of(_metadata("License: Copyright by them\n  Permission is granted", APACHE))
        == "Apache Software License"
    )


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ("License: UNKNOWN",),
        ("Classifier: License :: OSI Approved",),
        ("License: MIT", "Classifier: License :: OSI Approved :: GNU General Public License v3 (GPLv3)"),
        ("License-Expression: MPL-2.0", APACHE),
    ],
)
def test_what_names_no_permissive_licence_is_refused(lines: tuple[str, ...]) -> None:
    with pytest.raises(Refused):
        licence_of(_metadata(*lines))


def test_pip_says_which_index_it_is_configured_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = "https://packages.example.org/a-rather-long-name-of-a-folder/with-many-hyphens-in-it/simple"
    monkeypatch.setenv("PIP_INDEX_URL", address)
    assert configured_index(tmp_path) == address


def test_the_names_are_asked_for_once_and_none_is_excluded() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert [name for name in NAMES if excluded_package(name)] == []
