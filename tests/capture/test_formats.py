from __future__ import annotations

import pytest

from mcptest import plugins
from mcptest.capture import formats
from mcptest.errors import CaptureError, UsageError


def test_the_folder_is_the_registry() -> None:
    assert formats.names() == plugins.names("mcptest.capture.formats")
    assert "jsonl" in formats.names()


@pytest.mark.parametrize("name", formats.names())
def test_every_format_says_what_it_is_and_can_read_and_write(name: str) -> None:
    found = formats.get(name)
    assert found.__doc__
    assert callable(found.recognise)
    assert callable(found.read)
    assert callable(found.write)


def test_an_unknown_format_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="jsonl"):
        formats.get("xml")


@pytest.mark.parametrize("name", ["__init__", "../place", "os"])
def test_a_format_is_never_loaded_from_elsewhere(name: str) -> None:
    with pytest.raises(UsageError):
        formats.get(name)


@pytest.mark.parametrize(
    ("start", "hint"),
    [
        (b"", "empty"),
        (b"mcptest-journal 1.0 seed=", "journal"),
        (b"\x1f\x8b\x08", "decompress"),
        (b"PK\x03\x04", "unpack"),
        (b"12345678DUCK", "--capture"),
        (b'{"log": {"version": "1.2"}}', "mcptest export"),
        (b"\x00\xff" * 100, "mcptest export"),
    ],
)
def test_a_file_of_another_kind_is_told_apart(start: bytes, hint: str) -> None:
    with pytest.raises(CaptureError, match=hint):
        formats.recognise(start, "file")
