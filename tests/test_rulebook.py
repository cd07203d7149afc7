from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mcptest import catalogue, rulebook
from mcptest.errors import UsageError
from mcptest.findings import Severity
from mcptest.rules import judge

RULE = '''"""Name is shouted.

Nobody likes that.
"""

from mcptest.rules import Severity, tools

ID = "OWN-001"
SEVERITY = Severity.INFO
ON = tools
OPTIONS = {"longest": 3, "words": ["A"]}


def check(tool, options):
    if tool.name.isupper() and len(tool.name) > options["longest"]:
        yield f"{tool.name} is shouted"
'''


def folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_folder_of_modules_is_a_set_of_rules(tmp_path: Path) -> None:
    (rule,) = rulebook.from_folder(folder(tmp_path, shouting=RULE, _helper="raise RuntimeError"))
    assert (rule.id, rule.family, rule.severity) == ("OWN-001", "OWN", Severity.INFO)
    assert (rule.summary, rule.help) == ("Name is shouted.", "Nobody likes that.")
    found = catalogue.read(json.dumps([{"name": "SEARCH"}, {"name": "ADD"}]), "x")
    assert [finding.message for finding in judge([rule], found)[0].findings] == ["SEARCH is shouted"]


def test_options_and_severity_can_be_set(tmp_path: Path) -> None:
    (rule,) = rulebook.from_folder(folder(tmp_path, shouting=RULE))
    again = rulebook.configure(rulebook.configure(rule, {"longest": 9}), {"longest": 2, "severity": "error"})
    found = catalogue.read(json.dumps([{"name": "ADD"}]), "x")
    assert judge([rule], found)[0].findings == ()
    assert judge([again], found)[0].findings[0].severity is Severity.ERROR


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"longset": 1}, "has no option 'longset'; known: longest, severity, words"),
        ({"longest": "1"}, "'longest' of rule OWN-001 must be int"),
        ({"longest": True}, "must be int"),
        ({"severity": "loud"}, "unknown severity 'loud'"),
    ],
)
def test_a_wrong_option_is_refused(tmp_path: Path, given: dict[str, object], complaint: str) -> None:
    (rule,) = rulebook.from_folder(folder(tmp_path, shouting=RULE))
    with pytest.raises(UsageError, match=complaint):
        rulebook.configure(rule, given)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "it needs ID"),
        (RULE.replace("SEVERITY = Severity.INFO", "SEVERITY = 'info'"), "it needs SEVERITY, of type Severity"),
        (RULE.replace("ON = tools", ""), "it needs ON"),
        (RULE.replace("def check", "def judge"), "it needs a function check"),
        (RULE.partition('"""\n\nfrom')[2].join(["from", ""]), "it needs a docstring"),
        ("import nothing_of_this_name", "cannot load rules from .*ModuleNotFoundError"),
        ("def (", "cannot load rules from .*SyntaxError"),
    ],
    ids=["empty", "severity", "on", "check", "docstring", "import", "syntax"],
)
def test_a_module_that_is_no_rule_is_refused_by_name(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as caught:
        rulebook.from_folder(folder(tmp_path, broken=text))
    assert "broken.py" in str(caught.value)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder of rules"):
        rulebook.from_folder(tmp_path / "none")


def test_two_rules_with_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"two rules have the id OWN-001: .*a\.py and .*b\.py"):
        rulebook.unique(rulebook.from_folder(folder(tmp_path, a=RULE, b=RULE)))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution with rules, as pip would have laid it out."""
    package = tmp_path / "own_rules"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "shouting.py").write_text(RULE, encoding="utf-8")
    (package / "_helper.py").write_text("raise RuntimeError", encoding="utf-8")
    info = tmp_path / "own_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-rules\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[mcptest.rules]\nown = own_rules\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    for name in [name for name in sys.modules if name.startswith("own_rules")]:
        del sys.modules[name]


def test_other_distributions_add_rules_by_entry_point(installed: None) -> None:
    assert [rule.id for rule in rulebook.from_entry_points()] == ["OWN-001"]


def test_rules_are_chosen_by_id_or_beginning(tmp_path: Path) -> None:
    names = ("A-001", "A-002", "B-001")
    texts = {name.replace("-", ""): RULE.replace("OWN-001", name) for name in names}
    rules = rulebook.unique(rulebook.from_folder(folder(tmp_path, **texts)))

    def chosen(*select: str, ignore: tuple[str, ...] = ()) -> list[str]:
        return [rule.id for rule in rulebook.choose(rules, select, ignore)]

    assert chosen() == list(names)
    assert chosen("A") == ["A-001", "A-002"]
    assert chosen("ALL", ignore=("A-001",)) == ["A-002", "B-001"]
    with pytest.raises(UsageError, match=r"no rule is called 'A-003'; did you mean A-00"):
        chosen("A-003")
    with pytest.raises(UsageError, match="no rule is called 'Z'"):
        chosen(ignore=("Z",))
    with pytest.raises(UsageError, match="every rule is deselected"):
        chosen("A", ignore=("A",))
