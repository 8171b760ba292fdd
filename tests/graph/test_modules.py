"""Which file an import means, from paths alone."""

import pytest

from lurcher_index.graph.modules import EXACT, WITHIN, fit, module_paths


@pytest.mark.parametrize(
    ("family", "module", "importer", "path", "wanted"),
    [
        ("python", ".b", "p/a.py", "p/b.py", EXACT),
        ("python", "..b", "p/q/a.py", "p/b.py", EXACT),
        ("python", ".b", "p/a.py", "q/b.py", 0.0),
        ("python", "p.b", "x.py", "src/p/b.py", EXACT),
        ("python", "p", "x.py", "src/p/__init__.py", EXACT),
        ("python", "p", "x.py", "src/p/b.py", WITHIN),
        ("python", "other.b", "x.py", "src/p/b.py", 0.0),
        ("ecma", "./b", "p/a.ts", "p/b.ts", EXACT),
        ("ecma", "./b.js", "p/a.ts", "p/b.ts", EXACT),
        ("ecma", "../lib", "p/a.ts", "lib/index.ts", EXACT),
        ("ecma", "../lib", "p/a.ts", "lib/x.ts", WITHIN),
        ("ecma", "./b", "p/a.ts", "q/b.ts", 0.0),
        ("ecma", "../../../b", "p/a.ts", "b.ts", 0.0),
        ("ecma", "node:fs", "p/a.ts", "lib/fs.ts", 0.0),
        ("ecma", "react", "p/a.ts", "p/b.ts", 0.0),
        ("go", "example.org/x/lib", "a.go", "lib/shop.go", EXACT),
        ("go", "fmt", "a.go", "lib/shop.go", 0.0),
        ("go", "example.org/x/v2", "a.go", "lib/shop.go", 0.0),
        ("rust", "crate::shop", "src/app.rs", "src/shop.rs", EXACT),
        ("rust", "super::shop", "src/app/a.rs", "src/app/shop.rs", EXACT),
        ("rust", "std::fmt", "src/app.rs", "src/fmt.rs", 0.0),
        ("c", "shop.h", "src/a.c", "include/shop.h", EXACT),
        ("c", "sys/shop.h", "src/a.c", "include/other.h", 0.0),
        ("jvm", "org.example.lib", "A.java", "src/main/java/org/example/lib/Shop.java", EXACT),
        ("jvm", "java.util", "A.java", "lib/Shop.java", 0.0),
        ("lua", "lib.shop", "main.lua", "lib/shop.lua", EXACT),
    ],
)
def test_fit(family: str, module: str, importer: str, path: str, wanted: float) -> None:
    assert fit(family, module, importer, path) == wanted


@pytest.mark.parametrize("module", ["", ".", "..", "....", "/", "::", "\\", "." * 500, "a" * 5_000, "../" * 500])
@pytest.mark.parametrize("family", ["python", "ecma", "go", "rust", "c", "jvm", "php", "other"])
def test_modules_that_make_no_sense_do_no_harm(family: str, module: str) -> None:
    assert fit(family, module, "a/b.x", "c/d.x") in (0.0, WITHIN, EXACT)
    assert len(module_paths(family, module, "a/b.x")) < 50
