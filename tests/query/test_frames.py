"""What is read out of stack traces of many languages, and in time that grows with their length."""

from time import perf_counter

import pytest

from lurcher_index.query.frames import MAX_FRAMES, frames_of, only_place

PYTHON = """Traceback (most recent call last):
  File "/app/shop/views.py", line 12, in show
    Book.objects.get(pk=1)
  File "D:\\My Name\\shop\\query.py", line 635, in get
    raise self.model.DoesNotExist(
Book.DoesNotExist: see http://localhost:8000/ at 10.0.0.1:80
"""
NODE = """TypeError: Cannot read properties of undefined (reading 'id')
    at Cart.total (/app/src/cart.js:12:5)
    at async Object.checkout [as pay] (file:///app/src/pay.mjs:3:1)
    at new Shop (C:\\My Name\\shop.ts:1:2)
    at /app/src/bare.js:5:6
    at Page (webpack-internal:///(rsc)/./app/(shop)/page.tsx:12:3)
    at load (http://localhost:3000/static/main.js?t=1:1:2)
    at Object.<anonymous> (/app/x.js:1:1)
    at Promise.all (index 0)
"""
JAVA = """Exception in thread "main" java.lang.RuntimeException: x
\tat shop.web.Api.call(Api.java:7)
Caused by: java.lang.IllegalStateException: y
\tat shop.PdfWriter.<init>(PdfWriter.java:12) ~[app.jar (x):1]
\tat shop.PdfWriter$Inner.lambda$write$0(PdfWriter.java:40)
\tat java.base/java.util.ArrayList.get(ArrayList.java:427)
\tat shop.MainKt.main(Main.kt:4)
\tat shop.Native.go(Native Method)
\t... 3 more
"""
GO = """panic: boom

goroutine 1 [running]:
main.(*Server).Handle(0xc000, {0x1, 0x2})
\t/srv/u/p/server.go:12 +0x1d
main.main.func1()
\t/srv/u/p/main.go:3 +0x2
created by net/http.(*Server).Serve in goroutine 1
\t/usr/local/go/src/net/http/server.go:2109 +0x3
"""
RUST = """thread 'main' panicked at src/now.rs:10:5:
boom
   4: shop::cart::Cart<T>::total::{{closure}}::h0123456789abcdef
             at ./src/cart.rs:1:2
   5: <shop::A as shop::B>::run
             at ./src/a.rs:1:2
thread 'main' panicked at 'boom', src/before.rs:10:5
"""
RUBY = """app/cart.rb:12:in `total': undefined (NoMethodError)
\tfrom app/cart.rb:30:in 'Cart#each'
\tfrom lib/x.rb:3:in `block (2 levels) in run'
"""
DOTNET = """System.Exception: x
   at Shop.Cart.Total[T](String a, Int32 b) in C:\\src\\Cart.cs:line 12
   at Shop.Cart.<Pay>d__5.MoveNext() in /src/Pay.cs:line 3
   at Shop.Cart..ctor() in /src/Cart.cs:line 9
"""
PHP = """PHP Fatal error:  Uncaught Exception: x in /srv/Cart.php:12
#0 /srv/Pay.php(30): Shop\\Cart->total()
  thrown in /srv/Cart.php on line 12
"""
PYTEST = "tests/test_x.py:12: in test_x\n    total()\nsrc/x.py:30: in total\nE   ValueError\n"
COMPILERS = """src/a.c:12:5: error: x
src/x.ts(13,5): error TS2304: x
  --> src/m.rs:1:2
#1  0x0000 in cart_total (c=0x1) at src/cart.c:14
see https://github.com/x/y/blob/main/src/a.py#L15-L16 and `b.py:3`, (c.py:4)
"""


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        (PYTHON, ["D:/My Name/shop/query.py:635 get", "/app/shop/views.py:12 show"]),
        (
            NODE,
            [
                "/app/src/cart.js:12 Cart.total",
                "/app/src/pay.mjs:3 checkout",
                "C:/My Name/shop.ts:1 Shop",
                "/app/src/bare.js:5",
                "/(rsc)/./app/(shop)/page.tsx:12 Page",
                "/static/main.js:1 load",
                "/app/x.js:1",
            ],
        ),
        (
            JAVA,
            [
                "shop/PdfWriter.java:12 PdfWriter",
                "shop/PdfWriter.java:40 Inner.write",
                "java/util/ArrayList.java:427 ArrayList.get",
                "shop/Main.kt:4 MainKt.main",
                "shop/web/Api.java:7 Api.call",
            ],
        ),
        (
            GO,
            [
                "/srv/u/p/server.go:12 Server.Handle",
                "/srv/u/p/main.go:3 main.main",
                "/usr/local/go/src/net/http/server.go:2109 Server.Serve",
            ],
        ),
        (RUST, ["src/now.rs:10", "./src/cart.rs:1 Cart.total", "./src/a.rs:1 run", "src/before.rs:10"]),
        (RUBY, ["app/cart.rb:12 total", "app/cart.rb:30 Cart.each", "lib/x.rb:3 run"]),
        (DOTNET, ["C:/src/Cart.cs:12 Cart.Total", "/src/Pay.cs:3 Cart.Pay", "/src/Cart.cs:9 Cart"]),
        (PHP, ["/srv/Cart.php:12", "/srv/Pay.php:30"]),
        (PYTEST, ["src/x.py:30 total", "tests/test_x.py:12 test_x"]),
        (
            COMPILERS,
            [
                "src/a.c:12",
                "src/x.ts:13",
                "src/m.rs:1",
                "src/cart.c:14 cart_total",
                "/x/y/blob/main/src/a.py:15",
                "b.py:3",
                "c.py:4",
            ],
        ),
        ("total@http://localhost/js/cart.js:12:5\n", ["/js/cart.js:12 total"]),
        ("How does the cart add up? It is in cart.py, and at 12:30 it was not.", []),
    ],
    ids=["python", "node", "java", "go", "rust", "ruby", "dotnet", "php", "pytest", "compilers", "firefox", "prose"],
)
def test_the_frames_of_a_trace(text: str, frames: list[str]) -> None:
    told = [
        f"{frame.path}:{frame.line} {'.'.join(filter(None, (frame.owner, frame.function)))}".rstrip()
        for frame in frames_of(text)
    ]
    assert told == frames


def test_a_trace_is_bounded_and_its_innermost_frames_are_kept() -> None:
    calls = "".join(f'  File "/app/f{number}.py", line {number}, in f\n' for number in range(9_000))
    frames = frames_of("Traceback (most recent call last):\n" + calls)
    assert len(frames) == MAX_FRAMES
    assert frames[0].path == "/app/f8999.py"


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "(",
        "/",
        ".",
        "a.a",
        "a.a:",
        ":1",
        "[]",
        " ",
        "\n",
        'File "',
        "at ",
        "at a in ",
        "at (",
        "at a(1:",
        "#1 a",
        "a:1:in ",
        "a:1:in '",
        "a@a:1",
        "://a",
        "a://",
        " .a.a",
        "1: ",
        "<",
        "Caused by:\n",
        "\0",
        "\ud800",
        "é.é:1 ",
    ],
)
def test_a_hostile_text_takes_no_longer_than_another(unit: str) -> None:
    began = perf_counter()
    for text in (unit * 300_000, (unit * (990 // len(unit)) + "\n") * 300):
        assert len(frames_of(text)) <= MAX_FRAMES
        only_place(text)
    assert perf_counter() - began < 5.0


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("api/sessions.py:20", ("api/sessions.py", 20)),
        ("sessions.py line 20", ("sessions.py", 20)),
        (" sessions.py, line 20: ", ("sessions.py", 20)),
        ("C:\\api\\sessions.py:20:3", ("C:/api/sessions.py", 20)),
        ("sessions.py#L20-L30", ("sessions.py", 20)),
        ("sessions.py(20)", ("sessions.py", 20)),
        ("what is in sessions.py:20", None),
        ("sessions.py:20 fails", None),
        ("sessions.py", None),
        ("sessions.py:load", None),
        ("", None),
    ],
)
def test_a_text_that_is_nothing_but_a_place(text: str, place: tuple[str, int] | None) -> None:
    found = only_place(text)
    assert (found and (found.path, found.line)) == place
