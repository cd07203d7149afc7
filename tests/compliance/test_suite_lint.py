"""What a suite counts on that its revision deprecated or dropped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptest import yamltext
from mcptest.cli import main
from mcptest.compliance import Book, lint_suite
from mcptest.errors import UsageError
from mcptest.findings import Severity

CORPORA = Book.load().corpora
NEWEST = "compliance: {spec_version: v2026-07-28}\n"


def found(text, spec=None):
    report = lint_suite(yamltext.read(text, "suite.yml"), CORPORA, spec)
    return [(one.rule, one.evidence.pointer) for one in report.findings]


@pytest.mark.parametrize(
    ("text", "feature", "at"),
    [
        ("compliance: {tests: [ROOTS]}", "roots", "/compliance/tests/0"),
        ("compliance: {tests: [{name: SAMPLE-001}]}", "sampling", "/compliance/tests/0/name"),
        ("compliance: [LOG]", "logging", "/compliance/0"),
        ("server: {url: 'http://127.0.0.1:1/sse'}", "http-sse", "/server/url"),
        ("servers: {a: {url: 'http://127.0.0.1:1/sse/?x=1'}}", "http-sse", "/servers/a/url"),
        ("compliance: [{name: PROTO-002, expect: {transport: [sse]}}]", "http-sse", "/compliance/0/expect/transport/0"),
        ("mock_server: {capabilities: {logging: {}}}", "logging", "/mock_server/capabilities/logging"),
        ("client: {capabilities: {sampling: {}}}", "sampling", "/client/capabilities/sampling"),
        ("replay: {masks: [{method: ping}]}", "ping", "/replay/masks/0/method"),
        ("replay: {masks: [{method: initialize}]}", "handshake", "/replay/masks/0/method"),
        ("mock: {roots/list: {}}", "roots", "/mock/roots~1list"),
        ("x: {includeContext: allServers}", "include-context", "/x/includeContext"),
        ("x: {enumNames: [A]}", "enum-names", "/x/enumNames"),
        ("tools: [{expect: [{target: error.code, matcher: {exact: -32002}}]}]", "missing-resource",
         "/tools/0/expect/0/matcher/exact"),
        ("tools: [{expect: [{target: error.code, matcher: {exact: -32042}}]}]", "url-elicitation",
         "/tools/0/expect/0/matcher/exact"),
        ("tools: [{negative_path: {checks: [missing_session]}}]", "http-sessions",
         "/tools/0/negative_path/checks/0"),
    ],
)  # fmt: skip
def test_a_feature_that_is_deprecated_or_gone_is_found_where_it_stands(text, feature, at):
    assert (feature, at) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "tools: [{call: ping, args: {method: roots/list, code: -32002}}]",
        "tools: [{name: roots/list, description: about sampling/createMessage}]",
        "server: {url: 'http://127.0.0.1:1/mcp', env: {MODE: LOG}}",
        "server: {url: 'http://['}",
        "compliance: [{name: PROTO-002, expect: {transport: [streamable-http]}}]",
        "compliance: [TOOLS, DEPR, LOGIN]",
        "capabilities: {tools: {}}",
        "x: {includeContext: none}",
    ],
)
def test_what_only_looks_like_it_is_left_alone(text):
    assert found(text) == []


def test_the_pin_decides_what_is_deprecated():
    suite = "compliance: {{spec_version: {}, tests: [ROOTS]}}\nserver: {{url: 'http://a/sse'}}"
    assert found(suite.format("v2024-11-05")) == []
    assert found(suite.format("v2025-03-26")) == [("http-sse", "/server/url")]
    assert [rule for rule, _ in found(suite.format("draft"))] == ["http-sse", "roots"]


def test_another_revision_can_be_named():
    assert found("compliance: {spec_version: v2024-11-05, tests: [ROOTS]}", "v2026-07-28")
    with pytest.raises(UsageError, match="did you mean v2026-07-28"):
        found("{}", "v2026-7-28")


def test_what_is_gone_is_an_error_and_what_is_deprecated_a_warning():
    report = lint_suite(yamltext.read("x: {method: ping}\ny: {method: roots/list}", "s.yml"), CORPORA)
    assert {one.rule: one.severity for one in report.findings} == {
        "ping": Severity.ERROR,
        "server-requests": Severity.ERROR,
        "roots": Severity.WARNING,
    }


def test_each_finding_has_its_line_and_what_to_do(tmp_path, capsys):
    path = tmp_path / "suite.yml"
    path.write_text("compliance:\n  spec_version: v2026-07-28\n  tests:\n    - TOOLS\n    - LOG\n", encoding="utf-8")
    assert main(["lint", str(path)]) == 1
    assert f"{path}:5:7" in capsys.readouterr().out
    assert main(["lint", str(path), "--fail-on", "error"]) == 0
    assert main(["lint", str(path), "--spec", "v2025-11-25"]) == 0
    capsys.readouterr()
    assert main(["lint", str(path), "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert "OpenTelemetry" in finding["data"]["todo"]["server"]


@pytest.mark.parametrize(
    ("text", "complaint"), [("[]", "a suite is a mapping"), ("{", "not YAML"), (None, "cannot read")]
)
def test_what_is_no_suite_is_refused_in_one_line(tmp_path, capsys, text, complaint):
    path = tmp_path / "suite.yml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert main(["lint", str(path)]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_the_examples_count_on_nothing_that_is_deprecated(capsys):
    examples = sorted(map(str, (Path(__file__).parents[2] / "examples").glob("*.yml")))
    assert main(["lint", *examples]) == 0
