"""Runs against real servers: what passes, what fails and how it is told, what is skipped and why."""

from __future__ import annotations

import json
import sys
from xml.etree import ElementTree

import pytest

from mcptest import suites
from mcptest.capture import journals
from mcptest.errors import UsageError
from mcptest.policy import Policy, Reason
from mcptest.report import render
from mcptest.suites import exit_code, report
from tests.replay.recorded import Caller
from tests.suites.made import PLAIN, SERVERS, STRICT, failures, place_in, record, run, statuses


def test_calls_reads_and_gets_are_judged_by_their_expectations(tmp_path):
    done = run(
        PLAIN
        + """
variables: {town: Berlin}
tools:
  - name: look finds a town
    tool: look
    args: {city: "${town}"}
    expect:
      - {target: result.structuredContent.city, matcher: {exact: Berlin}}
      - {target: "result.content[0].text", matcher: {contains: clear}}
      - {target: duration_ms, matcher: {schema: {exclusiveMinimum: 0}}}
  - tool: fail
    args: {reason: rain}
    expect: [{target: "result.content[0].text", matcher: {regex: "^failed: r.in$"}}]
  - tool: nonsense
    expect: [{target: error.code, matcher: {exact: -32602}}]
resources:
  - uri: plain://city/1
    expect: [{target: "result.contents[0].text", matcher: {contains: river}}]
prompts:
  - {prompt: summary, args: {city: Rome}}
""",
        tmp_path,
    )
    assert set(statuses(done).values()) == {"passed"}
    assert exit_code(done) == 0


def test_what_is_not_met_is_told_with_its_place_and_what_the_server_said(tmp_path):
    text = PLAIN + "tools:\n  - tool: look\n    args: {city: Rome}\n    expect:\n"
    text += "      - {target: result.structuredContent.city, matcher: {exact: Oslo}}\n"
    text += "      - {target: result.structuredContent.wind, matcher: {exact: 3}}\n"
    done = run(text, tmp_path)
    (result,) = done.results
    assert [(failure.message, failure.line) for failure in result.failures] == [
        ('result.structuredContent.city is "Rome", not "Oslo"', 6),
        ("result.structuredContent.wind is not there (not 3)", 7),
    ]
    assert result.details[0].startswith('the server answered {"content"')
    assert exit_code(done) == 1


@pytest.mark.parametrize(
    ("tool", "args", "said"),
    [
        ("nonsense", "{}", "error is {"),
        ("fail", "{reason: x}", "result.isError is true, which it must not be (no error of the tool)"),
    ],
)
def test_a_call_without_expectations_must_not_fail(tool, args, said, tmp_path):
    done = run(f"{PLAIN}tools: [{{tool: {tool}, args: {args}}}]", tmp_path)
    assert failures(done)[0].startswith(said)


def test_a_server_is_started_once_for_all_tests(tmp_path):
    place = place_in(tmp_path)
    tests = ", ".join(f"{{tool: look, args: {{city: c{number}}}}}" for number in range(20))
    done = run(f"{PLAIN}tools: [{tests}]", tmp_path, place=place)
    assert set(statuses(done).values()) == {"passed"}
    assert len(journals.find(place.journals)) == 1
    assert len(done.sessions["server"]) == 1


SLOW = """
import json, sys, threading, time
running = 0
lock = threading.Lock()
def answer(message):
    global running
    with lock:
        running += 1
        now = running
    time.sleep(0.05)
    with lock:
        running -= 1
        text = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"content": [], "structuredContent": {"running": now}}})
        print(text, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        info = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": info}), flush=True)
    elif message.get("method") == "tools/list":
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": [{"name": "look"}]}}), flush=True)
    elif message.get("method") == "tools/call":
        threading.Thread(target=answer, args=(message,)).start()
    elif "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}}), flush=True)
"""


def slow(folder) -> str:
    (folder / "slow.py").write_text(SLOW, encoding="utf-8")
    return f"server: {{command: ['{sys.executable}', slow.py]}}\n"


def at_once(done: suites.Run) -> int:
    """The most calls that the server had at one time, from what failed expectations tell."""
    return max(int(text.split(" is ")[1].split(",")[0]) for text in failures(done))


EXPECT = "expect: [{target: result.structuredContent.running, matcher: {exact: 0}}]"


@pytest.mark.parametrize(("concurrency", "most"), [(1, 1), (3, 3)])
def test_tests_run_side_by_side_as_the_policy_allows(concurrency, most, tmp_path):
    tests = ", ".join(f"{{tool: look, name: t{number}, {EXPECT}}}" for number in range(6))
    done = run(f"{slow(tmp_path)}tools: [{tests}]", tmp_path, policy=Policy(concurrency=concurrency))
    assert at_once(done) == most


def test_serial_tests_run_alone(tmp_path):
    tests = ", ".join(f"{{tool: look, name: t{number}, serial: true, {EXPECT}}}" for number in range(3))
    done = run(f"{slow(tmp_path)}tools: [{tests}]", tmp_path, policy=Policy(concurrency=3))
    assert at_once(done) == 1


def test_an_answer_that_does_not_come_fails_the_test(tmp_path):
    text = f"{slow(tmp_path)}tools: [{{tool: look, timeout: 0.01}}]"
    assert failures(run(text, tmp_path)) == ["tools/call was not answered within 0.01 s"]


def test_a_destructive_tool_is_refused_as_a_typed_skip(tmp_path):
    done = run(PLAIN + "tools: [{tool: delete_note, args: {id: x}}]", tmp_path)
    (result,) = done.results
    assert (result.status.value, result.refused) == ("skipped", Reason.DESTRUCTIVE)
    assert exit_code(done) == 5


def test_a_destructive_tool_runs_where_it_is_allowed(tmp_path):
    done = run(PLAIN + "tools: [{tool: delete_note, args: {id: x}}]", tmp_path, policy=Policy(execute_destructive=True))
    assert statuses(done) == {"tools/delete_note": "passed"}


def test_a_refusal_beside_a_test_that_ran_is_no_failure(tmp_path):
    done = run(PLAIN + "tools: [{tool: delete_note, args: {id: x}}, {tool: cities}]", tmp_path)
    assert exit_code(done) == 0


def test_a_mutating_tool_is_called_as_often_as_the_suite_says(tmp_path, monkeypatch):
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    run(PLAIN + "tools: [{tool: create_note, args: {text: a}}, {tool: create_note, args: {text: b}}]", tmp_path)
    assert (tmp_path / "calls").read_text(encoding="utf-8").split() == ["create_note"] * 2


def test_no_more_calls_are_made_than_the_budget_allows(tmp_path, monkeypatch):
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    done = run(PLAIN + "tools: [{tool: cities}, {tool: cities}, {tool: cities}]", tmp_path, policy=Policy(max_calls=2))
    assert sorted(statuses(done).values()) == ["passed", "passed", "skipped"]
    assert len((tmp_path / "calls").read_text(encoding="utf-8").split()) == 2


def test_a_test_that_is_marked_to_be_skipped_is_not_run(tmp_path):
    done = run("server: {command: /no/such/program}\ntools: [{tool: x, skip: not ready}]", tmp_path)
    assert (done.results[0].status.value, done.results[0].reason) == ("skipped", "not ready")


def test_a_server_that_dies_fails_one_test_and_serves_the_next(tmp_path):
    # plain.py dies of a call without its argument
    done = run(
        PLAIN + "tools: [{tool: look, args: {}, name: bad, serial: true}, {tool: cities, serial: true}]", tmp_path
    )
    assert statuses(done) == {"tools/bad": "failed", "tools/cities": "passed"}
    assert "ended with exit code 1" in failures(done)[0]


def test_a_server_that_is_never_ready_ends_the_run(tmp_path):
    text = f"server: {{command: ['{sys.executable}', -c, 'import time; time.sleep(60)'], start_timeout: 0.2}}\n"
    with pytest.raises(suites.Unreachable, match=r"server: the server did not answer initialize within 0\.2 s"):
        run(text + "tools: [{tool: x}]", tmp_path)


def test_a_server_that_cannot_be_started_ends_the_run(tmp_path):
    with pytest.raises(suites.Unreachable, match="cannot start '/no/such/program'"):
        run("server: {command: /no/such/program}\ntools: [{tool: x}]", tmp_path)


def test_a_mock_is_a_server_like_any_other(tmp_path):
    text = (
        STRICT
        + "tools: [{tool: search, args: {query: x}, expect: [{target: 'result.content[0].text', matcher: {exact: found x}}]}]"
    )
    assert statuses(run(text, tmp_path)) == {"tools/search": "passed"}


def test_a_suite_may_have_several_servers(tmp_path):
    text = f"servers: {{one: {PLAIN.partition('server: ')[2].strip()}}}{STRICT}"
    text += "tools: [{tool: look, server: one, args: {city: x}}, {tool: search, server: records, args: {query: x}}]"
    assert set(statuses(run(text, tmp_path)).values()) == {"passed"}


def test_a_negative_path_passes_where_bad_requests_are_refused(tmp_path):
    done = run(STRICT + "tools: [{tool: search, args: {query: x}, negative_path: }]", tmp_path)
    (result,) = done.results
    assert result.status.value == "passed"
    assert {"FAULT-SCHEMA-MISSING-REQUIRED", "FAULT-SCHEMA-TYPE-MISMATCH"} <= result.exercised
    assert "call" not in result.exercised


def test_a_negative_path_fails_where_a_bad_request_breaks_the_server(tmp_path):
    text = PLAIN + "tools: [{tool: look, args: {city: x}, negative_path: {checks: [missing_required]}}]"
    (result,) = run(text, tmp_path).results
    assert [failure.message for failure in result.failures] == ["negative_path.gate_passed is 0, not 1"]
    assert result.details[0].startswith("missing_required (FAULT-SCHEMA-MISSING-REQUIRED): crashed")


@pytest.mark.parametrize("inside", [True, False])
def test_a_negative_path_may_expect_less_than_its_default(inside, tmp_path):
    expect = "expect: [{target: negative_path.failures, matcher: {schema: {maximum: 1}}}]"
    probes = f"negative_path: {{checks: [missing_required]{', ' + expect if inside else ''}}}"
    text = f"{PLAIN}tools: [{{tool: look, args: {{city: x}}, {probes}{'' if inside else ', ' + expect}}}]"
    assert statuses(run(text, tmp_path)) == {"tools/look": "passed"}


def test_quality_is_judged_by_what_the_server_lists(tmp_path):
    text = STRICT + "tool_quality:\n  - expect:\n"
    text += "      - {target: schema_criticals, matcher: {schema: {maximum: 0}}}\n"
    text += "      - {target: 'tool[\"search\"].score', matcher: {schema: {minimum: 0.8}}}\n"
    text += "      - {target: 'tool[\"nobody\"].score', matcher: {schema: {minimum: 0.8}}}\n"
    assert failures(run(text, tmp_path)) == ['tool["nobody"].score is not there']


def test_the_default_of_quality_allows_no_critical_finding(tmp_path):
    assert statuses(run(STRICT + "tool_quality: {}", tmp_path)) == {"tool_quality/tools are well described": "passed"}


def test_compliance_judges_what_was_said_in_the_run(tmp_path):
    text = PLAIN + "tools: [{tool: cities}]\ncompliance: {spec_version: v2025-11-25, tests: [JSONRPC]}"
    assert statuses(run(text, tmp_path, place=place_in(tmp_path)))["compliance/rules hold"] == "passed"


def test_compliance_tells_what_a_server_does_against_the_specification(tmp_path):
    script = SLOW.replace('"serverInfo": {"name": "s", "version": "1"}', '"serverInfo": {"name": 5}')
    (tmp_path / "wrong.py").write_text(script, encoding="utf-8")
    text = f"server: {{command: ['{sys.executable}', wrong.py]}}\ncompliance: {{spec_version: v2025-11-25}}"
    done = run(text, tmp_path, place=place_in(tmp_path))
    assert statuses(done) == {"compliance/rules hold": "failed"}
    assert any("error: " in detail for detail in done.results[0].details)


def test_the_gates_of_compliance_are_tests_of_their_own(tmp_path):
    text = "compliance: {spec_version: v2024-11-05, spec_version_check: {against: v2025-06-18}}"
    done = run(text, tmp_path)
    assert statuses(done) == {"compliance/spec_version_check": "failed"}
    assert "spec_breaking_changes is" in done.results[0].details[0]


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    async def talk(peer):
        client = Caller(peer)
        await client.initialize()
        await client.ask("tools/list")
        await client.call("look", city="Berlin")
        await client.call("create_note", text="x")

    folder = tmp_path_factory.mktemp("recorded")
    record(folder, talk, [sys.executable, str(SERVERS / "plain.py")])
    (journal,) = journals.find(place_in(folder).journals)
    return journal


def test_a_recording_is_replayed(recording, tmp_path):
    done = run(f"{PLAIN}replay: {{capture: '{recording}'}}", tmp_path)
    assert list(statuses(done).values()) == ["passed"]


def test_what_drifted_from_a_recording_is_told_unless_it_is_masked(recording, tmp_path):
    changed = PLAIN.replace("plain.py'", "plain.py', changed-value")
    text = f"{changed}replay:\n  - {{capture: '{recording}', name: all}}\n"
    text += f"  - {{capture: '{recording}', name: masked, masks: ['look:/result/**/celsius', 'look:/result/content/0/text#/celsius']}}\n"
    done = run(text, tmp_path)
    assert statuses(done) == {"replay/all": "failed", "replay/masked": "passed"}
    assert "drift is 1, not 0" in failures(done)
    assert "/result/structuredContent/celsius" in done.results[0].details[0]


def test_snapshots_are_written_where_asked_and_then_expected(tmp_path):
    text = PLAIN + "tools: [{tool: cities, expect: [{target: 'result.content', matcher: {snapshot: cities.json}}]}]"
    assert "there is no snapshot cities.json yet" in failures(run(text, tmp_path))[0]
    assert run(text, tmp_path, update=True).written == ("cities.json",)
    assert statuses(run(text, tmp_path)) == {"tools/cities": "passed"}
    assert "cities.json at /0/text" in failures(run(text.replace("plain.py'", "plain.py', removed-item"), tmp_path))[0]


def test_secrets_of_a_server_are_not_recorded(tmp_path):
    place = place_in(tmp_path)
    token = "tok-5f2c9a8b7d6e4f3a"
    text = (
        PLAIN.replace("}", ", env: {API_TOKEN: '${SECRET_OF_TEST}'}}")
        + f"tools: [{{tool: fail, args: {{reason: {token}}}}}]"
    )
    run(text, tmp_path, place=place, environment={"SECRET_OF_TEST": token})
    (journal,) = journals.find(place.journals)
    assert token.encode() not in journal.read_bytes()


def test_a_run_is_a_report_in_every_format(tmp_path):
    done = run(PLAIN + "tools: [{tool: cities}, {tool: nonsense}, {tool: delete_note, args: {id: x}}]", tmp_path)
    told = report(done)
    assert told.exit_code == exit_code(done) == 1
    cases = ElementTree.fromstring(render(told, "junit")).findall(".//testcase")
    assert [[child.tag for child in case] for case in cases] == [[], ["failure"], ["skipped"]]
    rules = {rule["id"]: rule["help"] for rule in json.loads(render(told, "json"))["rules"]}
    assert rules["tools/nonsense"] == f"Run it alone: mcptest run {tmp_path}/suite.yml --filter tools/nonsense"


def test_servers_run_in_the_folder_of_the_suite(tmp_path):
    (tmp_path / "here.py").write_bytes((SERVERS / "plain.py").read_bytes())
    done = run(f"server: {{command: '{sys.executable} here.py'}}\ntools: [{{tool: cities}}]", tmp_path)
    assert statuses(done) == {"tools/cities": "passed"}


STUCK = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if method == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [{"name": "look"}, {"name": "hang"}]}
    elif method == "tools/call" and message["params"]["name"] == "hang":
        time.sleep(60)
    elif method == "server/discover":
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}}), flush=True)
        continue
    else:
        result = {"content": []}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def test_a_server_that_is_stuck_fails_one_test_and_another_serves_the_next(tmp_path):
    (tmp_path / "stuck.py").write_text(STUCK, encoding="utf-8")
    text = f"server: {{command: ['{sys.executable}', stuck.py]}}\n"
    text += "tools: [{tool: hang, timeout: 0.2, serial: true}, {tool: look, serial: true}]"
    assert statuses(run(text, tmp_path)) == {"tools/hang": "failed", "tools/look": "passed"}


def test_a_server_that_cannot_be_met_again_is_not_waited_for_again_and_again(tmp_path):
    script = f"import os, sys\nif os.path.exists('met'): sys.exit(3)\nopen('met', 'w').close()\n{STUCK}"
    (tmp_path / "once.py").write_text(script.replace("time.sleep(60)", "sys.exit(9)"), encoding="utf-8")
    text = f"server: {{command: ['{sys.executable}', once.py]}}\n"
    text += "tools: [{tool: hang, serial: true}, {tool: look, serial: true}, {tool: look, serial: true}]"
    done = run(text, tmp_path)
    assert set(statuses(done).values()) == {"failed"}
    assert done.unreachable.startswith("server: the server ended with exit code 3")
    assert exit_code(done) == 3


def test_a_secret_from_the_environment_is_not_told(tmp_path):
    token = "tok-5f2c9a8b7d6e4f3a"
    text = PLAIN + "tools: [{tool: fail, args: {reason: '${API_TOKEN}'}}]"
    done = run(text, tmp_path, environment={"API_TOKEN": token})
    assert token not in render(report(done), "json")
    assert "failed: [hidden]" in done.results[0].details[0]


def test_a_damaged_snapshot_is_bad_input(tmp_path):
    (tmp_path / "s.json").write_text("{", encoding="utf-8")
    text = PLAIN + "tools: [{tool: cities, expect: [{target: result, matcher: {snapshot: s.json}}]}]"
    with pytest.raises(UsageError, match=r"s\.json is no snapshot: it is not JSON"):
        run(text, tmp_path)


@pytest.mark.parametrize(("query", "status"), [("x", "skipped"), ("y", "failed")])
def test_a_call_is_judged_even_where_its_probes_could_not_be_made(query, status, tmp_path):
    text = STRICT + "tools:\n  - tool: search\n    args: {query: x}\n    negative_path: {checks: [missing_required]}\n"
    text += f"    expect: [{{target: 'result.content[0].text', matcher: {{exact: found {query}}}}}]"
    done = run(text, tmp_path, policy=Policy(max_calls=1))
    assert statuses(done) == {"tools/search": status}


def test_a_grade_that_is_worse_than_a_saved_one_fails(tmp_path):
    place = place_in(tmp_path)
    text = f"{PLAIN}compliance: {{spec_version: v2025-11-25, grade_delta: {{against: card.json}}}}"
    card = {"mcptest_scorecard": 1, "side": "server", "spec_versions": ["v2025-11-25"], "exercised": 1, "rules": 1}
    card |= {"grade": "A+", "score": 100.0, "capped": []}
    sections = {"JSONRPC": {"score": 100.1, "exercised": 1, "rules": 1, "failed": []}}
    (tmp_path / "card.json").write_text(json.dumps({**card, "sections": sections}), encoding="utf-8")
    assert statuses(run(text, tmp_path, place=place, filters=("grade_delta",))) == {"compliance/grade_delta": "failed"}
    (tmp_path / "card.json").write_text(
        json.dumps({**card, "grade": "F", "score": 1.0, "sections": {}}), encoding="utf-8"
    )
    assert statuses(run(text, tmp_path, place=place, filters=("grade_delta",))) == {"compliance/grade_delta": "passed"}
