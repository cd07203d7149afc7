from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from mcptest.errors import UsageError
from mcptest.report import format_names, from_json, render, suffix_format, to_json
from tests.report import samples

UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)


@pytest.mark.parametrize("name", format_names())
@pytest.mark.parametrize("sample", samples.ALL)
def test_no_format_lets_through_what_a_reader_might_obey_or_not_see(name: str, sample: str) -> None:
    text = render(samples.ALL[sample](), name)
    assert text.endswith("\n")
    assert not UNSAFE.search(text)
    text.encode("utf-8")


@pytest.mark.parametrize("name", format_names())
def test_the_same_report_gives_the_same_text(name: str) -> None:
    assert render(samples.full(), name) == render(samples.full(), name)


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        UsageError, match="unknown format 'pdf'; known: github, gitlab, html, json, junit, markdown, ndjson"
    ):
        render(samples.clean(), "pdf")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.sarif", "sarif"),
        ("b.JSON", "json"),
        ("c.xml", "junit"),
        ("d.md", "markdown"),
        ("e.html", "html"),
        ("f.x", None),
    ],
)
def test_a_file_s_name_asks_for_its_format(path: str, name: str | None) -> None:
    assert suffix_format(path) == name


# ---------------------------------------------------------------------------------------------------------- json


@pytest.mark.parametrize("sample", samples.ALL)
def test_json_comes_back_as_the_same_report(sample: str) -> None:
    report = samples.ALL[sample]()
    assert from_json(json.loads(render(report, "json")), "r.json") == report


def test_json_has_the_members_that_are_promised() -> None:
    document = json.loads(render(samples.full(), "json"))
    assert document["mcptest_report"] == 1
    assert document["exit_code"] == 4
    first = document["findings"][0]
    assert {key: first[key] for key in ("rule", "severity", "tool", "pointer", "message", "line")} == {
        "rule": "SCH-003",
        "severity": "critical",
        "tool": "search",
        "pointer": "/tools/0/inputSchema/properties/q",
        "message": "is odd",
        "line": 12,
    }
    assert document["summary"] == {
        "findings": 4,
        "critical": 2,
        "error": 1,
        "warning": 0,
        "info": 1,
        "passed": 1,
        "failed": 3,
        "inconclusive": 1,
        "untested": 1,
        "crashed": 1,
        "accepted": 1,
        "stale": 1,
    }


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda document: [], "is not a report"),
        (lambda document: {"tools": []}, "is not a report"),
        (lambda document: {**document, "mcptest_report": 2}, "version 2, this mcptest reads up to 1"),
        (lambda document: {**document, "findings": [{}]}, "damaged report: KeyError: 'rule'"),
        (lambda document: {**document, "findings": 5}, "damaged report: TypeError"),
        (lambda document: {**document, "verdicts": []}, "have no verdict"),
        (lambda document: {**document, "fail_on": "never"}, "damaged report"),
    ],
)
def test_what_is_no_report_is_refused(change, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        from_json(change(to_json(samples.full())), "r.json")


def test_ndjson_is_one_object_a_line() -> None:
    lines = [json.loads(line) for line in render(samples.full(), "ndjson").splitlines()]
    kinds = [line["type"] for line in lines]
    assert kinds == ["finding"] * 4 + ["accepted", "stale"] + ["verdict"] * 7 + ["summary"]
    assert lines[-1]["findings"] == 4


# ---------------------------------------------------------------------------------------------------------- text


def test_text_is_grouped_by_subject_and_says_what_was_not_tested() -> None:
    full = samples.full()
    tame = full._replace(
        verdicts=tuple(verdict for verdict in full.verdicts if verdict.rule not in ("SEC-001", "X-001"))
    )
    assert render(tame._replace(stale=()), "text").splitlines() == [
        "tool search",
        "  critical SCH-003  is odd  tools.json:12:5 /inputSchema/properties/q",
        "  critical SCH-003  is odd too  tools.json:12:5 /inputSchema/properties/q",
        "",
        "tool add",
        "  info     DESC-008 is odd  tools.json:12:5 /inputSchema/properties/q",
        "",
        "X-003 inconclusive: tool 'a': over budget",
        "untested: ANN-001 (no tools to judge)",
        "1 finding accepted by the baseline",
        "3 findings: 2 critical, 1 info (5 rules: 1 passed, 2 failed, 1 inconclusive, 1 untested)",
    ]


def test_text_tells_of_crashes_and_stale_entries() -> None:
    lines = render(samples.full(), "text").splitlines()
    assert any(line.startswith("X-001 crashed: KeyError: x\\x1b[2J") for line in lines)
    assert any(line.startswith("stale: the baseline accepts SCH-004 on tool x") for line in lines)


def test_text_of_a_session_names_its_frames() -> None:
    assert "weather frame 7, 9" in render(samples.session(), "text")


def test_text_of_changes_is_grouped_by_class() -> None:
    assert render(samples.changes(), "text").splitlines() == [
        "breaking",
        "  argument-removed  tool search: is odd  tools.json:12:5 /inputSchema/properties/q",
        "",
        "1 change: 1 breaking",
    ]
    assert render(samples.no_changes(), "text").strip() == "no changes"


def test_colours_are_for_terminals_only() -> None:
    assert "\x1b[" not in render(samples.full(), "text")
    coloured = render(samples.full(), "text", colour=True)
    assert "\x1b[1;35mcritical\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == render(samples.full(), "text")
    assert "\x1b" not in render(samples.full(), "json", colour=True)


# ---------------------------------------------------------------------------------------------------------- junit


def test_junit_skips_what_was_not_tested_and_counts_right() -> None:
    suite = ET.fromstring(render(samples.full(), "junit"))[0]
    outcomes = {case.get("name", "").split()[0]: [child.tag for child in case] for case in suite}
    assert outcomes == {
        "SCH-003": ["failure"],
        "SEC-001": ["failure"],
        "DESC-008": ["system-out"],
        "ANN-001": ["skipped"],
        "X-001": ["error"],
        "X-002": [],
        "X-003": ["skipped"],
        "stale": ["failure"],
    }
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "8",
        "failures": "3",
        "errors": "1",
        "skipped": "2",
    }


# ---------------------------------------------------------------------------------------------------------- github


def test_github_annotations_stand_at_their_lines() -> None:
    lines = render(samples.full(), "github").splitlines()
    assert lines[0].startswith("::error file=tools.json,line=12,col=5,title=SCH-003 tool search::tool search: is odd")
    assert lines[3].startswith("::notice ")


def test_captured_text_cannot_start_a_command_of_its_own() -> None:
    for line in render(samples.full(), "github").splitlines()[:-1]:
        assert re.match(r"::(error|warning|notice) [^:]*::[^\n]*$", line)
        assert "%0A" not in line.replace("%250A", "")


# ---------------------------------------------------------------------------------------------------------- gitlab


def test_gitlab_fingerprints_are_unique_and_steady() -> None:
    issues = json.loads(render(samples.full(), "gitlab"))
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 4
    assert issues[0]["location"] == {"path": "tools.json", "lines": {"begin": 12}}
    assert {issue["severity"] for issue in issues} == {"critical", "major", "info"}
    assert json.loads(render(samples.session(), "gitlab"))[0]["location"]["lines"] == {"begin": 1}


# ---------------------------------------------------------------------------------------------------------- markdown


def test_markdown_shows_captured_text_as_text() -> None:
    text = render(samples.full(), "markdown")
    assert "<script>" not in text
    assert "@team" not in text
    assert "](http" not in text
    assert "://" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows)


# ---------------------------------------------------------------------------------------------------------- html


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


@pytest.mark.parametrize("sample", samples.ALL)
def test_the_page_needs_nothing_and_runs_nothing(sample: str) -> None:
    page = Page()
    page.feed(render(samples.ALL[sample](), "html"))
    assert not {"script", "link", "img", "iframe", "object", "form"} & set(page.tags)
    names = [name for name, _ in page.attributes]
    assert not [name for name in names if name.startswith("on") or name in ("style", "src", "srcset", "action")]
    assert all((value or "").startswith("#") for name, value in page.attributes if name == "href")


def test_the_page_s_policy_allows_its_own_style_only() -> None:
    import base64
    import hashlib

    text = render(samples.full(), "html")
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}';" in text
