"""Grades: what counts, what caps, and what comes of a comparison."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from mcptest.cli import main
from mcptest.compliance import Book, Scorecard, comply, draw_badge, grade_delta, grade_sessions
from mcptest.compliance.grade import FRAMING, HANDSHAKE, TARGETS, Section
from mcptest.errors import UsageError
from tests.compliance.transcripts import Talk

_TOOL = '"description": "Does it.", "inputSchema": {"type": "object"}'
TOOLS = ["> tools/list", f'< result {{"tools": [{{"name": "a", {_TOOL}}}]}}']
BROKEN_TOOLS = ["> tools/list", f'< result {{"tools": [{{"name": 7, {_TOOL}}}]}}']


@pytest.fixture(scope="module")
def book():
    return Book.load()


def frames(lines, revision="2025-11-25", **settings):
    talk = Talk(revision, settings)
    for line in lines:
        talk.add(line, "test")
    talk.finish()
    return talk.frames


def graded(book, lines, side="server", **more):
    return grade_sessions([comply(frames(lines, **more), book)], book.corpora, side)


def test_a_flawless_session_has_the_best_grade_and_says_how_little_it_exercised(book):
    card = graded(book, TOOLS)
    assert (card.grade, card.score, card.capped) == ("A+", 100.0, ())
    assert 0 < card.exercised < card.rules
    assert f"on {card.exercised} of {card.rules} rules" in card.line
    assert card.sections["PROMPT"].score is None


def test_a_failed_must_caps_below_a_whatever_else_is_well(book):
    card = graded(book, BROKEN_TOOLS)
    assert card.grade not in ("A+", "A", None)
    assert card.score < 90
    assert card.sections["TOOLS"].failed
    assert any("a failed MUST" in reason for reason in card.capped)


def test_a_failed_should_costs_the_best_grade_and_less_than_a_must(book):
    asked = ['> resources/read {"uri": "note://gone"}', "< error -32602 Resource not found"]
    card = graded(book, [*TOOLS, *asked])
    assert card.grade == "A"
    assert 90 < card.score < 100
    assert card.sections["RES"].failed == ("RES-007",)


def test_broken_framing_is_an_f(book):
    card = graded(book, [*TOOLS, "< |Listening on port 3000"])
    assert card.grade == "F"
    assert card.score < 60
    assert any(reason.startswith("the framing failed") for reason in card.capped)


def test_a_broken_handshake_is_an_f(book):
    lines = [
        '> {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", '
        '"capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}}',
        '< {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-11-25", "capabilities": []}}',
        "> notifications/initialized",
    ]
    card = graded(book, lines, revision="none")
    assert card.grade == "F"
    assert "the handshake failed: PROTO-002" in card.capped


def test_the_other_sides_faults_do_not_count(book):
    lines = [*TOOLS, '> {"id": 9, "method": "tools/list"}', '< 9 result {"tools": []}']
    assert graded(book, lines).sections["JSONRPC"].failed == ()
    client = graded(book, lines, side="client")
    assert client.grade == "F"
    assert "JSONRPC-001" in client.sections["JSONRPC"].failed


def test_what_is_not_declared_and_not_used_is_not_graded(book):
    card = graded(book, TOOLS, server='{"tools": {}}')
    assert (card.sections["RES"].exercised, card.sections["RES"].score) == (0, None)


def test_nothing_exercised_is_no_grade(book):
    card = grade_sessions([], book.corpora)
    assert (card.grade, card.score, card.exercised) == (None, None, 0)
    assert card.line.startswith("no grade for the server")


def test_the_rules_that_are_fatal_exist(book):
    known = {rule for corpus in book.corpora for rule in corpus.demands}
    assert known >= HANDSHAKE | FRAMING


def test_a_scorecard_survives_its_file(book):
    card = graded(book, BROKEN_TOOLS)
    assert Scorecard.from_json(json.loads(json.dumps(card.to_json())), "card.json") == card


@pytest.mark.parametrize(
    ("document", "complaint"),
    [
        ({}, "is not a scorecard"),
        ([], "is not a scorecard"),
        ({"mcptest_scorecard": 2}, "reads up to 1"),
        ({"mcptest_scorecard": 1}, "is a damaged scorecard"),
        ({"mcptest_scorecard": 1, "grade": "Z", "score": 1}, "there is no grade 'Z'"),
    ],
)
def test_another_file_is_no_scorecard(document, complaint):
    with pytest.raises(UsageError, match=complaint):
        Scorecard.from_json(document, "x.json")


def card(grade, score, specs=("v2025-11-25",), side="server", **sections):
    return Scorecard(grade, score, side, specs, {name: Section(one, 1, 2) for name, one in sections.items()}, 1, 2)


def test_a_worse_grade_and_worse_sections_are_regressions():
    delta = grade_delta(
        card("B", 85.0, TOOLS=70.0, RES=100.0, PING=None), card("A", 95.0, TOOLS=90.0, RES=90.0, PING=100.0)
    )
    values = {name: target(delta) for name, target in TARGETS.items()}
    assert values == {"grade": "B", "score": 85.0, "grade_regressed": True, "regressed_sections": ["TOOLS"]}
    assert delta.unmeasured == ("PING",)


def test_the_same_again_is_no_regression():
    delta = grade_delta(card("A", 95.0, TOOLS=90.0), card("A", 95.0, TOOLS=90.0))
    assert (delta.grade_regressed, delta.regressed_sections, delta.notes) == (False, (), ())


def test_a_section_can_regress_within_a_better_grade():
    delta = grade_delta(card("A", 95.0, TOOLS=80.0), card("B", 85.0, TOOLS=90.0))
    assert (delta.grade_regressed, delta.regressed_sections) == (False, ("TOOLS",))


def test_losing_the_grade_is_a_regression():
    assert grade_delta(card(None, None), card("F", 10.0)).grade_regressed
    assert not grade_delta(card("F", 10.0), card(None, None)).grade_regressed


def test_what_cannot_be_compared_well_is_noted():
    delta = grade_delta(card("A", 95.0), card("A", 95.0, specs=("v2025-06-18",), side="client"))
    assert delta.notes == ("the server is compared with the client", "judged by v2025-11-25, before by v2025-06-18")


@pytest.mark.parametrize("letter", ["A+", "A", "B", "C", "D", "F", None])
def test_each_grade_has_a_badge_that_is_xml_and_fetches_nothing(letter):
    svg = draw_badge(card(letter, None if letter is None else 77.5))
    root = ElementTree.fromstring(svg)
    texts = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["MCP compliance", "not graded" if letter is None else f"{letter} · 77.5"]
    assert "href" not in svg


def test_the_command_tells_the_grade_and_writes_both_files(tmp_path, capsys):
    from mcptest.capture import formats

    path = tmp_path / "s.jsonl"
    with path.open("wb") as file:
        formats.get("jsonl").write(frames(TOOLS), file)
    saved, drawn = tmp_path / "card.json", tmp_path / "badge.svg"
    arguments = ["compliance", "run", str(path), "--save-scorecard", str(saved), "--badge", str(drawn)]
    assert main(arguments) == 0
    assert "grade of the server: A+, 100 of 100, on " in capsys.readouterr().out
    assert Scorecard.from_json(json.loads(saved.read_text("utf-8")), "card").grade == "A+"
    assert drawn.read_text("utf-8").startswith("<svg ")
    assert main(arguments) == 2
    assert "exists and is left as it is" in capsys.readouterr().err


def test_rules_of_another_transport_are_no_part_of_the_measure(book):
    card = graded(book, TOOLS)
    assert card.exercised
    assert not {"TRANSPORT-HTTP", "AUTH"} & card.sections.keys()
