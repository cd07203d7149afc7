"""The `compliance:` block of a suite: what it may say, and that it is told where it is wrong."""

from __future__ import annotations

import pytest

from mcptest.compliance import Book, load_suite
from mcptest.errors import UsageError

BOOK = Book.load()


@pytest.fixture
def read(tmp_path):
    def load(text):
        path = tmp_path / "suite.yml"
        path.write_text(text, encoding="utf-8")
        return load_suite(path, BOOK)

    return load


def gate(read, text):
    (found,) = read(f"compliance:\n  spec_version: v2024-11-05\n  spec_version_check: {text}\n").gates()
    return found


def test_an_object_has_a_pin_tests_and_a_recording(read, tmp_path):
    (tmp_path / "here").write_text("", encoding="utf-8")
    suite = read("compliance: {spec_version: v2025-06-18, tests: [TOOLS, {name: PROTO-002}], capture: [here, last]}")
    assert suite.pin == "v2025-06-18"
    assert suite.select == ("TOOLS", "PROTO-002")
    assert suite.recordings == (str(tmp_path / "here"), "last")
    assert suite.gates() == ()


def test_a_bare_list_is_the_tests_and_has_no_pin(read, tmp_path):
    suite = read("capture: one.jsonl\ncompliance:\n  - TOOLS\n  - name: PROTO-002\n")
    assert (suite.pin, suite.select) == (None, ("TOOLS", "PROTO-002"))
    assert suite.recordings == (str(tmp_path / "one.jsonl"),)


@pytest.mark.parametrize("block", ["{server: b}", "{server: {command: y}}"])
def test_a_server_is_named_or_described(read, block):
    suite = read(f"servers: {{a: {{command: x}}, b: {{command: y}}}}\ncompliance: {block}")
    assert suite.server.target.command == ("y",)


def test_the_only_server_of_a_suite_need_not_be_named(read):
    assert read("servers: {a: {command: x}}\ncompliance: [TOOLS]").server.target.command == ("x",)


def test_without_tests_the_whole_corpus_is_judged(read):
    assert read("compliance: {spec_version: draft}").select == ()


def test_a_date_without_quotes_is_a_name_like_any_other(read):
    with pytest.raises(UsageError, match=r"unknown compliance spec_version: 2025-06-18; did you mean v2025-06-18\?"):
        read("compliance: {spec_version: 2025-06-18}")


def test_a_test_sets_the_parameters_of_its_rule_and_leaves_the_shipped_corpora_alone(read):
    suite = read("compliance: {tests: [{name: PROTO-002, expect: {transport: [stdio]}}]}")
    own = suite.book.corpora.named("v2025-06-18").demands["PROTO-002"]
    assert own.expect["transport"] == ["stdio"]
    shipped = BOOK.corpora.named("v2025-06-18").demands["PROTO-002"]
    assert shipped.expect["transport"] == ["stdio", "streamable-http"]
    assert own._replace(expect=shipped.expect) == shipped


def test_what_else_a_suite_holds_belongs_to_others(read):
    assert read("name: mine\nprobes: []\ncompliance: {spec_version: draft}").pin == "draft"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("compliance: {spec_version: v2025-6-18}", "unknown compliance spec_version: v2025-6-18; did you mean"),
        ("compliance: {spec_version: }", "spec_version is empty"),
        ("compliance: {spec_version: [draft]}", "unknown compliance spec_version"),
        ("complience: {}", "is 'complience' meant?"),
        ("[]", "a suite is a mapping"),
        ("", "a suite is a mapping"),
        ("compliance: 3", "expected a mapping"),
        ("compliance: {specversion: draft}", "unknown key 'specversion'; did you mean spec_version?"),
        ("compliance: {tests: []}", "tests is a list"),
        ("compliance: []", "tests is a list"),
        ("compliance: [TOLS]", "did you mean TOOLS"),
        ("compliance: [TOOLS, TOOLS]", "stands twice"),
        ("compliance: [{expect: {}}]", "a test needs a name"),
        ("compliance: [{name: TOOLS, expect: {a: 1}}]", "TOOLS is a family"),
        ("compliance: [{name: PROTO-002, expect: {transprot: []}}]", "did you mean transport?"),
        ("compliance: [{name: PROTO-002, expect: {transport: 7}}]", "transport is a list or null, not a number"),
        ("compliance: [{name: ELICIT-001, expect: {a: 1}}]", "has no parameters"),
        ("compliance: {spec_version: v2024-11-05, tests: [ELICIT-001]}", "v2024-11-05 has no ELICIT-001; those"),
        ("compliance: {capture: 3}", "capture names a recording"),
        ("compliance: {capture: []}", "capture names a recording"),
        ("compliance: {server: {comand: x}}", "did you mean command?"),
        ("server: {url: 3}\ncompliance: {spec_version: draft}", "a target's URL"),
        ("compliance: {server: {command: x}, capture: last}", "not both"),
        ("servers: {a: {command: x}, b: {command: y}}\ncompliance: [TOOLS]", "with one of a, b"),
        ("servers: {a: {comand: x}}\ncompliance: [TOOLS]", "did you mean command?"),
        ("compliance: {grade_delta: {against: 3}}", "--save-scorecard"),
        ("compliance: {grade_delta: {expect: [{target: grad, matcher: {exact: A}}]}}", "did you mean grade?"),
        ("compliance: {spec_version_check: {against: draft}}", "needs a `spec_version`"),
        ("compliance: {spec_version: draft, spec_version_check: {agianst: draft}}", "did you mean against?"),
        ("compliance: {spec_version: draft, spec_version_check: {against: 3}}", "against is the name"),
        ("compliance: {spec_version: draft, spec_version_check: {expect: []}}", "leave it out for the defaults"),
        ("compliance: &a [TOOLS, *a]", "aliases are not taken"),
        ("compliance: {tests: [", "not YAML"),
        ("compliance: !!python/object:os.system {}", "is not taken"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(read, text, complaint):
    with pytest.raises(UsageError) as refusal:
        read(text)
    assert complaint in str(refusal.value)
    assert "suite.yml:" in str(refusal.value)


@pytest.mark.parametrize(
    ("expectation", "complaint"),
    [
        ("{target: spec_clea, matcher: {exact: true}}", "did you mean spec_clean?"),
        ("{target: spec_clean}", "expected a mapping with exact, schema"),
        ("{target: spec_clean, matcher: {}}", "a matcher is one of"),
        ("{target: spec_clean, matcher: {exact: true, schema: {}}}", "a matcher is one of"),
        ("{target: spec_clean, matcher: {exakt: true}}", "did you mean exact?"),
        ("{target: spec_clean, matcher: {schema: {type: 7}}}", "not a JSON Schema"),
        ("{target: spec_clean, matcher: {schema: 'true'}}", "not a JSON Schema: it is a text"),
        ("{target: spec_clean, matcher: {schema: {$ref: 'http://127.0.0.1/x'}}}", "not a JSON Schema"),
        ("spec_clean", "expected a mapping"),
    ],
)
def test_an_expectation_that_means_nothing_is_refused(read, expectation, complaint):
    with pytest.raises(UsageError) as refusal:
        gate(read, f"{{against: draft, expect: [{expectation}]}}")
    assert complaint in str(refusal.value)


def test_a_shared_rule_that_changes_shuts_the_gate(read):
    found = gate(read, "{against: v2025-06-18}")
    assert not found.passed
    assert found.line.startswith("FAIL spec_version_check: v2024-11-05 → v2025-06-18: spec_clean is false, not true")
    assert "spec_breaking_changes is [" in found.text
    assert "\n" not in found.line


def test_the_gate_into_the_same_revision_holds(read):
    found = gate(read, "{against: v2024-11-05}")
    assert found.line.startswith("PASS spec_version_check: v2024-11-05 → v2024-11-05: ")


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ("", "name a revision with `against`"),
        ("{}", "name a revision with `against`"),
        ("{against: }", "name a revision with `against`"),
        ("{against: v2031-01-01}", "no corpus v2031-01-01 is shipped"),
        ("{against: v2025-6-18}", "did you mean v2025-06-18?"),
    ],
)
def test_without_something_to_compare_with_the_gate_holds_and_says_so(read, written, note):
    found = gate(read, written)
    assert found.passed
    assert note in found.text


@pytest.mark.parametrize(
    ("target", "matcher", "holds"),
    [
        ("spec_clean", "{exact: false}", True),
        ("spec_clean", "{exact: 0}", False),
        ("spec_breaking_changes", "{schema: {contains: {const: PROTO-002}}}", True),
        ("spec_breaking_changes", "{schema: {maxItems: 1}}", False),
        ("spec_added", "{schema: {contains: {const: ELICIT-001}}}", True),
        ("spec_added", "{exact: []}", False),
        ("spec_removed", "{schema: {type: array}}", True),
        ("spec_changed_count", "{schema: {minimum: 1}}", True),
        ("spec_changed_count", "{schema: {maximum: 0}}", False),
    ],
)
def test_each_target_can_be_expected(read, target, matcher, holds):
    found = gate(read, f"{{against: v2025-06-18, expect: [{{target: {target}, matcher: {matcher}}}]}}")
    assert found.passed is holds
    assert holds or f"{target} is " in found.text


def test_the_gate_asks_what_the_revisions_say_and_not_the_suites_own_expectations(read):
    suite = read(
        "compliance: {spec_version: v2026-07-28, tests: [{name: PROTO-008, expect: {transport_observation: {}}}], "
        "spec_version_check: {against: draft}}"
    )
    assert suite.gates()[0].passed
