from __future__ import annotations

import socket
import threading

import pytest

from mcptest.schemas import DIALECTS, Problem, SchemaError, Validator, dialect, meta


def test_values_are_judged() -> None:
    validator = Validator({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
    assert validator.is_valid({"n": 1})
    assert validator.problems({"n": "x"}) == [Problem('"x" is not of type "integer"', "/n")]


@pytest.mark.parametrize("schema", [{"type": "strng"}, 5, {"pattern": "("}, {"$ref": "#/$defs/no"}, {"required": "a"}])
def test_an_unusable_schema_is_one_clear_line(schema: object) -> None:
    with pytest.raises(SchemaError) as caught:
        Validator(schema)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("keyword", ["$ref", "$schema", "$dynamicRef"])
def test_nothing_is_fetched(keyword: str) -> None:
    """A server that would see the connection, and never does."""
    listener = socket.create_server(("127.0.0.1", 0))
    seen = threading.Event()

    def wait() -> None:
        try:
            listener.accept()
            seen.set()
        except OSError:
            pass

    watcher = threading.Thread(target=wait, daemon=True)
    watcher.start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/schema"
    try:
        Validator({keyword: address, "type": "object"}).is_valid({})
    except SchemaError as error:
        assert "retrieving it failed" in str(error)
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    watcher.join(5)
    assert not watcher.is_alive()
    assert not seen.is_set()


def test_no_file_is_opened(tmp_path) -> None:
    (tmp_path / "s.json").write_text('{"type": "string"}', encoding="utf-8")
    with pytest.raises(SchemaError):
        Validator({"$ref": (tmp_path / "s.json").as_uri()})


@pytest.mark.parametrize("name", DIALECTS)
def test_each_dialect_judges_schemas(name: str) -> None:
    assert meta(name).is_valid({"type": "string"})
    assert [problem.pointer for problem in meta(name).problems({"type": "strng"})] == ["/type"]


def test_patterns_of_other_engines_do_not_make_a_schema_invalid() -> None:
    for name in DIALECTS:
        assert meta(name).is_valid({"pattern": "^[a-z]{2}]?$"})


def test_formats_are_asserted_where_asked_for() -> None:
    schema = {"type": "string", "format": "date"}
    assert Validator(schema).is_valid("tomorrow")
    assert not Validator(schema, formats=True).is_valid("tomorrow")


def test_dialects_are_known_by_any_spelling() -> None:
    assert dialect({}) == DIALECTS[0]
    assert dialect({"$schema": "https://json-schema.org/draft-07/schema#"}) == "http://json-schema.org/draft-07/schema"
    assert dialect({"$schema": "http://example.com/x"}) is None
    assert dialect({"$schema": 5}) is None
