"""Suites: what a team expects of a server, in one YAML file, read and checked as a whole and then run.

A block of the file is a module in `blocks/`, a matcher one in `matchers/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcptest.doors import late

if TYPE_CHECKING:
    from mcptest.suites.faults import coverage, fault_lines
    from mcptest.suites.loading import find, load, schema, select
    from mcptest.suites.nouns import Entry, Result, Run, Server, Status, Suite
    from mcptest.suites.reports import exit_code, report
    from mcptest.suites.running import run
    from mcptest.suites.scaffolding import Scaffold, distinct, scaffold
    from mcptest.suites.spots import Mistake, Mistakes
    from mcptest.suites.world import Setting, Unreachable
    from mcptest.suites.writing import Secret, compose

_MODULES = {
    "Entry": "nouns",
    "Mistake": "spots",
    "Mistakes": "spots",
    "Result": "nouns",
    "Run": "nouns",
    "Scaffold": "scaffolding",
    "Secret": "writing",
    "Server": "nouns",
    "Setting": "world",
    "Status": "nouns",
    "Suite": "nouns",
    "Unreachable": "world",
    "compose": "writing",
    "coverage": "faults",
    "distinct": "scaffolding",
    "exit_code": "reports",
    "fault_lines": "faults",
    "find": "loading",
    "load": "loading",
    "report": "reports",
    "run": "running",
    "scaffold": "scaffolding",
    "schema": "loading",
    "select": "loading",
}
__all__ = [
    "Entry",
    "Mistake",
    "Mistakes",
    "Result",
    "Run",
    "Scaffold",
    "Secret",
    "Server",
    "Setting",
    "Status",
    "Suite",
    "Unreachable",
    "compose",
    "coverage",
    "distinct",
    "exit_code",
    "fault_lines",
    "find",
    "load",
    "report",
    "run",
    "scaffold",
    "schema",
    "select",
]

__getattr__ = late(__name__, _MODULES)
