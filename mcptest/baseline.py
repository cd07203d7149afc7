"""Findings that a project has accepted, each with its reason, in a TOML file beside the code.

    [[accept]]
    rule = "SCH-004"
    tool = "search"
    within = "/inputSchema/properties/query"
    reason = "The gateway cuts bodies at 64 KiB."

An entry accepts the findings of a rule on a subject: those at `within`, or all of them where that is left out. One that
accepts nothing any more is stale and fails the run, so that the list never outlives what it was written for.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mcptest.errors import UsageError
from mcptest.findings import Finding, Report, StaleEntry, Status, Verdict

VERSION = 1
UNREVIEWED = "not reviewed yet"
_HEAD = """\
# Findings that are accepted, each with the reason. An entry that accepts nothing any more fails the run.
# Entries were added with --update-baseline; replace "{}" by why it is all right.
version = {}
"""
_NOT_KINDS = {"rule", "within", "reason"}
_BARE = re.compile(r"[A-Za-z0-9_-]+")


class Entry(NamedTuple):
    rule: str
    kind: str
    subject: str
    within: str | None
    reason: str

    def accepts(self, finding: Finding) -> bool:
        same = (self.rule, self.kind, self.subject) == (finding.rule, finding.kind, finding.subject)
        return same and self.within in (None, finding.within)


def load(path: Path) -> list[Entry]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"there is no baseline {path}: --update-baseline writes one") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the baseline {path}: {error}") from error
    return parse(text, str(path))


def parse(text: str, name: str) -> list[Entry]:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name} is not TOML: {error}") from error
    version = document.get("version", VERSION)
    if version != VERSION:
        raise UsageError(f"{name} is a baseline of version {version!r}, this mcptest reads version {VERSION}")
    entries = document.get("accept", [])
    unknown = sorted(set(document) - {"version", "accept"})
    if unknown:
        raise UsageError(f"{name}: unknown key {unknown[0]!r}; a baseline has version and [[accept]] entries")
    if not isinstance(entries, list):
        raise UsageError(f"{name}: accept must be written as [[accept]]")
    return [_entry(item, f"{name}: entry {number}") for number, item in enumerate(entries, 1)]


def _entry(item: Any, where: str) -> Entry:
    if not isinstance(item, dict) or not all(isinstance(value, str) for value in item.values()):
        raise UsageError(f"{where} must be a table of strings")
    kinds = sorted(set(item) - _NOT_KINDS)
    for key in ("rule", "reason"):
        if not item.get(key, "").strip():
            raise UsageError(f"{where} needs a {key}")
    if len(kinds) != 1:
        raise UsageError(f'{where} needs exactly one subject, such as tool = "search"; it has {kinds or "none"}')
    return Entry(item["rule"], kinds[0], item[kinds[0]], item.get("within"), item["reason"])


def apply(report: Report, entries: Sequence[Entry], known: Iterable[str]) -> Report:
    """The report with accepted findings set apart, and the entries that accept nothing named as stale.

    An entry whose rule is `known` but did not run, or could not judge, is left alone: nobody can say whether it still
    holds.
    """
    used: set[Entry] = set()
    accepted: list[Finding] = []
    verdicts: list[Verdict] = []
    by_rule: dict[str, list[Entry]] = {}
    for entry in entries:
        by_rule.setdefault(entry.rule, []).append(entry)
    for verdict in report.verdicts:
        kept: list[Finding] = []
        for finding in verdict.findings:
            match = next((entry for entry in by_rule.get(verdict.rule, ()) if entry.accepts(finding)), None)
            if match is None:
                kept.append(finding)
            else:
                used.add(match)
                accepted.append(finding._replace(data={**finding.data, "reason": match.reason}))
        verdicts.append(_without_accepted(verdict, kept))
    undecided = set(known) - _judged(report)
    stale = [
        StaleEntry(entry.rule, f"{entry.kind} {entry.subject}", entry.within, entry.reason)
        for entry in entries
        if entry not in used and entry.rule not in undecided
    ]
    return report._replace(verdicts=tuple(verdicts), accepted=tuple(accepted), stale=tuple(stale))


def _judged(report: Report) -> set[str]:
    return {verdict.rule for verdict in report.verdicts if verdict.status in (Status.PASSED, Status.FAILED)}


def _without_accepted(verdict: Verdict, kept: list[Finding]) -> Verdict:
    if len(kept) == len(verdict.findings):
        return verdict
    failed = len({(finding.evidence.source, finding.kind, finding.subject) for finding in kept})
    status = Status.PASSED if verdict.status is Status.FAILED and not kept else verdict.status
    return verdict._replace(status=status, failed=failed, findings=tuple(kept))


def update(report: Report, entries: Sequence[Entry], known: Iterable[str]) -> list[Entry]:
    """The entries that accept every finding of a report (to which no baseline was applied), with their reasons kept."""
    reasons = {(entry.rule, entry.kind, entry.subject, entry.within): entry.reason for entry in entries}
    wide = [entry for entry in entries if entry.within is None]
    found: dict[tuple[str, str, str, str | None], Entry] = {}
    for finding in report.findings:
        cover = next((entry for entry in wide if entry.accepts(finding)), None)
        entry = cover or Entry(*finding.key, reasons.get(finding.key, UNREVIEWED))
        found.setdefault(entry[:4], entry)
    undecided = set(known) - _judged(report)
    for entry in entries:
        if entry.rule in undecided:
            found.setdefault(entry[:4], entry)
    return sorted(found.values(), key=lambda entry: (entry.rule, entry.kind, entry.subject, entry.within or ""))


def dump(entries: Iterable[Entry]) -> str:
    blocks = [_HEAD.format(UNREVIEWED, VERSION)]
    for entry in entries:
        lines = ["[[accept]]", f"rule = {_quote(entry.rule)}", f"{_key(entry.kind)} = {_quote(entry.subject)}"]
        lines += [f"within = {_quote(entry.within)}"] if entry.within is not None else []
        lines += [f"reason = {_quote(entry.reason)}"]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _key(kind: str) -> str:
    return kind if _BARE.fullmatch(kind) else _quote(kind)


def _quote(text: str) -> str:
    """A TOML basic string. JSON's escapes are TOML's, but for DEL and surrogates, which TOML does not take."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
