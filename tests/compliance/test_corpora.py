"""The corpora are complete, and whatever is wrong in them is refused."""

from __future__ import annotations

import pytest

from mcptest.compliance import Book
from mcptest.errors import UsageError

BOOK = Book.load()
PINS = ["v2024-11-05", "v2025-03-26", "v2025-06-18", "v2025-11-25", "v2026-07-28", "draft"]


def demands():
    return [(corpus.name, demand) for corpus in BOOK.corpora for demand in corpus.demands.values()]


def registry(folder, revision, text):
    place = folder / revision
    place.mkdir(parents=True, exist_ok=True)
    (place / "own.yaml").write_text(text, encoding="utf-8")
    return folder


def test_the_accepted_pins_are_the_published_revisions_and_the_draft():
    assert BOOK.corpora.names == PINS


@pytest.mark.parametrize("pin", PINS)
def test_each_rule_of_a_revision_is_checked_or_says_why_not(pin):
    for rule, demand in BOOK.corpora.named(pin).demands.items():
        if demand.decide in ("probe", "never"):
            assert demand.why
            assert rule not in BOOK.rules
        else:
            assert (rule in BOOK.rules) != demand.pending, f"{rule} is {'pending' if demand.pending else 'not written'}"


def test_each_rule_that_is_written_is_in_some_revision():
    assert set(BOOK.rules) <= {demand.rule for _, demand in demands()}


def test_the_draft_demands_what_the_newest_revision_demands():
    assert BOOK.corpora.named("draft").demands == BOOK.corpora.named("v2026-07-28").demands


def test_the_ids_of_the_brief_keep_their_meaning():
    older, newer, draft = (BOOK.corpora.named(pin).demands for pin in ("v2024-11-05", "v2025-06-18", "draft"))
    assert older["PROTO-002"].expect != newer["PROTO-002"].expect
    assert newer["PROTO-002"].expect["transport"] == ["stdio", "streamable-http"]
    assert older["PROTO-008"].expect == draft["PROTO-008"].expect
    for rule in ("ELICIT-001", "SAMPLE-001", "ROOTS-001", "RESTPL-001"):
        assert rule in newer
        assert rule not in older


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("rules: {JSONRPC-001: {levle: must}}", "levle"),
        ("rules: {JSONRPC-001: {level: perhaps}}", "perhaps"),
        ("rulez: {}", "rulez"),
        (
            "rules: {JSONRPC-999: {level: must, text: x, binds: both, page: y, decide: capture}}",
            "unknown rule JSONRPC-999",
        ),
        ("rules: {jsonrpc: {level: must}}", "jsonrpc"),
        ("rules: {JSONRPC-001: {level: must}}", "text is missing"),
        ("extends: v2025-11-25\nrules: {JSONRPC-023: {expect: {longets: 3}}}", "longe"),
        ("extends: v2025-11-24", "v2025-11-24"),
        ("extends: v2025-11-25\nremoves: [JSONRPC-010]", "JSONRPC-010"),
        ("rules: {A: &a {level: must}, B: *a}", "alias"),
        ("rules:\n  JSONRPC-001: {level: must}\n  JSONRPC-001: {level: info}", "twice"),
        ("rules: [", "cannot read"),
        ("- 1", "object"),
    ],
)
def test_a_mistake_in_a_corpus_fails_the_load(tmp_path, text, complaint):
    with pytest.raises(UsageError) as error:
        Book.load(registry(tmp_path, "v2025-11-25", text))
    assert complaint in str(error.value)
    assert "own.yaml" in str(error.value)


def test_a_registry_changes_a_shipped_revision(tmp_path):
    folder = registry(tmp_path, "v2025-11-25", "extends: v2025-11-25\nrules: {JSONRPC-023: {expect: {longest: 10}}}")
    book = Book.load(folder)
    assert book.corpora.named("v2025-11-25").demands["JSONRPC-023"].expect == {"longest": 10}
    assert book.corpora.named("v2025-06-18").demands["JSONRPC-023"].expect == {"longest": 300}


def test_a_registry_adds_a_revision(tmp_path):
    book = Book.load(registry(tmp_path, "v2026-07-28-house", "extends: v2026-07-28\nremoves: [JSONRPC-001]"))
    house = book.corpora.named("v2026-07-28-house")
    assert "JSONRPC-001" not in house.demands
    assert "JSONRPC-002" in house.demands


def test_revisions_that_extend_each_other_are_refused(tmp_path):
    registry(tmp_path, "a", "extends: b")
    with pytest.raises(UsageError, match="extend each other"):
        Book.load(registry(tmp_path, "b", "extends: a"))


def test_a_mistyped_pin_names_the_nearest():
    with pytest.raises(UsageError, match=r"unknown compliance spec_version: v2025-6-18; did you mean v2025-06-18\?"):
        BOOK.corpora.named("v2025-6-18")


def test_every_demand_has_a_page():
    for corpus in BOOK.corpora:
        for rule in corpus.demands:
            assert corpus.url(rule).startswith("https://")
