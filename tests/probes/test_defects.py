"""The catalogue: each defective server is caught by the verdict named for it, and the sound ones by none."""

from __future__ import annotations

import runpy
import sys

import pytest

from mcptest.probes import CHECKS, Settings, Verdict

from .conftest import DEFECTS, SECRET, fuzzed, over_http, probed, stdio


def catalogue(name: str) -> dict[str, tuple[str, str, str]]:
    arguments, sys.argv = sys.argv, [name]
    try:
        return runpy.run_path(str(DEFECTS / name))["DEFECTS"]
    finally:
        sys.argv = arguments


def patience(defect: str, verdict: str) -> Settings:
    """Little where silence is to be seen, much where an answer will come whatever else the machine is doing."""
    return Settings(timeout=1.0 if verdict in ("hung", "hang") or defect == "wrong_id" else 20.0)


STDIO = catalogue("defective.py")
HTTP = catalogue("defective_http.py")


@pytest.mark.parametrize("defect", [name for name, about in STDIO.items() if about[1] != "fuzz"])
def test_a_defect_is_caught_by_its_probe(defect):
    _, check, verdict = STDIO[defect]
    report = probed(stdio("defective.py", defect), check, base={"query": "x"}, settings=patience(defect, verdict))
    assert [(result.check, result.verdict.value) for result in report.results] == [(check, verdict)]
    assert (report.checks_run, report.failures, report.gate_passed) == (1, 1, 0)
    assert report.results[0].taxonomy == CHECKS[check].taxonomy


@pytest.mark.parametrize("defect", [name for name, about in STDIO.items() if about[1] == "fuzz"])
def test_a_defect_is_caught_by_fuzzing(defect):
    report = fuzzed(stdio("defective.py", defect), timeout=patience(defect, STDIO[defect][2]).timeout)
    assert {failure.flaw.value for failure in report.failures} == {STDIO[defect][2]}
    assert report.gate_passed == 0
    assert all(failure.stable for failure in report.failures)
    assert SECRET not in str(report)


@pytest.mark.parametrize("defect", HTTP)
def test_a_defect_over_http_is_caught_by_its_probe(defect):
    _, check, verdict = HTTP[defect]
    with over_http("defective_http.py", defect) as where:
        report = probed(where, check, settings=patience(defect, verdict))
    assert [(result.check, result.verdict.value) for result in report.results] == [(check, verdict)]


def test_there_are_defects_for_every_probe_and_flaw():
    caught = {about[1:] for about in (*STDIO.values(), *HTTP.values())}
    assert len(STDIO) + len(HTTP) >= 25
    assert {check for check, _ in caught} == {*CHECKS, "fuzz"}
    assert {verdict for check, verdict in caught if check == "fuzz"} == {"crash", "hang", "protocol_violation", "leak"}


def test_without_a_defect_everything_passes():
    report = probed(stdio("defective.py", "none"))
    assert {result.check: result.verdict for result in report.results if result.verdict is not Verdict.PASSED} == {
        "bad_origin": Verdict.SKIPPED,
        "missing_session": Verdict.SKIPPED,
    }
    assert fuzzed(stdio("defective.py", "none")).failures == ()


def test_without_a_defect_everything_passes_over_http():
    with over_http("defective_http.py", "none") as where:
        report = probed(where)
    assert {result.check: result.evidence for result in report.results if result.verdict.failed} == {}
    assert {"bad_origin", "missing_session", "malformed_json"} <= {
        result.check for result in report.results if result.verdict is Verdict.PASSED
    }
