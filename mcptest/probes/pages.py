"""The manual of the probes: one page each, made from their docstrings, and a list of all."""

from __future__ import annotations

from collections.abc import Iterator

from mcptest.probes.check import CHECKS, Check, Scope

_PAPERS = "https://arxiv.org/abs/"


def fresh_pages() -> dict[str, str]:
    """Every page as it should be, by the name of its file."""
    return {"README.md": _index(), **{f"{name}.md": _page(check) for name, check in CHECKS.items()}}


def _page(check: Check) -> str:
    lines = [f"# {check.name}: {check.summary[0].lower()}{check.summary[1:].rstrip('.')}", ""]
    lines += ["| | |", "|---|---|", f"| fault | `{check.taxonomy}`{_paper(check)} |"]
    lines += [f"| runs | {'by default' if check.default else 'only when it is named'}, {_per(check)} |", ""]
    lines += [check.help, "", "## Run it alone", "", "```"]
    lines += [f"mcptest probe --check {check.name} -- python my_server.py", "```", ""]
    lines += ["In a suite:", "", "```yaml", "tools:", "  - name: search refuses bad requests", "    tool: search"]
    lines += ['    args: {query: "tea"}', f"    negative_path: {{checks: [{check.name}]}}", "```", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _index() -> str:
    return "\n".join(["# Probes", "", "How they are run: [probes.md](../probes.md).", "", *_table()]) + "\n"


def _table() -> Iterator[str]:
    yield "| probe | fault | default | |"
    yield "|---|---|---|---|"
    for check in CHECKS.values():
        default = "yes" if check.default else ""
        yield f"| [{check.name}]({check.name}.md) | `{check.taxonomy}`{_paper(check)} | {default} | {check.summary} |"


def _paper(check: Check) -> str:
    return f" ([arXiv:{check.paper}]({_PAPERS}{check.paper}))" if check.paper else ""


def _per(check: Check) -> str:
    return "once per tool" if check.scope is Scope.TOOL else "once per server"
