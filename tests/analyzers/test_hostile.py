"""Schemas and texts that were made to hurt: each is judged within its budget, or said to be over it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcptest import catalogue
from mcptest.analyzers import fix, lint
from mcptest.findings import Status, Verdict

PATIENCE = 60  # seconds; the real limit is measured by benchmarks/lint.py


def nested(keyword: str, depth: int) -> str:
    opening, closing = {
        "items": ('{"items":', "}"),
        "properties": ('{"properties":{"x":', "}}"),
        "anyOf": ('{"anyOf":[', "]}"),
        "allOf": ('{"allOf":[{"properties":{"y":{}}},', "]}"),
        "$defs": ('{"$defs":{"x":', "}}"),
        "additionalProperties": ('{"additionalProperties":', "}"),
    }[keyword]
    return opening * depth + '{"type":"string"}' + closing * depth


def many(count: int) -> str:
    return '{"type":"object","properties":{' + ",".join(f'"p{n}":{{}}' for n in range(count)) + "}}"


DOUBLING = ",".join(
    f'"a{n}":{{"allOf":[{{"$ref":"#/$defs/a{n + 1}"}},{{"$ref":"#/$defs/a{n + 1}"}}]}}' for n in range(40)
)
CASES = {
    "http reference": '{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1:9/x"}}}',
    "file reference": '{"type":"object","properties":{"a":{"$ref":"file:///etc/passwd"}}}',
    "http dialect": '{"$schema":"http://127.0.0.1:9/x","type":"object"}',
    "reference to itself": '{"$ref":"#"}',
    "loop of references": '{"properties":{"a":{"$ref":"#/$defs/x"}},'
    '"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}',
    "loop through anyOf": '{"properties":{"a":{"$ref":"#/$defs/x"}},'
    '"$defs":{"x":{"anyOf":[{"$ref":"#/$defs/x"},{"type":"string"}]}}}',
    "doubling references": '{"properties":{"a":{"$ref":"#/$defs/a0"}},"$defs":{'
    + DOUBLING
    + ',"a40":{"type":"string"}}}',
    "backtracking pattern": '{"properties":{"a":{"type":"string","pattern":"^(a+)+$","default":"' + "a" * 60 + '!"}}}',
    "many properties": many(20_000),
    "too many properties": many(120_000),
    "wide union": '{"properties":{"a":{"anyOf":[' + ",".join(['{"type":"string"}'] * 10_000) + "]}}}",
    "wide composition": '{"allOf":[' + ",".join(f'{{"properties":{{"p{n}":{{}}}}}}' for n in range(3_000)) + "]}",
    "compositions inside compositions": nested("allOf", 100),
    "long names": '{"properties":{"'
    + "n" * 1_000_000
    + '":{"properties":{'
    + ",".join(f'"{n}":{{}}' for n in range(2000))
    + "}}}}",
    **{
        f"deep {keyword}": nested(keyword, 5_000)
        for keyword in ("items", "properties", "anyOf", "allOf", "$defs", "additionalProperties")
    },
}
TEXTS = {
    "megabytes of almost": "ignore all previous " * 50_000,
    "do not tell ": "do not tell " * 80_000,
    "read and read": "read " * 200_000 + "~/.ssh",
    "spaces": "send " + " " * 500_000 + "x",
    "base64": "QUJD" * 200_000,
    "hexadecimal": "6162" * 200_000,
    "angle brackets": "<" * 500_000,
    "comment": "<!--" * 100_000,
    "at signs": "send a to " + "a@" * 200_000,
    "args": "Args:\n" + "    a: b\n" * 60_000,
    "colons": "args:\n" + "    " * 100_000,
    "tags": "\U000e0041" * 300_000,
    "emoji": "\U0001f468\u200d" * 150_000,
}


def verdicts(schema: str) -> dict[str, Verdict]:
    found = catalogue.read(f'[{{"name":"t","description":"Finds things.","inputSchema":{schema}}}]', "tools.json")
    return {verdict.rule: verdict for verdict in lint(found)}


@pytest.fixture(autouse=True)
def watched(request: pytest.FixtureRequest) -> Iterator[None]:
    """A hang fails the test instead of stopping the run."""
    import faulthandler

    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_schema_is_judged_or_said_to_be_over_budget(name: str) -> None:
    found = verdicts(CASES[name])
    assert [verdict.reason for verdict in found.values() if verdict.status is Status.CRASHED] == []
    over = bool(found["SCH-005"].findings)
    inconclusive = [rule for rule, verdict in found.items() if rule.startswith("SCH") and verdict.reason]
    assert bool(inconclusive) == over
    assert over == name.startswith(("deep", "too many"))


def test_what_is_within_the_budget_is_still_told() -> None:
    assert verdicts(CASES["too many properties"])["SCH-003"].status is Status.FAILED
    assert verdicts(CASES["http reference"])["SCH-008"].status is Status.FAILED


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_is_searched_or_said_to_be_over_budget(name: str) -> None:
    import json

    found = catalogue.read(
        json.dumps([{"name": "t", "description": TEXTS[name], "inputSchema": {"type": "object"}}]), "x"
    )
    judged = lint(found)
    assert [verdict.reason for verdict in judged if verdict.status is Status.CRASHED] == []
    assert any("over budget" in (verdict.reason or "") for verdict in judged if verdict.rule.startswith("SEC"))


@pytest.mark.parametrize("name", CASES)
def test_the_fix_survives_hostile_schemas(name: str) -> None:
    once = fix(f'[{{"name":"t","inputSchema":{CASES[name]}}}]').text
    assert fix(once).text == once


WATCHED = """
import sys, json
opened = []
sys.addaudithook(lambda event, args: opened.append((event, str(args[:1]))) if event in watched else None)
watched = set()
from mcptest import catalogue
from mcptest.analyzers import lint, load_rules
rules = load_rules()
texts = json.load(open(sys.argv[1], encoding="utf-8"))
lint(catalogue.read("[]", "warm up"), rules)
from mcptest import schemas
for name in schemas.DIALECTS: schemas.meta(name)
watched |= {"open", "socket.connect", "socket.getaddrinfo", "os.listdir", "subprocess.Popen", "compile", "exec"}
for text in texts:
    lint(catalogue.read(text, "x"), rules)
watched.clear()
print(json.dumps(opened))
"""


def test_nothing_is_opened_contacted_or_compiled_while_judging(tmp_path: Path) -> None:
    """Seen by the interpreter's own audit hook, and by the system calls where strace is there."""
    import json

    names = ("http reference", "file reference", "http dialect", "loop of references", "backtracking pattern")
    texts = [f'[{{"name":"t","inputSchema":{CASES[name]}}}]' for name in names]
    (tmp_path / "cases.json").write_text(json.dumps(texts), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(tmp_path / "cases.json")],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert json.loads(done.stdout) == []


def test_a_document_of_any_depth_is_read() -> None:
    found: Any = catalogue.read('{"tools": [' + "[" * 100_000 + "]" * 100_000 + "]}", "x")
    assert found.tools[0].faults[0].message == "the entry is an array, not an object"
