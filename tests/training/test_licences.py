"""Only what is known to be permissive is taken."""

import pytest
from training.licences import debian_verdict, permissive


@pytest.mark.parametrize(
    "expression",
    [
        "MIT", "Expat", "Apache-2.0", "Apache 2.0", "Apache License 2.0", "Apache License, Version 2.0",
        "BSD-3-Clause", "BSD-2-clause", "ISC", "Zlib",
        "Unlicense", "CC0-1.0", "PSF-2", "BSL-1.0", "Artistic-2.0", "(MIT OR GPL-3.0)", "MIT or Apache-2.0",
        "Apache-2.0 AND MIT", "GPL-2+ or Expat", "0BSD", "The MIT License", "public-domain",
    ],
)  # fmt: skip
def test_permissive(expression: str) -> None:
    assert permissive(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "", "GPL-3", "LGPL-2.1+", "AGPL-3.0", "MPL-2.0", "EPL-2.0", "MIT AND GPL-2", "UNLICENSED",
        "SEE LICENSE IN LICENSE",
        "CC-BY-NC-4.0", "BUSL-1.1", "BSL-1.1", "proprietary", "Artistic-1", "Unknown", "BSD-4-clause", "BSD-4",
        "Commercial",
    ],
)  # fmt: skip
def test_not_permissive(expression: str) -> None:
    assert not permissive(expression)


HEAD = "Format: https://example.org/copyright-format/1.0/\nUpstream-Name: it\n\n"


def test_a_copyright_file_names_the_licence_and_the_files_under_others() -> None:
    text = HEAD + "Files: *\nCopyright: A\nLicense: Expat\n\nFiles: ext/*\n old.c\nCopyright: B\nLicense: GPL-2+\n\n"
    text += "Files: debian/*\nCopyright: C\nLicense: GPL-3+\n"
    verdict = debian_verdict(text)
    assert verdict is not None
    assert (verdict.licence, verdict.denied) == ("Expat", ("ext/*", "old.c"))


def test_the_licence_of_all_files_decides() -> None:
    assert debian_verdict(HEAD + "Files: *\nCopyright: A\nLicense: GPL-2+\n\nFiles: a.c\nLicense: Expat\n") is None
    assert debian_verdict(HEAD + "Files: a.c\nCopyright: A\nLicense: Expat\n") is None


def test_a_copyright_file_in_free_form() -> None:
    grant = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"
    assert debian_verdict(f"It was downloaded somewhere.\n\n{grant}\n") is not None
    assert debian_verdict(f"{grant}\n\nSome files are under the GNU General Public License.\n") is None
    assert debian_verdict("Copyright 2009 Somebody. All rights reserved.\n") is None
