"""A rule's fixture and its page. The fixture is Markdown: cases in which the rule fires, others in which it does not.

    ## Fires: nothing is required
    ```json
    {"name": "search", "inputSchema": …}
    ```
    ```findings
    warning tool search /inputSchema: the object declares properties but no required list
    ```

    ## Silent: one argument is required
    …

A case holds one catalogue, or several listings of one session in their order. The page is made of the rule's docstring
and these cases. Whoever writes rules of their own can test and document them in the same way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from mcptest import catalogue
from mcptest.catalogue import Catalogue
from mcptest.errors import UsageError
from mcptest.findings import Finding
from mcptest.rules import Rule, judge
from mcptest.visible import visible

_CASE = re.compile(r"^## (Fires|Silent): (.+)$", re.MULTILINE)
_LISTING = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FINDINGS = re.compile(r"^```findings\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Case(NamedTuple):
    title: str
    fires: bool
    listings: tuple[str, ...]
    expected: str

    def catalogue(self) -> Catalogue:
        found: Catalogue | None = None
        for text in self.listings:
            read = catalogue.read(text, "catalogue")
            found = catalogue.merge([read], read.source, found)
        assert found is not None
        return found


def cases(markdown: str, name: str) -> list[Case]:
    pieces = _CASE.split(markdown)[1:]
    found = []
    for kind, title, body in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        listings = tuple(_LISTING.findall(body))
        if not listings:
            raise UsageError(f"{name}: the case {title!r} has no catalogue in a json block")
        expected = _FINDINGS.search(body)
        found.append(Case(title, kind == "Fires", listings, expected[1] if expected else ""))
    if {case.fires for case in found} != {True, False}:
        raise UsageError(f"{name} needs a case in which the rule fires and one in which it is silent")
    return found


def said(rule: Rule, case: Case) -> str:
    """What the rule says about a case, as a fixture writes it."""
    return "".join(line(finding) + "\n" for verdict in judge([rule], case.catalogue()) for finding in verdict.findings)


def line(finding: Finding) -> str:
    name = finding.subject if re.fullmatch(r"[\w./:{}-]+", finding.subject) else json.dumps(finding.subject)
    where = f" {finding.within}" if finding.within else ""
    return visible(f"{finding.severity.label} {finding.kind} {name}{where}: {finding.message}")


def refresh(markdown: str, rule: Rule, name: str) -> str:
    """The fixture with what the rule says now; a silent case has nothing to refresh."""
    fresh = iter([said(rule, case) for case in cases(markdown, name) if case.expected])
    return _FINDINGS.sub(lambda _: f"```findings\n{next(fresh)}```", markdown)


def page(rule: Rule, found: Sequence[Case]) -> str:
    """The rule's page: manual, options, one example of each kind."""
    lines = [f"# {rule.id}: {rule.summary.rstrip('.')}", ""]
    lines += [f"Severity **{rule.severity.label}**, judges {rule.on.noun}.", "", rule.help, ""]
    if rule.options:
        lines += ["## Options", "", f'Set in `mcptest.toml` under `[lint.options."{rule.id}"]`.', ""]
        lines += ["| option | default |", "|---|---|"]
        lines += [f"| `{name}` | `{json.dumps(value)}` |" for name, value in rule.options.items()]
        lines += [""]
    for title, fires in (("Where it fires", True), ("Where it is silent", False)):
        lines += [f"## {title}", ""]
        for case in found:
            if case.fires is fires:
                lines += [case.title[0].upper() + case.title[1:] + ":", ""]
                for listing in case.listings:
                    lines += ["```json", listing.rstrip("\n"), "```", ""]
                if case.expected:
                    lines += ["```text", case.expected.rstrip("\n"), "```", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def index(rules: Sequence[Rule], title: str, families: dict[str, str]) -> str:
    """The list of all rules, by family."""
    lines = [f"# {title}", ""]
    for family, about in families.items():
        lines += [f"## {family}: {about}", "", "| rule | severity | |", "|---|---|---|"]
        lines += [
            f"| [{rule.id}]({rule.id}.md) | {rule.severity.label} | {rule.summary} |"
            for rule in rules
            if rule.family == family
        ]
        lines += [""]
    return "\n".join(lines).rstrip("\n") + "\n"
