"""Reports that hold what a hostile server could put into them."""

from __future__ import annotations

from mcptest.findings import CHANGE, Evidence, Finding, Report, RuleInfo, Severity, StaleEntry, Status, Verdict

EVIL = (
    "x\x1b[2J\r\n::error::<script>alert('1')</script>|`@team`](http://evil.example/a.png)\u202e\U000e0041\ud800&%0A]]>"
)


def finding(
    rule: str = "SCH-003",
    severity: Severity = Severity.CRITICAL,
    subject: str = "search",
    message: str = "is odd",
    **more: object,
) -> Finding:
    evidence = Evidence("tools.json", "/tools/0/inputSchema/properties/q", 12, 5)
    return Finding(rule, severity, "tool", subject, message, evidence, "/inputSchema/properties/q", **more)  # type: ignore[arg-type]


RULES = {
    rule.id: rule
    for rule in (
        RuleInfo(
            "SCH-003", Severity.CRITICAL, "Property has no type.", "Give it a `type`.", "https://example.com/SCH-003"
        ),
        RuleInfo("SEC-001", Severity.ERROR, "Hidden instructions.", "Do not."),
        RuleInfo("DESC-008", Severity.INFO, "Silent.", "Speak."),
        RuleInfo("ANN-001", Severity.WARNING, "Malformed.", "Mend."),
        RuleInfo("X-001", Severity.WARNING, "Crashes.", ""),
        RuleInfo("X-002", Severity.WARNING, "Passes.", ""),
        RuleInfo("X-003", Severity.WARNING, "Gives up.", ""),
    )
}


def full() -> Report:
    """One of everything."""
    return Report(
        "Analysis of tools.json",
        ("tools.json",),
        (
            Verdict("SCH-003", Status.FAILED, 12, 1, "tools", None, (finding(), finding(message="is odd too"))),
            Verdict(
                "SEC-001", Status.FAILED, 12, 1, "entries", None, (finding("SEC-001", Severity.ERROR, EVIL, EVIL),)
            ),
            Verdict("DESC-008", Status.FAILED, 12, 1, "tools", None, (finding("DESC-008", Severity.INFO, "add"),)),
            Verdict("ANN-001", Status.UNTESTED, 0, 0, "tools", "no tools to judge"),
            Verdict("X-001", Status.CRASHED, 1, 0, "tools", f"KeyError: {EVIL}"),
            Verdict("X-002", Status.PASSED, 12, 0, "tools"),
            Verdict("X-003", Status.INCONCLUSIVE, 12, 0, "tools", "tool 'a': over budget"),
        ),
        RULES,
        accepted=(finding("ANN-001", Severity.WARNING, data={"reason": f"known {EVIL}"}),),
        stale=(StaleEntry("SCH-004", f"tool {EVIL}", "/inputSchema", EVIL),),
        scores={"tools.json": {"search": 0.5, "add": 0.9}},
        fail_on=Severity.WARNING,
    )


def clean() -> Report:
    return Report("Analysis", ("tools.json",), (Verdict("X-002", Status.PASSED, 12, 0, "tools"),), RULES)


def session() -> Report:
    """Findings in frames rather than files."""
    evidence = Evidence("weather", "/result/tools/0", session="a1b2c3", frames=(7, 9), excerpt="{}")
    found = Finding("SCH-003", Severity.CRITICAL, "tool", "search", "is odd", evidence)
    return Report("Analysis", ("weather",), (Verdict("SCH-003", Status.FAILED, 1, 1, "tools", None, (found,)),), RULES)


def changes() -> Report:
    found = finding(
        "argument-removed",
        Severity.ERROR,
        data={"class": "breaking", "direction": "input", "before": {"a": 1}, "after": None},
    )
    rules = {"argument-removed": RuleInfo("argument-removed", Severity.ERROR, "An argument is gone.", "")}
    verdict = Verdict("argument-removed", Status.FAILED, 1, 1, "changes", None, (found,))
    return Report("a → b", ("a", "b"), (verdict,), rules, fail_on=Severity.ERROR, noun=CHANGE)


def no_changes() -> Report:
    return Report("a → b", ("a", "b"), (), fail_on=Severity.ERROR, noun=CHANGE)


ALL = {"full": full, "clean": clean, "session": session, "changes": changes, "no_changes": no_changes}
