"""Suites are checked as a whole before anything is started: each mistake is named with its place."""

from __future__ import annotations

import pytest

from mcptest import suites
from mcptest.errors import UsageError
from mcptest.schemas import Validator, meta
from mcptest.suites import loading
from mcptest.yamltext import read as yaml
from tests.suites.made import PLAIN, STRICT, mistakes, read

ENTRY = STRICT + "tools:\n  - tool: search\n"


def test_a_suite_is_read_into_entries_in_the_order_of_its_lines():
    suite = read(STRICT + "prompts: [{prompt: sum, args: {topic: x}}]\ntools: [{tool: search, name: finds it}]\n")
    assert [entry.id for entry in suite.entries] == ["prompts/sum", "tools/finds it"]
    assert list(suite.servers) == ["records"]


def test_every_mistake_of_a_suite_is_told_with_its_place():
    found = mistakes(
        STRICT.lstrip("\n")
        + """tols: []
tools:
  - tol: search
    args: 3
    expect:
      - target: reslt.content[0].text
        matcher: {exat: 4}
      - target: result.x
        matcher: {schema: {type: nonsense}}
    negative_path: {checks: [unknown_tol]}
"""
    )
    assert [one.partition(": ")[2].partition(";")[2] for one in found if "did you mean" in one] == [
        " did you mean tools?",
        " did you mean tool?",
        " did you mean result?",
        " did you mean exact?",
        " did you mean unknown_tool?",
    ]
    assert [int(one.partition(":")[0]) - 17 for one in found] == [0, 2, 3, 5, 6, 8, 9]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3", "1:1: a suite is a mapping with `server:` and blocks such as `tools:`, not a number"),
        ("tools: [{tool: x}]", "1:9: there is no server to test: add `server:` with a command or a url"),
        (PLAIN + "tools: {}", "2:8: expected a list, found a mapping"),
        (PLAIN + "tools: []", "2:8: an empty list: leave it out, or put something into it"),
        (PLAIN + "tools: [{}]", "2:9: 'tool' is missing: which one is to be called?"),
        (PLAIN + "tools: [{tool: x, server: y}]", "2:27: there is no server 'y' (known: server)"),
        (PLAIN + "tools: [{tool: ''}]", "2:16: expected a text, found an empty one"),
        (PLAIN + "tools: [{tool: x, timeout: 0}]", "2:28: 0 is too little: more than 0"),
        (PLAIN + "tools: [{tool: x, serial: 1}]", "2:27: expected true or false, found a number"),
        (PLAIN + "resources: [{name: x}]", "2:13: 'uri' is missing"),
        (PLAIN + "servers: {a: {command: x}}", "1:1: either `server` or `servers`, not both"),
        ("server: {command: x, url: y}", "1:9: server needs either a `command` or a `url`"),
        ("server: {command: x, headers: {a: b}}", "1:31: headers does not go with a command"),
        ("server: {url: 'http://x', bearer_token_env: NO_SUCH_VARIABLE}", "1:45: there is no environment variable"),
        ("server: {command: x, spec_version: '2020-01-01'}", "1:36: unknown revision '2020-01-01'"),
        ("servers: {a: {command: x}, b: {command: y}}\ntools: [{tool: x}]", "2:9: which server? add `server:`"),
        (STRICT + "servers: {records: {command: x}}", "2:1: there are two servers of the name 'records'"),
        (PLAIN + "replay: {capture: none.jsonl}", "2:19: there is no file none.jsonl"),
        (PLAIN + "replay: {capture: last, masks: [nonsense]}", "2:33: a pointer begins with"),
        (PLAIN + "compliance: {spec_version: v2025-6-18}", "2:28: unknown compliance spec_version"),
        (PLAIN + "compliance: {test: [TOOLS]}", "2:20: unknown key 'test'; did you mean tests?"),
        ("compliance: {tests: [TOOLS]}", "1:13: there is no server to test"),
        (
            PLAIN + "tool_quality: {expect: [{target: min_scor, matcher: {exact: 1}}]}",
            "2:34: unknown target 'min_scor'",
        ),
        (PLAIN + "tools: [{tool: x, call: x}]", "2:9: either tool or call"),
    ],
)
def test_a_mistake_is_told_where_it_is(text, said):
    assert mistakes(text)[0].startswith(said)


@pytest.mark.parametrize(
    ("matcher", "said"),
    [
        ("3", "a matcher is a mapping such as {exact: 5}, not a number"),
        ("{}", "a matcher is exactly one of any_of, contains, exact, not, regex, schema, snapshot"),
        ("{exact: 1, contains: 2}", "a matcher is exactly one of"),
        ("{regex: 3}", "expected a regular expression, found a number"),
        ("{regex: '('}", "'(' is no regular expression of the linear kind"),
        ("{regex: '(?=a)b'}", "'(?=a)b' is no regular expression of the linear kind"),
        ("{schema: 3}", "a JSON Schema is a mapping, not a number"),
        ("{schema: {$ref: 'http://127.0.0.1:9/x'}}", "not a JSON Schema"),
        ("{any_of: []}", "an empty list"),
        ("{any_of: [{exat: 1}]}", "unknown matcher 'exat'; did you mean exact?"),
        ("{not: {snapshot: a.json}}", "a snapshot cannot be negated"),
        ("{snapshot: ../a.json}", "'../a.json': a snapshot is a .json file beside the suite or below it"),
        ("{snapshot: /etc/a.json}", "'/etc/a.json': a snapshot is a .json file beside the suite or below it"),
        ("{snapshot: a.txt}", "'a.txt': a snapshot is a .json file beside the suite or below it"),
    ],
)
def test_a_wrong_matcher_is_told(matcher, said):
    (found,) = mistakes(f"{ENTRY}    expect: [{{target: result, matcher: {matcher}}}]")
    assert found.partition(": ")[2].startswith(said)


@pytest.mark.parametrize("target", ["", "result.", "result..x", "result[x]", "result[-1]", "result x", ".result"])
def test_a_target_that_is_no_path_is_told(target):
    assert mistakes(f"{ENTRY}    expect: [{{target: '{target}', matcher: {{exact: 1}}}}]")


def test_targets_of_probes_need_probes():
    (found,) = mistakes(f"{ENTRY}    expect: [{{target: negative_path.failures, matcher: {{exact: 0}}}}]")
    assert "a target of negative_path needs a `negative_path:` beside it" in found


def test_entries_that_share_a_name_are_told_apart():
    suite = read(STRICT + "tools: [{tool: search}, {tool: search}, {tool: search, name: other}]")
    assert [entry.name for entry in suite.entries] == ["search", "search #2", "other"]


def test_a_name_that_is_taken_by_a_number_is_a_mistake():
    assert "stands twice" in mistakes(STRICT + "tools: [{tool: x}, {tool: x}, {tool: y, name: 'x #2'}]")[0]


@pytest.mark.parametrize("text", ["a: &a [1]\nb: [*a, *a]", "tools: [", "a: 1\na: 2", "a: !!python/object x"])
def test_what_is_no_plain_yaml_is_refused(text):
    with pytest.raises(UsageError, match=r"^suite\.yml:\d+:\d+: "):
        read(text)


def test_a_filter_chooses_by_name_or_by_block_and_name():
    suite = read(STRICT + "tools: [{tool: search}, {tool: other}]\nresources: [{uri: 'records://all'}]")
    assert [one.id for one in suites.select(suite, ["s*"])] == ["tools/search"]
    assert [one.id for one in suites.select(suite, ["tools/*"])] == ["tools/search", "tools/other"]
    assert len(suites.select(suite, [])) == 3


def test_a_filter_that_selects_nothing_is_bad_use():
    with pytest.raises(UsageError, match=r"--filter 'serch' selects no test of suite.yml; did you mean search\?"):
        suites.select(read(ENTRY), ["serch"])


def test_a_suite_without_a_test_is_bad_use():
    with pytest.raises(UsageError, match="has no test in it"):
        suites.select(read(PLAIN), [])


@pytest.mark.parametrize("name", ["plain", "with 'quotes'", "a*b?[c]", "ünï"])
def test_the_command_that_runs_a_test_alone_selects_that_test_alone(name):
    import shlex

    suite = read(STRICT + f'tools: [{{tool: search, name: "{name}"}}, {{tool: search, name: axbyc}}]')
    words = shlex.split(suite.alone(suite.entries[0]))
    assert words[:3] == ["mcptest", "run", "suite.yml"]
    assert [one.name for one in suites.select(suite, [words[-1]])] == [name]


def test_the_schema_for_editors_is_a_schema():
    assert meta().problems(suites.schema()) == []


def test_the_schema_for_editors_knows_every_key_of_the_file():
    assert set(suites.schema()["properties"]) == set(loading.keys())


@pytest.mark.parametrize(
    "text",
    [
        "tools: [{tol: search}]",
        "tools: [{tool: search, args: 3}]",
        "tools: [{tool: search, expect: [{target: reslt, matcher: {exact: 1}}]}]",
        "tools: [{tool: search, expect: [{target: result, matcher: {exat: 1}}]}]",
        "tools: [{tool: search, negative_path: {checks: [x]}}]",
        "tools: [{tool: search, fuzz: {cases: 0}}]",
        "tools: [{tool: search, timeout: 0}]",
        "tools: [{}]",
        "tools: []",
        "resources: [{name: x}]",
        "prompts: [{prompt: x, args: {y: 3}}]",
        "replay: {capture: last, compare: x}",
        "tool_quality: {expect: [{target: x, matcher: {exact: 1}}]}",
        "servr: {command: x}",
        "variables: {a-b: 1}",
    ],
)
def test_what_the_loader_refuses_the_schema_for_editors_refuses_too(text):
    assert mistakes(STRICT + text)
    assert not Validator(suites.schema()).is_valid(yaml(STRICT + text, "x").value)
