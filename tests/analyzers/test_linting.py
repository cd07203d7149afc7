from __future__ import annotations

import json
import multiprocessing
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from mcptest import config
from mcptest.analyzers import Analysis, Job, Plan, analyse, each, lint, load_rules, plan, report
from mcptest.catalogue import read
from mcptest.errors import CaptureError, UsageError
from mcptest.findings import Severity, Status
from mcptest.rules import Rule

OWN = '''"""Name is short.

Longer is better.
"""
from mcptest.rules import Severity, tools

ID = "OWN-001"
SEVERITY = Severity.ERROR
ON = tools


def check(tool):
    if len(tool.name) < 3:
        yield "too short"
'''
CRASHING = OWN.replace("OWN-001", "OWN-002").replace("len(tool.name) < 3", "tool.nothing")


def settings(tmp_path: Path, text: str) -> config.Config:
    (tmp_path / "mcptest.toml").write_text(text, encoding="utf-8")
    return config.load(tmp_path)


def test_the_configuration_chooses_rules_and_sets_their_options(tmp_path: Path) -> None:
    chosen = plan(
        settings(
            tmp_path, '[lint]\nselect = ["DESC"]\nignore = ["DESC-005"]\n[lint.options.DESC-007]\nmax_length = 9\n'
        )
    )
    rules = {rule.id: rule for rule in load_rules(chosen)}
    assert set(rules) == {f"DESC-00{number}" for number in (1, 2, 3, 4, 6, 7, 8)}
    assert rules["DESC-007"].options == {"max_length": 9}
    found = lint(read('[{"name": "a", "description": "ten letters"}]', "x"), [rules["DESC-007"]])
    assert found[0].findings[0].message == "the description has 11 characters, more than 9"


def test_the_command_line_goes_before_the_configuration(tmp_path: Path) -> None:
    chosen = plan(settings(tmp_path, '[lint]\nselect = ["DESC"]\n'), ["SCH-001"], ["SCH-002"])
    assert (chosen.select, chosen.ignore) == (("SCH-001",), ("SCH-002",))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[lint]\nselects = []", "unknown key 'selects'"),
        ("[lint]\nselect = 'DESC'", "select must be a list of strings"),
        ("[lint]\noptions = 5", "options must be a table"),
        ("[lint.options.DESC-007]\nmaximum = 9", "rule DESC-007 has no option 'maximum'"),
        ("[lint.options.DESC-099]\nx = 9", "no rule is called 'DESC-099'"),
        ("[lint]\nselect = ['XYZ']", "no rule is called 'XYZ'"),
        ("[lint]\nrules = ['nowhere']", "nowhere is not a folder of rules"),
    ],
)
def test_a_mistake_in_the_configuration_is_one_clear_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        load_rules(plan(settings(tmp_path, text)))


def test_a_project_adds_its_own_rules_beside_its_configuration(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "short.py").write_text(OWN, encoding="utf-8")
    chosen = plan(settings(tmp_path, "[lint]\nrules = ['rules']\nselect = ['OWN']"))
    found = lint(read('[{"name": "ab"}, {"name": "abc"}]', "x"), load_rules(chosen))
    assert [verdict.counts for verdict in found] == ["1 of 2 tools"]


def sources(tmp_path: Path, count: int) -> list[str]:
    for number in range(count):
        (tmp_path / f"{number}.json").write_text(json.dumps([{"name": f"t{number}"}]), encoding="utf-8")
    return [str(tmp_path / f"{number}.json") for number in range(count)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_source_is_analysed_whatever_the_number_of_processes(tmp_path: Path, jobs: int) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "short.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "rules" / "crashing.py").write_text(CRASHING, encoding="utf-8")
    chosen = Plan(folders=(str(tmp_path / "rules"),))
    names = sources(tmp_path, 5)
    results = dict(each(names, Job(analyse, chosen), jobs))
    whole = report("t", [results[number] for number in range(5)], load_rules(chosen), Severity.ERROR)
    verdicts = {verdict.rule: verdict for verdict in whole.verdicts}
    assert whole.sources == tuple(names)
    assert verdicts["OWN-001"].counts == "5 of 5 tools"
    assert verdicts["OWN-002"].status is Status.CRASHED
    assert verdicts["DESC-002"].counts == "5 of 5 tools"
    assert set(whole.scores) == set(names)
    assert whole.exit_code == 4


def failing(source: str, using: Sequence[Rule]) -> Analysis:
    raise UsageError(f"{source} is bad")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bad_source_is_told_from_any_process(tmp_path: Path, jobs: int) -> None:
    with pytest.raises(UsageError, match="is bad"):
        list(each(sources(tmp_path, 3), Job(failing, Plan()), jobs))


def test_no_process_outlives_the_results(tmp_path: Path) -> None:
    assert len(list(each(sources(tmp_path, 3), Job(analyse, Plan()), 2))) == 3
    assert multiprocessing.active_children() == []


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no file .*none\.json"):
        analyse(str(tmp_path / "none.json"), load_rules())
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not UTF-8"):
        analyse(str(tmp_path / "binary"), load_rules())
    with pytest.raises(CaptureError, match=f"nothing recorded yet in {re.escape(str(tmp_path))}"):
        analyse(str(tmp_path), load_rules())
