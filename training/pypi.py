"""PyPI as a source of packages: the newest source distribution of well-known packages, from the index pip uses."""

import os
import re
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from packaging.metadata import RawMetadata, parse_email
from packaging.utils import InvalidSdistFilename, parse_sdist_filename
from packaging.version import InvalidVersion, Version

from training.archives import ArchiveError, members
from training.downloading import DownloadError, Remote, download, read
from training.licences import NAME_LENGTH, permissive
from training.packages import Package, Refused, Unreachable, file_name

NAMES = tuple(
    """aiofiles alembic altair anyio apscheduler arrow asgiref astroid asyncpg attrs authlib automat babel backoff
    bandit beautifulsoup4 billiard black bleach blinker bokeh boltons bottle bracex cachecontrol cachetools cattrs
    cerberus channels cherrypy cibuildwheel cloudpickle coloredlogs colorlog configargparse construct coverage
    croniter cryptography cssselect cssutils dask dateparser deepdiff devpi-client diskcache distributed dnspython
    docker docopt docutils dulwich ecdsa elasticsearch-dsl environs eventlet execnet fabric factory-boy
    faker falcon feedparser filelock fire flake8 flit fonttools freezegun fsspec gensim geopandas gevent glom
    google-auth gpiozero graphene graphql-core greenlet gunicorn h11 h2 hatchling hpack html5lib httplib2 httptools
    huey humanize hupper hyperlink identify imageio inflect invoke ipykernel ipython isort itsdangerous
    jedi jinja2 jmespath joblib jsonpatch jsonpickle jsonschema keyring kubernetes lark libcst locust loguru lxml
    mako markdown markdown-it-py markupsafe marshmallow matplotlib mido mistune mkdocs moto mpmath multidict mypy
    natsort nbconvert nbformat networkx nltk nox numpy oauthlib openpyxl packaging pandas parso passlib patsy
    pdfminer-six peewee pelican pendulum pexpect pillow pint platformdirs plotly pluggy ply poetry-core portalocker
    pre-commit prettytable prometheus-client prompt-toolkit psutil ptyprocess pyasn1 pycparser pydot pyftpdlib pygal
    pygments pyjwt pymongo pymysql pyparsing pypdf pyramid pyserial pysnmp pytest python-dateutil python-docx
    python-dotenv python-multipart python-pptx pytz pyyaml qrcode rapidfuzz rdflib reportlab rich rope rq
    ruamel-yaml s3transfer sanic schedule schema scikit-image scikit-learn scipy seaborn setuptools shapely simpy
    six sortedcontainers soupsieve sphinx sqlalchemy sqlglot sqlparse statsmodels structlog supervisor sympy
    tabulate tenacity textual tinydb toolz tornado tox tqdm traitlets transitions trio twine twisted typeguard typer
    uvicorn vcrpy versioneer virtualenv voluptuous waitress watchdog watchfiles webassets webob websocket-client
    websockets werkzeug wheel whitenoise whoosh wrapt wtforms xarray xlsxwriter xmltodict yapf yarl zeroconf zict
    zipp""".split()
)
"""Well-known packages; that the licence of each is permissive is not taken from here, but looked up."""

PAGE_BYTES = 20_000_000
"""The page that lists a package's files; the largest have some ten thousand lines."""

SDIST_BYTES = 40_000_000
"""Source distributions beyond this carry data."""

COMMAND_SECONDS = 60.0
"""How long pip may take to say how it is configured."""

WIDE = "2000"
"""Columns of a screen on which pip breaks no address into lines."""

GENERIC = frozenset({"License", "OSI Approved"})
"""Classifiers that name no licence."""


class Index:
    """A package index with simple pages, which every index has; many have no other."""

    def __init__(self, data: Path, address: str) -> None:
        """Fetch from an address, the one that `configured_index` found or another."""
        self._data = data
        self._address = address.rstrip("/")

    def fetch(self, group: str, name: str) -> Package:
        """Download the newest source distribution, and keep it if its metadata allow that.

        Nothing of it is run: pip itself would call the package's build backend even to download it.
        """
        version, remote = self._newest(name)
        file = urllib.parse.urlsplit(remote.url).path.rsplit("/", 1)[-1]
        target = self._data / "archives" / "pypi" / file_name(urllib.parse.unquote(file))
        try:
            download(remote, target, SDIST_BYTES)
        except DownloadError as error:
            raise Unreachable(str(error)) from error
        try:
            licence = licence_of(_metadata(target))
        except Refused:
            target.unlink(missing_ok=True)
            raise
        return Package(name, "pypi", str(version), licence, group, (target.relative_to(self._data).as_posix(),))

    def _newest(self, name: str) -> tuple[Version, Remote]:
        page = f"{self._address}/{urllib.parse.quote(name)}/"
        try:
            links = _Links(read(page, PAGE_BYTES).decode("utf-8", "replace"))
        except DownloadError as error:
            raise Unreachable(str(error)) from error
        found = list(_sdists(page, links.addresses))
        if not found:
            raise Refused("no source distribution")
        final = [candidate for candidate in found if not candidate[0].is_prerelease]
        return max(final or found, key=lambda candidate: candidate[0])


def configured_index(folder: Path) -> str:
    """The address of the index that pip is configured for, which its help shows whether it was set or not."""
    command = [sys.executable, "-m", "pip", "download", "--help"]
    environment = {**os.environ, "COLUMNS": WIDE}
    done = subprocess.run(
        command, cwd=folder, env=environment, check=True, capture_output=True, text=True, timeout=COMMAND_SECONDS
    )
    found = re.search(r"^\s*-i, \S+ <url>.*?\(default (\S+?)\)", done.stdout, re.DOTALL | re.MULTILINE)
    if found is None:
        raise Unreachable("pip does not say which index it uses")
    return found.group(1)


def licence_of(metadata: RawMetadata) -> str:
    """The licence that metadata state, if it is permissive in every place that they state it."""
    field = metadata.get("license", "").strip()
    # People put the whole text there as well, which says nothing that could be compared.
    short = [field] if field and "\n" not in field and len(field) <= NAME_LENGTH else []
    classified = [line.split("::") for line in metadata.get("classifiers", []) if line.startswith("License ::")]
    named = [parts[-1].strip() for parts in classified if parts[-1].strip() not in GENERIC]
    expression = metadata.get("license_expression", "")
    stated = [expression] if expression else [*short, *named]
    if not stated or not all(map(permissive, stated)):
        raise Refused(f"licence {' / '.join(stated)[:60]!r}")
    return stated[0]


class _Links(HTMLParser):
    """The addresses of a simple page, without those of files that were withdrawn."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        address = values.get("href")
        if tag == "a" and address and "data-yanked" not in values:
            self.addresses.append(address)


def _sdists(page: str, addresses: list[str]) -> Iterator[tuple[Version, Remote]]:
    for address in addresses:
        whole = urllib.parse.urlsplit(urllib.parse.urljoin(page, address))
        try:
            _, version = parse_sdist_filename(urllib.parse.unquote(whole.path.rsplit("/", 1)[-1]))
        except (InvalidSdistFilename, InvalidVersion):
            continue
        checksum = re.fullmatch(r"sha256=([0-9a-f]{64})", whole.fragment)
        digest = checksum.group(1) if checksum else ""
        yield version, Remote(whole._replace(fragment="").geturl(), 0, "sha256" if digest else "", digest)


def _metadata(sdist: Path) -> RawMetadata:
    try:
        for member in members(sdist):
            if re.fullmatch(r"[^/]+/PKG-INFO", member.path):
                return parse_email(member.read())[0]
    except ArchiveError as error:
        raise Refused(str(error)) from error
    raise Refused("no metadata")
