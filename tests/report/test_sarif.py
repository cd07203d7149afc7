from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from mcptest.findings import Evidence
from mcptest.report import render
from tests.report import samples

# A package that ships the official schema of SARIF 2.1.0; the schema itself is not ours to commit.
PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
MEMBER = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
CACHE = Path(__file__).resolve().parents[2] / ".cache"
PATIENCE = 120  # seconds for the registry to answer


def run(sample: str = "full") -> dict[str, Any]:
    document = json.loads(render(samples.ALL[sample](), "sarif"))
    assert document["version"] == "2.1.0"
    (only,) = document["runs"]
    return only


@pytest.fixture(scope="session")
def official(tmp_path_factory: pytest.TempPathFactory) -> Draft4Validator:
    """The official schema, fetched from the npm registry once and kept."""
    kept = CACHE / "sarif-2.1.0-rtm.5.json"
    if not kept.exists():
        if shutil.which("npm") is None:
            pytest.skip("npm is not there to fetch the schema of SARIF with")
        folder = tmp_path_factory.mktemp("sarif")
        command = ["npm", "pack", "--silent", PACKAGE]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode:
            pytest.skip(f"the npm registry does not answer: {done.stderr.strip()[:200]}")
        with tarfile.open(folder / done.stdout.split()[-1]) as archive:
            member = archive.extractfile(MEMBER)
            assert member is not None
            (folder / kept.name).write_bytes(member.read())
        CACHE.mkdir(parents=True, exist_ok=True)
        (folder / kept.name).replace(kept)
    return Draft4Validator(json.loads(kept.read_text(encoding="utf-8")))


@pytest.mark.network
@pytest.mark.parametrize("sample", samples.ALL)
def test_sarif_is_valid_by_the_official_schema(official: Draft4Validator, sample: str) -> None:
    problems = official.iter_errors(json.loads(render(samples.ALL[sample](), "sarif")))
    assert [f"{problem.json_path}: {problem.message}" for problem in problems] == []


@pytest.mark.network
def test_the_official_schema_would_notice(official: Draft4Validator) -> None:
    document = json.loads(render(samples.full(), "sarif"))
    document["runs"][0]["results"][0]["level"] = "fatal"
    assert not official.is_valid(document)


def test_results_have_what_code_scanning_shows() -> None:
    first = run()["results"][0]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("SCH-003", 0, "error")
    assert first["message"]["text"] == "tool search: is odd"
    location = first["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "tools.json"
    assert location["region"] == {"startLine": 12, "startColumn": 5}
    assert first["properties"]["pointer"] == "/tools/0/inputSchema/properties/q"


def test_rules_come_with_help_and_security_ones_with_a_score() -> None:
    rules = {rule["id"]: rule for rule in run()["tool"]["driver"]["rules"]}
    assert rules["SCH-003"]["help"]["text"] == "Property has no type.\n\nGive it a `type`."
    assert rules["SCH-003"]["helpUri"] == "https://example.com/SCH-003"
    assert rules["SEC-001"]["properties"] == {"tags": ["mcp", "sec", "security"], "security-severity": "7.5"}


def test_accepted_findings_are_suppressed_with_their_reason() -> None:
    (suppressed,) = [result for result in run()["results"] if "suppressions" in result]
    assert suppressed["suppressions"][0]["justification"].startswith("known x")


def test_a_crash_is_an_execution_that_failed() -> None:
    (invocation,) = run()["invocations"]
    assert invocation["executionSuccessful"] is False
    levels = [notice["level"] for notice in invocation["toolExecutionNotifications"]]
    assert levels == ["error", "note"]
    assert run("clean")["invocations"][0]["executionSuccessful"] is True


@pytest.mark.parametrize(
    ("source", "uri"),
    [("a b/tools.json", "a%20b/tools.json"), ("/tmp/x.json", "file:///tmp/x.json"), ("weather#2", "weather%232")],
)
def test_places_are_addresses(source: str, uri: str) -> None:
    report = samples.full()
    moved = samples.finding()._replace(evidence=Evidence(source, ""))
    verdict = report.verdicts[0]._replace(findings=(moved,))
    document = json.loads(render(report._replace(verdicts=(verdict,)), "sarif"))
    location = document["runs"][0]["results"][0]["locations"][0]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == uri
    assert location["logicalLocations"][0]["fullyQualifiedName"] == "/"
