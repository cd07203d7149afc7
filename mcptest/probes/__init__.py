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
    from mcptest.probes.probing import probe_server, probe_tool
    from mcptest.probes.visits import Visits

_MODULES = {
    "CHECKS": "check",
    "Check": "check",
    "Flaw": "outcomes",
    "FuzzFailure": "outcomes",
    "FuzzReport": "outcomes",
    "FuzzSettings": "fuzzing",
    "ProbeReport": "outcomes",
    "Result": "outcomes",
    "Scope": "check",
    "Settings": "outcomes",
    "Verdict": "outcomes",
    "Visits": "visits",
    "fuzz_tool": "fuzzing",
    "known": "check",
    "probe_server": "probing",
    "probe_tool": "probing",
}
__all__ = [
    "CHECKS",
    "Check",
    "Flaw",
    "FuzzFailure",
    "FuzzReport",
    "FuzzSettings",
    "ProbeReport",
    "Result",
    "Scope",
    "Settings",
    "Verdict",
    "Visits",
    "fuzz_tool",
    "known",
    "probe_server",
    "probe_tool",
]

__getattr__ = late(__name__, _MODULES)
