"""Bad requests on purpose: probes that a sound server refuses cleanly, and fuzzing from input schemas.

    async with Visits(target, keeping=keeping) as visits:
        for tool in await (await visits.client()).tools():
            report = await probe_tool(visits, tool, None, known(None), Settings(), gate)

Every call of a tool passes the gate, and everything said is recorded as sessions, one per visit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcptest.doors import late

if TYPE_CHECKING:
    from mcptest.probes.check import CHECKS, Check, Scope, known
    from mcptest.probes.fuzzing import FuzzSettings, fuzz_tool
    from mcptest.probes.outcomes import Flaw, FuzzFailure, FuzzReport, ProbeReport, Result, Settings, Verdict
    from mcptest.probes.pages import fresh_pages
    from mcptest.probes.probing import probe_server, probe_tool
    from mcptest.probes.reports import exit_code, fuzz_report, probe_report, shown
    from mcptest.probes.running import Fuzzed, Planned, Probed, fuzz_all, probe_all
    from mcptest.probes.visits import Visits

_MODULES = {
    "CHECKS": "check",
    "Check": "check",
    "Flaw": "outcomes",
    "FuzzFailure": "outcomes",
    "FuzzReport": "outcomes",
    "FuzzSettings": "fuzzing",
    "Fuzzed": "running",
    "Planned": "running",
    "ProbeReport": "outcomes",
    "Probed": "running",
    "Result": "outcomes",
    "Scope": "check",
    "Settings": "outcomes",
    "Verdict": "outcomes",
    "Visits": "visits",
    "exit_code": "reports",
    "fresh_pages": "pages",
    "fuzz_all": "running",
    "fuzz_report": "reports",
    "fuzz_tool": "fuzzing",
    "known": "check",
    "probe_all": "running",
    "probe_report": "reports",
    "probe_server": "probing",
    "probe_tool": "probing",
    "shown": "reports",
}
__all__ = [
    "CHECKS",
    "Check",
    "Flaw",
    "FuzzFailure",
    "FuzzReport",
    "FuzzSettings",
    "Fuzzed",
    "Planned",
    "ProbeReport",
    "Probed",
    "Result",
    "Scope",
    "Settings",
    "Verdict",
    "Visits",
    "exit_code",
    "fresh_pages",
    "fuzz_all",
    "fuzz_report",
    "fuzz_tool",
    "known",
    "probe_all",
    "probe_report",
    "probe_server",
    "probe_tool",
    "shown",
]

__getattr__ = late(__name__, _MODULES)
