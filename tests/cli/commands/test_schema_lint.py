from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.helpers.cli import Cli, start

EXAMPLE = Path(__file__).parents[3] / "examples" / "tool-schema-lint"
LOOSE = '[{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {}}}}]\n'


@pytest.fixture
def loose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.json").write_text(LOOSE, encoding="utf-8")
    return tmp_path / "tools.json"


def test_the_example_is_tightened_byte_for_byte(tmp_path: Path) -> None:
    done = start("schema-lint", str(EXAMPLE / "loose.json"), "--fix")
    assert (done.code, done.err) == (0, "")
    assert done.out.encode() == (EXAMPLE / "tightened.json").read_bytes()
    again = start("schema-lint", str(EXAMPLE / "tightened.json"), "--fix")
    assert again.out == done.out


def test_the_example_leaves_what_only_its_author_knows(cli: Cli) -> None:
    report = json.loads(cli("schema-lint", str(EXAMPLE / "tightened.json"), "--format", "json").out)
    assert {finding["rule"] for finding in report["findings"]} == {"SCH-003", "SCH-004"}


def test_findings_are_told_with_their_place_and_exit_1(cli: Cli, loose: Path) -> None:
    done = cli("schema-lint", "tools.json")
    assert done.code == 1
    assert "critical SCH-003 property 'x' declares neither type nor enum" in done.out
    assert "tools.json:1:70 /inputSchema/properties/x" in done.out
    assert done.out.endswith("3 findings: 1 critical, 2 warnings (13 rules: 10 passed, 3 failed)\n")


def test_a_strict_catalogue_passes(cli: Cli, loose: Path) -> None:
    loose.write_text(
        '[{"name": "a", "inputSchema": {"type": "object", "additionalProperties": false}}]', encoding="utf-8"
    )
    assert cli("schema-lint", "tools.json").code == 0


def test_a_limit_can_be_set(cli: Cli, loose: Path) -> None:
    loose.write_text('[{"name": "a", "inputSchema": {"type": "object"}}]', encoding="utf-8")
    assert cli("schema-lint", "tools.json").code == 1
    assert cli("schema-lint", "tools.json", "--fail-on", "critical").code == 0


def test_standard_input_is_a_source() -> None:
    done = start("schema-lint", "-", "--fix", input=LOOSE.encode())
    assert json.loads(done.out)[0]["inputSchema"]["required"] == ["x"]


def test_writing_changes_the_file_and_keeps_its_mode(cli: Cli, loose: Path) -> None:
    loose.chmod(0o640)
    done = cli("schema-lint", "tools.json", "--fix", "--write")
    assert (done.code, done.out, done.complaint) == (0, "", "tools.json: 1 tool tightened")
    assert json.loads(loose.read_text(encoding="utf-8"))[0]["inputSchema"]["additionalProperties"] is False
    assert loose.stat().st_mode & 0o777 == 0o640
    assert os.listdir(loose.parent) == ["tools.json"]


def test_a_file_that_is_tight_is_not_even_touched(cli: Cli, loose: Path) -> None:
    cli("schema-lint", "tools.json", "--fix", "--write")
    before = loose.stat()
    assert cli("schema-lint", "tools.json", "--fix", "--write").complaint == "tools.json: no tools tightened"
    assert (loose.stat().st_ino, loose.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_nothing_is_written_through_a_link(cli: Cli, loose: Path) -> None:
    (loose.parent / "link.json").symlink_to(loose)
    done = cli("schema-lint", "link.json", "--fix", "--write")
    assert done.code == 2
    assert "symbolic link" in done.complaint
    assert loose.read_text(encoding="utf-8") == LOOSE


def test_a_failed_write_leaves_the_file_whole(cli: Cli, loose: Path) -> None:
    """As on a full disk: a file may not grow beyond what is there already."""
    import resource
    import signal

    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, limit[1]))
        code = cli("schema-lint", "tools.json", "--fix", "--write").code
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, old)
    assert code == 4
    assert loose.read_text(encoding="utf-8") == LOOSE
    assert os.listdir(loose.parent) == ["tools.json"]


def test_the_difference_can_be_seen_first(cli: Cli, loose: Path) -> None:
    done = cli("schema-lint", "tools.json", "--fix", "--diff")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[:2] == ["--- tools.json", "+++ tools.json (tightened)"]
    assert [line[0] for line in lines[3:]] == ["-", "+"]
    assert loose.read_text(encoding="utf-8") == LOOSE


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["tools.json", "--write"], "--write and --diff go with --fix"),
        (["tools.json", "--fix", "--write", "--diff"], "give one of them"),
        (["tools.json", "--fix", "--format", "json"], "prints a catalogue, not a report"),
        (["tools.json", "--fix", "--write", "-o", "x.json"], "goes neither with - nor with -o"),
        (["none.json"], "there is no file none.json"),
        (["tools.json", "--fail-on", "never"], "unknown severity 'never'"),
        (["tools.json", "--format", "pdf"], "unknown format 'pdf'"),
        ([], "missing argument 'SOURCE'"),
    ],
)
def test_wrong_use_is_one_clear_line(cli: Cli, loose: Path, arguments: list[str], complaint: str) -> None:
    done = cli("schema-lint", *arguments)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.complaint


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("not json", "tools.json is not JSON: expected a value (line 1, column 1)"),
        ("{}", "tools.json is not a catalogue"),
        ("\x00", "is not JSON"),
        ('{"jsonrpc": "2.0", "id": 1, "error": {}}', "is an error response"),
    ],
)
@pytest.mark.parametrize("fix", [[], ["--fix"], ["--fix", "--write"]])
def test_a_file_that_is_no_catalogue_is_its_owner_s_mistake(
    cli: Cli, loose: Path, text: str, complaint: str, fix: list[str]
) -> None:
    loose.write_text(text, encoding="utf-8")
    done = cli("schema-lint", "tools.json", *fix)
    assert done.code == 2
    assert complaint in done.complaint
    assert loose.read_text(encoding="utf-8") == text


def test_what_the_server_got_wrong_is_a_finding(cli: Cli, loose: Path) -> None:
    loose.write_text('{"tools": [{"inputSchema": 5}, {"name": "b", "inputSchema": []}, 7]}', encoding="utf-8")
    done = cli("schema-lint", "tools.json")
    assert done.code == 1
    assert "CAT-001 name is missing" in done.out
    assert "CAT-003 inputSchema is a number, not a schema object" in done.out
    assert "CAT-001 the entry is a number, not an object" in done.out


def test_captured_text_reaches_no_terminal_raw(loose: Path) -> None:
    loose.write_text(
        json.dumps([{"name": "\x1b[2J\u202e", "inputSchema": {"properties": {"\x9b": {}}}}]), encoding="utf-8"
    )
    done = start("schema-lint", str(loose))
    assert "\x1b" not in done.out
    assert "\x9b" not in done.out
    assert "\u202e" not in done.out
