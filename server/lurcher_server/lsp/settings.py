"""What a person can set in the editor, under `lurcher`; a bad value becomes a complaint and the default."""

from typing import Any, Literal, cast
from urllib.parse import urlsplit

import msgspec

from lurcher_index.config import MOST_FILE_BYTES, split_model
from lurcher_index.errors import BadSetting
from lurcher_index.remote.addresses import checked_connection
from lurcher_index.remote.connection import Connection

SECTION = "lurcher"
"""Name of our part of the editor's configuration."""


Offer = Literal["auto", "on", "off"]
"""Whether a feature of the standard's is offered: in `auto`, where no other server is likely to do it better."""

RemoteUse = Literal["auto", "always", "off"]
"""When remote code search is asked: in `auto`, while the index of this machine is not complete."""

MAX_WORKERS = 64
"""Processes that a build may use at most; each takes 50 MB."""


class ServerSettings(msgspec.Struct, rename="camel", frozen=True, kw_only=True):
    """The settings with their defaults; each has a line in docs/settings.md."""

    exclude: tuple[str, ...] = ()
    """Patterns in .gitignore syntax that are left out of the index only."""
    include_ignored: tuple[str, ...] = ()
    """Folders that are indexed although an ignore rule names them."""
    max_file_bytes: int = 1_572_864
    """Largest file that is indexed, in bytes."""
    workers: int = 2
    """Processes that read and parse while an index is built."""
    store: str | None = None
    """Directory for indexes; by default the user's cache. `:memory:` leaves nothing on disk."""
    index_on_start: bool = True
    """Whether the workspace is indexed as soon as it is opened. If not, no answer is called complete until `build` or
    `rebuild` has run."""
    watch: Literal["auto", "client", "server", "off"] = "auto"
    """Who watches the disk: the editor if it can, else the server."""
    embeddings: bool = True
    """Whether vectors are made and searched."""
    embeddings_automatic_max_files: int | None = None
    """Files up to which vectors are made by themselves; null for no limit. VS Code's index had 750."""
    embeddings_manual_max_files: int | None = None
    """Files up to which `rebuild` makes them; null for no limit. VS Code's index had 2,500, or 50,000 for some."""
    model: str = "lurcher"
    """The embedding model: `lurcher`, `none`, `onnx:<folder>`, `model2vec:<folder>` or `endpoint:<url>`."""
    endpoint_model: str = ""
    """Name of the model that the endpoint is asked for."""
    endpoint_key_variable: str = ""
    """Environment variable that holds the endpoint's key."""
    endpoint_dimensions: int | None = None
    """Numbers that the endpoint's vectors shall have; null for what the model gives."""
    vector_cache_bytes: int = 1_073_741_824
    """Most bytes that vectors of expensive models may take in the cache."""
    deadline_seconds: float = 20.0
    """How long a search may take before the best so far is returned."""
    definition: Offer = "auto"
    """Whether definitions are found for the editor."""
    references: Offer = "auto"
    """Whether references are."""
    call_hierarchy: Offer = "auto"
    """Whether callers and callees are."""
    document_symbol: Offer = "auto"
    """Whether the outline of a file is given."""
    workspace_symbol: Offer = "auto"
    """Whether symbols are found by name."""
    other_servers: tuple[str, ...] | None = None
    """Languages that have a server of their own in this editor, for `auto`; null for a guess."""
    remote_kind: Literal["", "postgres", "milvus", "zoekt", "sourcegraph", "github"] = ""
    """Who is asked by remote code search; empty for what the person has allowed, if anything. It turns nothing on."""
    remote_url: str = ""
    """Its address, without a password."""
    remote_token_variable: str = ""
    """Environment variable that holds its token or password."""
    remote_use: RemoteUse = "auto"
    """When it is asked, once the person has allowed it."""
    log_level: Literal["error", "warning", "info", "debug"] = "warning"
    """What is logged to standard error, and to `logFile`. Source code never is."""
    log_file: str | None = None
    """A file that the log is also written to."""


_POSITIVE = (
    "max_file_bytes",
    "workers",
    "deadline_seconds",
    "embeddings_automatic_max_files",
    "embeddings_manual_max_files",
    "endpoint_dimensions",
    "vector_cache_bytes",
)

_MOST = {"max_file_bytes": MOST_FILE_BYTES, "workers": MAX_WORKERS}


def what_leaves(settings: ServerSettings) -> str:
    """What a person must know before code leaves the machine; empty if none does.

    A client cannot tell us whether the person or the workspace wrote a setting, so it is said whoever did.
    """
    kind, where = split_model(settings.model)
    if kind != "endpoint" or not settings.embeddings:
        return ""
    try:
        host = urlsplit(where).hostname
    except ValueError:
        host = None
    return (
        f"the setting `{SECTION}.model` sends the code of this workspace and every question to"
        f" {host or 'an endpoint'} to be embedded. Remove it, or set `{SECTION}.embeddings` to false, if you did not"
        " choose that"
    )


def wished_connection(settings: ServerSettings) -> Connection | None:
    """The remote code search that the settings name, which nobody may have allowed; None if they name none."""
    if not settings.remote_kind:
        return None
    return checked_connection(settings.remote_kind, settings.remote_url, settings.remote_token_variable)


def read_settings(given: object) -> tuple[ServerSettings, list[str]]:
    """Settings out of whatever a client sent, and one complaint for each that is unknown or cannot be used."""
    # To Lua, and so to Neovim, an empty table is an empty list.
    if given is None or given == []:
        return ServerSettings(), []
    if not isinstance(given, dict):
        return ServerSettings(), [f"the settings `{SECTION}` are not an object; the defaults are used"]
    fields = {field.encode_name: field for field in msgspec.structs.fields(ServerSettings)}
    values: dict[str, Any] = {}
    complaints: list[str] = []
    for name, value in cast("dict[str, object]", given).items():
        field = fields.get(name)
        if field is None:
            complaints.append(f"there is no setting `{SECTION}.{name}`; it is ignored")
            continue
        try:
            values[field.name] = _checked(field.name, msgspec.convert(value, field.type))
        except (msgspec.ValidationError, ValueError) as error:
            default = msgspec.json.encode(field.default).decode()
            complaints.append(f"the setting `{SECTION}.{name}` cannot be used ({error}); the default {default} is")
    return _with_usable_remote(ServerSettings(**values), complaints)


def _with_usable_remote(settings: ServerSettings, complaints: list[str]) -> tuple[ServerSettings, list[str]]:
    """Without a remote code search that cannot be one; its address is not quoted, for it may hold a password."""
    try:
        wished_connection(settings)
    except BadSetting as error:
        names = " and ".join(f"`{SECTION}.{name}`" for name in ("remoteKind", "remoteUrl"))
        complaints.append(f"the settings {names} cannot be used ({error}); nothing is sent")
        settings = msgspec.structs.replace(settings, remote_kind="", remote_url="", remote_token_variable="")
    return settings, complaints


def _checked(name: str, value: Any) -> Any:
    if name in _POSITIVE and value is not None and not value > 0:
        raise ValueError("it must be greater than 0")
    if name in _MOST and value is not None and value > _MOST[name]:
        raise ValueError(f"it must be at most {_MOST[name]}")
    if name == "model" and value is not None:
        split_model(value)
    return value
