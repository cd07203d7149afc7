"""`mcptest replay` and `mcptest tools` as a user runs them."""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import anyio
import pytest

import mcptest
from mcptest.capture import formats
from mcptest.policy import Policy
from mcptest.replay import Kind
from mcptest.wire import Frame
from tests.e2e.conversation import with_weather
from tests.helpers.cli import Cli, Outcome
from tests.helpers.journals import Talk
from tests.proxy.wrapped import MCPTEST, wait_until
from tests.replay.recorded import PLAIN, Caller, record

WEATHER = [sys.executable, str(Path(__file__).parents[2] / "fixtures" / "servers" / "weather.py")]


def write(frames: list[Frame], path: Path) -> Path:
    with path.open("wb") as file:
        formats.get("jsonl").write(iter(frames), file)
    return path


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> list[Frame]:
    return record(tmp_path_factory.mktemp("recorded"))


@pytest.fixture
def golden(frames: list[Frame], tmp_path: Path) -> Path:
    return write(frames, tmp_path / "golden.jsonl")


class Replay:
    """`mcptest replay` against plain.py, in this process, with a capture of its own."""

    def __init__(self, folder: Path, captured: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.capture = folder / "capture"
        self._cli, self._patch = Cli(self.capture, captured), patch
        patch.setenv("MCPTEST_CAPTURE", str(self.capture))
        patch.chdir(folder)
        patch.setattr(sys, "stdin", io.StringIO())

    def __call__(self, *arguments: str, change: str = "", server: list[str] | None = None, **env: str) -> Outcome:
        for name, value in env.items():
            self._patch.setenv(name, value)
        command = server if server is not None else [*PLAIN, change] if change else PLAIN
        return self._cli("replay", *arguments, *(["--", *command] if command else []))

    def other(self, *arguments: str) -> Outcome:
        return self._cli(*arguments)


@pytest.fixture
def replay(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Replay:
    return Replay(tmp_path, capsys, monkeypatch)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_session_of_the_sdk_replays_without_drift_in_either_era(tmp_path, mode):
    capture = tmp_path / "capture"
    anyio.run(with_weather, [*MCPTEST, "record", "--capture", str(capture), "--name", "w", "--", *WEATHER], mode)
    with mcptest.replay("w", WEATHER, capture=capture, parallel=mode == "legacy") as replayed:
        replayed.check()
        assert replayed.exit_code == 0
        assert replayed.skipped == ()


def test_a_replay_tells_in_one_line_that_nothing_drifted_and_is_a_session_itself(replay, golden):
    done = replay(str(golden))
    assert done.code == 0
    (line,) = done.out.splitlines()
    assert line.startswith("18 requests: 18 as recorded; this replay is session ")
    session = line.rpartition(" ")[2]
    query = f"SELECT count(*) AS n FROM exchanges WHERE session = '{session}'"
    rows = replay.other("sql", query, "--format", "json")
    assert json.loads(rows.out)[0]["n"] >= 18


def test_drift_is_shown_as_a_readable_difference(replay, golden):
    done = replay(str(golden), change="changed-text")
    assert done.code == 1
    assert "drift #7 tools/call survey" in done.out
    assert "    -all is well\n    +it rains\n" in done.out


@pytest.mark.parametrize("format", ["json", "sarif", "junit", "github", "gitlab", "markdown", "html", "ndjson"])
def test_every_format_tells_of_drift_and_of_what_was_skipped(replay, golden, format):
    done = replay(str(golden), "--format", format, "--max-calls", "3", change="changed-value")
    assert done.code == 1
    assert "celsius" in done.out
    if format == "junit":
        cases = list(ElementTree.fromstring(done.out).iter("testcase"))
        kinds = [next((child.tag for child in case if child.tag != "system-out"), "passed") for case in cases]
        assert (len(cases), kinds.count("failure"), kinds.count("skipped")) == (18, 1, 6)
    if format == "json":
        assert [one["rule"] for one in json.loads(done.out)["findings"] if one["rule"].startswith("DRIFT")] == [
            "DRIFT-CONTENT"
        ]


def test_a_report_of_a_replay_can_be_rendered_again(replay, tmp_path, golden):
    replay(str(golden), "-o", str(tmp_path / "out.json"), change="changed-value")
    again = replay.other("report", str(tmp_path / "out.json"), "--format", "markdown")
    assert "celsius" in again.out


def test_masks_come_from_the_command_line_and_from_the_configuration(replay, tmp_path, golden):
    assert replay(str(golden), change="changed-value").code == 1
    assert replay(str(golden), "--mask", "look:/structuredContent/celsius", change="changed-value").code == 0
    assert replay(str(golden), "--compare", "shape", change="changed-value").code == 0
    (tmp_path / "mcptest.toml").write_text(
        '[replay]\nmasks = [{tool = "look", pointer = "/structuredContent/celsius"}]\n', encoding="utf-8"
    )
    assert replay(str(golden), change="changed-value").code == 0


@pytest.mark.parametrize(
    ("change", "code"),
    [("changed-text", 0), ("time-is-never", 0), ("extra-progress", 0), ("missing-notification", 0), ("reordered-tools", 0),
     ("changed-question", 0), ("error-instead-of-result", 0), ("no-question", 1)],
)  # fmt: skip
def test_what_is_accepted_is_no_drift_any_more(replay, golden, change, code):
    before = golden.read_text(encoding="utf-8")
    assert replay(str(golden), "--update", "--yes", change=change).code == code
    assert (golden.read_text(encoding="utf-8") == before) is (code == 1)
    assert replay(str(golden), change=change).code == code


def test_nothing_is_accepted_without_somebody_who_agrees(replay, golden):
    done = replay(str(golden), "--update", change="changed-text")
    assert done.code == 2
    assert "--yes" in done.complaint


def test_a_session_of_a_capture_is_updated_by_a_new_one_of_its_name(replay, tmp_path, frames):
    header = json.loads(frames[0].data) | {"name": "golden"}
    named = [frames[0]._replace(data=json.dumps(header).encode()), *frames[1:]]
    replay.other("import", str(write(named, tmp_path / "g.jsonl")))
    assert replay("golden", "--update", "--yes", change="changed-text").code == 0
    assert replay("golden", change="changed-text").code == 0


def test_the_last_session_is_the_last_that_is_no_replay(replay, golden):
    replay.other("import", str(golden))
    for _ in range(2):
        assert replay("last").out.startswith("18 requests: 18 as recorded")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["{golden}"], "no target"),
        (["{golden}", "--url", "http://h/", "--", "x"], "not both"),
        (["{golden}", "--url", "nonsense"], "a target's URL"),
        (["{golden}", "--header", "X: y", "--", "x"], "for --url"),
        (["{golden}", "--url", "http://h/", "--bearer-env", "NO_SUCH_VARIABLE"], "no such environment variable"),
        (["{golden}", "--mask", "no-pointer", "--", "x"], "begins with '/'"),
        (["{golden}", "--mask-pattern", "(", "--", "x"], "no regular expression"),
        (["{golden}", "--no-mask", "nonsense", "--", "x"], "no built-in mask"),
        (["{golden}", "--secret", "x", "--", "x"], "PLACEHOLDER=ENVIRONMENT_VARIABLE"),
        (["nowhere.jsonl", "--", "x"], "there is no file"),
        (["{empty}", "--", "x"], "nothing to replay"),
    ],
)
def test_bad_input_is_one_clear_line_and_nothing_is_called(replay, tmp_path, golden, arguments, complaint):
    empty = write(Talk().frames, tmp_path / "empty.jsonl")
    given = [one.format(golden=golden, empty=empty) for one in arguments]
    done = replay(*given, server=[])
    assert done.code == 2
    assert complaint in done.complaint


def test_a_target_that_dies_or_is_not_there_is_told_apart_from_drift(replay, golden):
    assert replay(str(golden), change="dies").code == 3
    done = replay(str(golden), server=["/nonexistent/server"])
    assert (done.code, done.complaint) == (3, "cannot start '/nonexistent/server': No such file or directory")
    assert replay(str(golden), "--url", "http://127.0.0.1:9/mcp", server=[]).code == 3
    assert len(list(replay.capture.glob("*/*.mcpj"))) == 1  # what never began leaves nothing behind


# ---- the safety policy, by a server that counts


def notes(call: list[tuple[str, dict[str, str]]]):
    async def talk(peer) -> None:
        client = Caller(peer)
        await client.initialize()
        for tool, arguments in call:
            await client.call(tool, **arguments)

    return talk


def calls_of(replay: Replay, *arguments: str, recorded: Path) -> tuple[Outcome, list[str]]:
    path = recorded.with_name("calls")
    path.write_text("", encoding="utf-8")
    done = replay(str(recorded), *arguments, CALLS=str(path))
    return done, path.read_text(encoding="utf-8").split()


def test_a_destructive_tool_is_never_called_without_the_flag_and_a_mutating_one_never_twice(replay, tmp_path):
    talk = notes([("create_note", {"text": "a"}), ("create_note", {"text": "b"}), ("delete_note", {"id": "x"}),
                  ("delete_note", {"id": "y"}), ("look", {"city": "Rome"}), ("look", {"city": "Rome"})])  # fmt: skip
    recorded = write(record(tmp_path / "r", talk), tmp_path / "g.jsonl")
    done, calls = calls_of(replay, recorded=recorded)
    assert calls == ["create_note", "look", "look"]
    assert done.code == 0
    assert "is destructive (its name says 'delete')" in done.out
    assert "was called in this run already" in done.out
    for flags, expected in (
        (["--execute-destructive"], ["create_note", "delete_note", "look", "look"]),
        (["--repeat-mutating"], ["create_note", "create_note", "look", "look"]),
        (["--execute-destructive", "--repeat-mutating"], ["create_note"] * 2 + ["delete_note", "look", "look"]),
        (["--learn-masks"], ["create_note", "look", "look", "look", "look"]),
        (["--max-calls", "2"], ["create_note", "look"]),
        (["--parallel", "--concurrency", "64"], ["create_note", "look", "look"]),
    ):
        assert calls_of(replay, *flags, recorded=recorded)[1] == expected


def crowd(tool: str, **arguments: str):
    """64 calls at once."""

    async def talk(peer) -> None:
        await Caller(peer).initialize()
        params = {"name": tool, "arguments": arguments}
        calls = [
            await peer.begin({"jsonrpc": "2.0", "id": f"c{number}", "method": "tools/call", "params": params})
            for number in range(64)
        ]
        await asyncio.gather(*calls)

    return talk


def test_under_64_calls_at_once_exactly_max_calls_reach_the_server(replay, tmp_path):
    recorded = write(record(tmp_path / "r", crowd("look", city="Rome")), tmp_path / "g.jsonl")
    at_once = ["--parallel", "--concurrency", "64"]
    assert calls_of(replay, *at_once, recorded=recorded)[1] == ["look"] * 64
    for limit in (0, 1, 17, 63):
        done, calls = calls_of(replay, *at_once, "--max-calls", str(limit), recorded=recorded)
        assert len(calls) == limit
        assert done.out.count(f"the run's {limit} calls are spent") == 64 - limit
        assert done.code == (5 if limit == 0 else 0)


def test_under_64_calls_at_once_a_mutating_tool_is_called_once_and_a_destructive_one_never(replay, tmp_path):
    for tool, flags, most in (
        ("create_note", [], 1),
        ("delete_note", [], 0),
        ("delete_note", ["--execute-destructive"], 1),
    ):
        arguments = {"text": "a"} if tool == "create_note" else {"id": "x"}
        recorded = write(record(tmp_path / f"{tool}{most}", crowd(tool, **arguments)), tmp_path / f"{tool}{most}.jsonl")
        _, calls = calls_of(replay, "--parallel", "--concurrency", "64", *flags, recorded=recorded)
        assert calls == [tool] * most


def test_where_the_policy_refuses_everything_the_exit_code_says_so(replay, tmp_path):
    recorded = write(record(tmp_path / "r", notes([("delete_note", {"id": "x"})])), tmp_path / "g.jsonl")
    done, calls = calls_of(replay, recorded=recorded)
    assert (done.code, calls) == (5, [])


def test_a_recording_cannot_call_a_tool_harmless_that_the_server_does_not(replay, tmp_path):
    """The recorded listing says read-only; the live server says nothing of the kind."""
    talk = Talk().handshake()
    tool = {"name": "delete_note", "inputSchema": {}, "annotations": {"readOnlyHint": True}}
    talk.request(1, "tools/list").result(1, tools=[tool])
    talk.request(2, "tools/call", name="delete_note", arguments={"id": "x"}).result(2, content=[])
    bare = Talk().handshake().request(2, "tools/call", name="delete_note", arguments={"id": "x"}).result(2, content=[])
    for number, one in enumerate((talk, bare)):
        _, calls = calls_of(replay, recorded=write(one.frames, tmp_path / f"{number}.jsonl"))
        assert calls == []


def test_tools_are_listed_with_class_decision_and_reason(replay, golden):
    done = replay.other("tools", str(golden), "--format", "json")
    found = {row["tool"]: row for row in json.loads(done.out)}
    assert found["look"]["class"] == "ReadOnly"
    assert (found["create_note"]["decision"], found["create_note"]["why"]) == ("ExecuteOnce", "its name says 'create'")
    assert (found["delete_note"]["decision"], found["delete_note"]["calls"]) == ("Refuse", 0)
    more = json.loads(replay.other("tools", str(golden), "--format", "json", "--can-emit-test").out)
    assert next(row["decision"] for row in more if row["tool"] == "delete_note") == "GenerateOnly"


# ---- secrets


SECRET = "ghp_" + "a1B2" * 9


def test_a_redacted_secret_is_sent_as_recorded_or_from_the_environment_and_never_kept(replay, tmp_path):
    talk = notes([("look", {"city": "Rome", "api_key": SECRET}), ("read_note", {"id": SECRET})])
    recorded = write(record(tmp_path / "r", talk), tmp_path / "g.jsonl")
    text = recorded.read_text(encoding="utf-8")
    assert SECRET not in text
    placeholder = "redacted-" + text.partition("redacted-")[2][:12]
    done = replay(str(recorded))
    assert done.code == 0, done.out
    assert "--secret" in done.err
    done = replay(str(recorded), "--secret", f"{placeholder}=TOKEN", TOKEN=SECRET)
    assert (done.code, done.err) == (0, "")
    found = subprocess.run(["grep", "-rl", SECRET, str(tmp_path)], capture_output=True, text=True, check=False)
    assert found.stdout == ""


def test_the_recorded_command_is_never_run(replay, tmp_path, frames):
    header = json.loads(frames[0].data)
    bait = tmp_path / "bait"
    header["target"] = {"argv": ["touch", str(bait)], "url": f"file://{bait}"}
    recorded = write([frames[0]._replace(data=json.dumps(header).encode()), *frames[1:]], tmp_path / "g.jsonl")
    assert replay(str(recorded)).code == 0
    assert replay(str(recorded), server=[]).code == 2
    assert not bait.exists()


# ---- the Python API


def test_the_api_tells_what_drifted(golden, tmp_path):
    with mcptest.replay(golden, [*PLAIN, "changed-value"], capture=tmp_path / "capture") as replayed:
        assert [one.kind for one in replayed.drift] == [Kind.CONTENT]
        assert replayed.exit_code == 1
        with pytest.raises(AssertionError, match="DRIFT-CONTENT /result/structuredContent/celsius"):
            replayed.check()
    masks = ["look:/structuredContent/celsius"]
    with mcptest.replay(golden, [*PLAIN, "changed-value"], masks=masks, record=False, policy=Policy()) as replayed:
        replayed.check()
        assert replayed.session is None


def test_the_api_works_in_a_test_that_has_an_event_loop(golden):
    async def scene() -> int:
        with mcptest.replay(golden, PLAIN, record=False) as replayed:
            return replayed.exit_code

    assert asyncio.run(scene()) == 0


def test_importing_the_package_loads_nothing_heavy():
    script = (
        "import sys, mcptest; print(sorted(m for m in sys.modules if m.startswith(('mcptest.', 'asyncio', 'orjson'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={**os.environ}
    )
    assert done.stdout.strip() == "[]"


def test_a_server_does_not_outlive_a_replay_that_is_ended(golden, tmp_path):
    """By SIGTERM, as CI ends what it no longer wants."""
    started = tmp_path / "pid"
    code = f"import os, time; open({str(started)!r}, 'w').write(str(os.getpid())); time.sleep(1000)"
    process = subprocess.Popen(
        [sys.executable, "-m", "mcptest", "replay", str(golden), "--", sys.executable, "-c", code],
        env={**os.environ, "MCPTEST_CAPTURE": str(tmp_path / "capture")},
        stderr=subprocess.DEVNULL,
    )
    assert wait_until(lambda: started.exists() and bool(started.read_text(encoding="utf-8")))
    process.terminate()
    assert process.wait(30) == 130
    assert not Path(f"/proc/{started.read_text(encoding='utf-8')}").exists()
