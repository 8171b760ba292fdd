"""Settings of the editor: what is wrong is said once, and the default is used."""

import msgspec
import pytest

from lurcher_server.lsp.settings import ServerSettings, read_settings, what_leaves


@pytest.mark.parametrize("given", [None, {}, []])
def test_nothing_given_is_the_defaults_without_complaint(given: object) -> None:
    assert read_settings(given) == (ServerSettings(), [])


def test_good_values_are_taken() -> None:
    settings, complaints = read_settings({"exclude": ["legacy/"], "workers": 1, "watch": "server", "store": None})
    assert (settings.exclude, settings.workers, settings.watch, settings.store) == (("legacy/",), 1, "server", None)
    assert not complaints


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("workers", "two"), ("workers", 0), ("watch", "sometimes"), ("exclude", "legacy/"), ("maxFileBytes", -1),
        ("deadlineSeconds", 0), ("embeddings", "yes"), ("logLevel", "loud"), ("store", 3), ("max_file_bytes", 1),
        ("nonsense", True), ("model", "gpt"), ("model", "endpoint:"), ("endpointDimensions", 0),
        ("vectorCacheBytes", 0), ("maxFileBytes", 10**22), ("workers", 65),
    ],
)  # fmt: skip
def test_section_9_a_bad_setting_is_one_complaint_and_the_default(name: str, value: object) -> None:
    settings, complaints = read_settings({name: value, "indexOnStart": False})
    assert settings == ServerSettings(index_on_start=False)
    (complaint,) = complaints
    assert f"lurcher.{name}" in complaint


@pytest.mark.parametrize("given", [["fast"], "fast", 3])
def test_settings_that_are_no_object(given: object) -> None:
    settings, complaints = read_settings(given)
    assert settings == ServerSettings() and len(complaints) == 1


def test_a_person_is_told_what_leaves_the_machine_and_nothing_else_of_the_address() -> None:
    settings, complaints = read_settings({"model": "endpoint:https://embed.example.com/v1?key=swordfish"})
    assert not complaints
    assert "embed.example.com" in what_leaves(settings) and "swordfish" not in what_leaves(settings)
    for quiet in ({}, {"model": "onnx:/models/tiny"}, {"model": "endpoint:https://a.example", "embeddings": False}):
        assert what_leaves(read_settings(quiet)[0]) == ""
    assert what_leaves(read_settings({"model": "endpoint:https://[broken"})[0])


def test_names_on_the_wire_are_in_camel_case() -> None:
    names = [field.encode_name for field in msgspec.structs.fields(ServerSettings)]
    assert "maxFileBytes" in names and not any("_" in name for name in names)
