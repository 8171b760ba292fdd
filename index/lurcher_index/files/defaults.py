"""What is left out of every index unless a rule of the user says otherwise, in .gitignore syntax.

All rules are relative to the workspace folder: a workspace that itself lies in a folder called `dist` is not empty.
Keys and certificates are not listed here: `secrets` refuses them with a reason of its own.
"""

VERSION_CONTROL = (".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", "CVS/")
"""Left out always: no negated rule may bring a repository's inner files into the index."""

FOLDERS = (
    # Dependencies. `vendor` is not here: Go and PHP projects commit it and people search in it.
    "node_modules/",
    "bower_components/",
    "jspm_packages/",
    ".yarn/",
    ".pnpm-store/",
    ".venv/",
    "venv/",
    "site-packages/",
    ".bundle/",
    ".cargo/",
    ".gradle/",
    ".m2/",
    ".nuget/",
    ".dart_tool/",
    "Pods/",
    "elm-stuff/",
    "*.egg-info/",
    # Results of builds that nobody edits. `build`, `target`, `bin`, `obj`, `lib` and `packages` are source folders in
    # too many projects; where they hold results, the project's own .gitignore names them.
    "dist/",
    "out/",
    ".next/",
    ".nuxt/",
    ".output/",
    ".svelte-kit/",
    ".angular/",
    ".parcel-cache/",
    ".turbo/",
    ".vercel/",
    ".serverless/",
    ".terraform/",
    "bazel-*/",
    "cmake-build-*/",
    "DerivedData/",
    # Caches and reports.
    "__pycache__/",
    ".cache/",
    ".mypy_cache/",
    ".pytest_cache/",
    ".ruff_cache/",
    ".hypothesis/",
    ".tox/",
    ".nox/",
    ".eslintcache",
    ".sass-cache/",
    ".nyc_output/",
    ".ipynb_checkpoints/",
    ".idea/",
    ".vs/",
    "htmlcov/",
    ".coverage",
)

LOCK_FILES = (
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "composer.lock",
    "Gemfile.lock",
    "Cargo.lock",
    "poetry.lock",
    "Pipfile.lock",
    "pdm.lock",
    "uv.lock",
    "flake.lock",
    "mix.lock",
    "pubspec.lock",
    "Podfile.lock",
    "packages.lock.json",
    "gradle.lockfile",
    "go.sum",
    "go.work.sum",
)

LEFTOVERS = (
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    "*~",
    "*.sw[op]",
    ".#*",
    "*.log",
    "*.min.js",
    "*.min.css",
    "*.map",
)
"""What editors, systems and bundlers leave behind; the names that people put into their global ignore file."""

SUFFIXES = (
    # images
    "png jpg jpeg gif bmp ico icns tif tiff webp avif heic heif jxl psd ai eps svg svgz xcf raw cr2 nef dng"
    " tga dds exr hdr",
    # media
    "mp3 mp4 m4a m4v wav flac ogg oga ogv opus aac wma avi mov mkv webm wmv flv mpg mpeg mid midi aiff",
    # archives and disk images
    "zip tar gz tgz bz2 tbz xz txz zst lz4 lzma 7z rar jar war ear aar apk ipa aab deb rpm dmg iso img cab msi"
    " whl gem nupkg vsix",
    # fonts
    "ttf otf woff woff2 eot fon",
    # office files
    "pdf doc docx xls xlsx ppt pptx odt ods odp rtf pages numbers epub mobi vsd vsdx",
    # programs, objects and other machine code
    "exe dll so dylib lib o obj a la lo pdb ilk class pyc pyo pyd wasm elc beam node ko efi hex dex",
    # data that only programs read
    "db sqlite sqlite3 mdb dat bin dump parquet feather arrow avro orc npy npz h5 hdf5 pkl pickle joblib onnx"
    " pt pth ckpt tflite safetensors gguf mo pak blend fbx glb stl",
)

BUILT_IN = (*FOLDERS, *LOCK_FILES, *LEFTOVERS, *(f"*.{suffix}" for line in SUFFIXES for suffix in line.split()))
"""Every built-in rule that a .gitignore, an .ignore file or a setting can take back."""
