"""Which language a file is written in, told by its name, its extension or its first line."""

import re

import msgspec

_SHEBANG = re.compile(rb"#![ \t]*(\S+)(?:[ \t]+([^\r\n]*))?")
_CPP_HINT = re.compile(
    rb"^[ \t]*(?:(?:class|namespace|using)[ \t]+\w|template[ \t]*<|(?:public|private|protected)[ \t]*:)"
    rb"|\bstd::|^[ \t]*#[ \t]*include[ \t]*<\w+>",
    re.MULTILINE,
)


class Language(msgspec.Struct, frozen=True, gc=False):
    """One language: how its files are recognised and, if there is one, the wheel that holds its grammar."""

    id: str
    endings: str = ""
    files: str = ""
    """Whole file names, in lower case."""
    shebangs: str = ""
    grammar: str = ""
    """Python module of the grammar; `module:function` where the function is not `language`."""


LANGUAGES = (
    Language("python", "py pyi pyw pyx pxd bzl", "sconstruct sconscript wscript", "python", "tree_sitter_python"),
    Language("javascript", "js mjs cjs jsx es6", "jakefile", "node nodejs bun", "tree_sitter_javascript"),
    Language("typescript", "ts mts cts", "", "deno ts-node tsx", "tree_sitter_typescript:language_typescript"),
    Language("tsx", "tsx", "", "", "tree_sitter_typescript:language_tsx"),
    Language("go", "go", "", "", "tree_sitter_go"),
    Language("java", "java", "", "", "tree_sitter_java"),
    Language("c", "c", "", "tcc", "tree_sitter_c"),
    Language("cpp", "cpp cc cxx c++ hpp hh hxx h++ ipp inl tpp cu cuh ino", "", "", "tree_sitter_cpp"),
    Language("csharp", "cs csx cake", "", "", "tree_sitter_c_sharp"),
    Language(
        "ruby",
        "rb rake gemspec ru jbuilder podspec rbw",
        "rakefile gemfile guardfile vagrantfile capfile podfile brewfile fastfile appfile",
        "ruby jruby",
        "tree_sitter_ruby",
    ),
    Language("rust", "rs", "", "rust-script", "tree_sitter_rust"),
    Language("php", "php phtml php3 php4 php5 php7 php8 inc", "", "php", "tree_sitter_php:language_php"),
    Language("swift", "swift", "", "swift", "tree_sitter_swift"),
    Language("kotlin", "kt kts", "", "kotlin kotlinc", "tree_sitter_kotlin"),
    Language("scala", "scala sc sbt mill", "", "scala amm", "tree_sitter_scala"),
    Language("elixir", "ex exs", "mix.lock", "elixir", "tree_sitter_elixir"),
    Language("haskell", "hs hs-boot", "", "runhaskell runghc stack", "tree_sitter_haskell"),
    Language("lua", "lua rockspec wlua", "", "lua luajit texlua", "tree_sitter_lua"),
    Language(
        "bash",
        "sh bash zsh ksh bats ebuild command",
        ".bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc .zshenv .zprofile pkgbuild apkbuild",
        "sh bash zsh dash ksh ash bats",
        "tree_sitter_bash",
    ),
    Language("zig", "zig zon", "", "", "tree_sitter_zig"),
    Language("sql", "sql ddl dml psql pgsql mysql prc tab udf viw", "", "", "tree_sitter_sql"),
    Language("html", "html htm xhtml", "", "", "tree_sitter_html"),
    Language("css", "css", "", "", "tree_sitter_css"),
    Language(
        "json",
        "json jsonc json5 geojson webmanifest ipynb topojson har jsonld avsc code-workspace",
        ".babelrc .eslintrc .prettierrc .jshintrc .swcrc composer.lock pipfile.lock",
        "",
        "tree_sitter_json",
    ),
    Language("yaml", "yaml yml", ".clang-format .clang-tidy .clangd", "", "tree_sitter_yaml"),
    Language("toml", "toml", "pipfile cargo.lock poetry.lock uv.lock gopkg.lock", "", "tree_sitter_toml"),
    Language("markdown", "md markdown mdx mkd mdown mdwn qmd rmd", "", "", "tree_sitter_markdown"),
    # Known by name only: their files are chunked by lines.
    Language("makefile", "mk mak make", "makefile gnumakefile bsdmakefile", "make"),
    Language("dockerfile", "dockerfile", "dockerfile containerfile"),
    Language("perl", "pl pm pod t psgi", "cpanfile", "perl"),
    Language("r", "r", ".rprofile", "rscript"),
    Language("vue", "vue"),
    Language("svelte", "svelte"),
    Language("astro", "astro"),
    Language("scss", "scss"),
    Language("sass", "sass"),
    Language("less", "less"),
    Language("xml", "xml xsd xsl xslt svg plist wsdl csproj vbproj fsproj vcxproj props targets resx xaml nuspec"),
    Language("restructuredtext", "rst rest"),
    Language("asciidoc", "adoc asciidoc asc"),
    Language("latex", "tex sty cls ltx bib"),
    Language("org", "org"),
    Language("ini", "ini cfg conf properties editorconfig desktop service", ".gitconfig .npmrc .pylintrc"),
    Language("dotenv", "env", ".env"),
    Language("csv", "csv tsv"),
    Language("cmake", "cmake", "cmakelists.txt"),
    Language("meson", "", "meson.build meson_options.txt meson.options"),
    Language("starlark", "star bazel", "build workspace module.bazel tiltfile"),
    Language("nix", "nix"),
    Language("terraform", "tf tfvars hcl"),
    Language("protobuf", "proto"),
    Language("graphql", "graphql gql graphqls"),
    Language("thrift", "thrift"),
    Language("groovy", "groovy gradle gvy", "jenkinsfile", "groovy"),
    Language("dart", "dart", "", "dart"),
    Language("objective-c", "m"),
    Language("objective-cpp", "mm"),
    Language("fsharp", "fs fsi fsx"),
    Language("vb", "vb bas vbs"),
    Language("powershell", "ps1 psm1 psd1", "", "pwsh"),
    Language("batch", "bat cmd"),
    Language("fish", "fish", "", "fish"),
    Language("awk", "awk", "", "awk gawk mawk"),
    Language("sed", "sed", "", "sed"),
    Language("tcl", "tcl tk", "", "tclsh wish expect"),
    Language("vim", "vim", ".vimrc vimrc", "vim"),
    Language("emacs-lisp", "el", ".emacs"),
    Language("common-lisp", "lisp lsp cl", "", "sbcl"),
    Language("scheme", "scm ss sld", "", "guile"),
    Language("racket", "rkt", "", "racket"),
    Language("clojure", "clj cljs cljc edn", "", "bb clojure"),
    Language("erlang", "erl hrl", "rebar.config", "escript"),
    Language("ocaml", "ml mli mll mly", "", "ocaml"),
    Language("elm", "elm"),
    Language("purescript", "purs"),
    Language("julia", "jl", "", "julia"),
    Language("matlab", "mat"),
    Language("fortran", "f f90 f95 f03 f08 for"),
    Language("pascal", "pas pp dpr lpr"),
    Language("ada", "adb ads"),
    Language("cobol", "cob cbl cpy"),
    Language("assembly", "asm s nasm"),
    Language("verilog", "v vh sv svh"),
    Language("vhdl", "vhd vhdl"),
    Language("d", "d di"),
    Language("nim", "nim nims", "", "nim"),
    Language("crystal", "cr", "", "crystal"),
    Language("v", "vsh"),
    Language("odin", "odin"),
    Language("gleam", "gleam"),
    Language("solidity", "sol"),
    Language("glsl", "glsl vert frag geom comp hlsl wgsl metal"),
    Language("jinja", "j2 jinja jinja2"),
    Language("erb", "erb"),
    Language("handlebars", "hbs handlebars mustache"),
    Language("ejs", "ejs"),
    Language("pug", "pug jade"),
    Language("haml", "haml"),
    Language("liquid", "liquid"),
    Language("razor", "cshtml razor"),
    Language("diff", "diff patch"),
    Language("gomod", "", "go.mod go.sum go.work"),
    Language("requirements", "", "requirements.txt constraints.txt"),
    Language("just", "just", "justfile .justfile"),
    Language("rego", "rego"),
    Language("prisma", "prisma"),
)
"""Every language with a name. Where two claim one ending, the first row has it."""


def language_of(path: str, head: bytes = b"") -> str:
    """The language's id; `head` is the start of the text and decides where the name alone does not."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    if name in _BY_FILE:
        return _BY_FILE[name]
    stem, dot, ending = name.rpartition(".")
    if not dot or not stem:
        return _of_shebang(head) or _BY_FILE.get(stem, "text")
    if ending == "h":
        return "cpp" if _CPP_HINT.search(head[:_HEAD_BYTES]) else "c"
    if ending == "dist" or ending in _TEMPLATE_ENDINGS:
        return language_of(stem, head)
    if stem in _PREFIXES:
        return _BY_FILE[stem]
    return _BY_ENDING.get(ending) or _of_shebang(head) or "text"


def grammar_of(language: str) -> str:
    """Where the grammar of a language is, as `module` or `module:function`; empty without one."""
    return _GRAMMARS.get(language, "")


_HEAD_BYTES = 65_536
"""How far into a header file is looked for C++."""

_TEMPLATE_ENDINGS = frozenset({"in", "example", "sample", "template", "tmpl", "tpl", "orig", "bak"})
"""`settings.yaml.example` is YAML."""

_PREFIXES = frozenset({"dockerfile", "containerfile", "makefile", "jenkinsfile"})
"""`Dockerfile.dev` is a Dockerfile."""


def _of_shebang(head: bytes) -> str:
    match = _SHEBANG.match(head)
    if not match:
        return ""
    words = [match[1], *(match[2] or b"").split()]
    programs = [word.rpartition(b"/")[2] for word in words if not word.startswith(b"-") and b"=" not in word]
    if programs and programs[0] == b"env":
        programs = programs[1:]
    if not programs:
        return ""
    program = programs[0].decode("ascii", "replace").lower()
    return _BY_SHEBANG.get(program) or _BY_SHEBANG.get(program.rstrip("0123456789."), "")


def _index(field: str) -> dict[str, str]:
    """Word to language, over one column of the table."""
    found: dict[str, str] = {}
    for row in LANGUAGES:
        for word in str(getattr(row, field)).split():
            found.setdefault(word, row.id)
    return found


_BY_ENDING = _index("endings")
_BY_FILE = _index("files")
_BY_SHEBANG = _index("shebangs")
_GRAMMARS = {row.id: row.grammar for row in LANGUAGES if row.grammar}
