"""Keep sessions in DuckDB and give them back.

The names that need the database are loaded when they are first used: a recorder enters through this door too, and
must start quickly. `journals` holds what a recorder needs of journal files; `sources` finds the recordings that a user
names; `formats` and `incoming` write sessions into files and bring them back; `sandbox` runs a user's SQL, `queries`
holds questions to begin with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcptest.capture.place import Place, locate, make_private_folder, salt
from mcptest.doors import late

if TYPE_CHECKING:
    from mcptest.capture.folding import Folded, fold
    from mcptest.capture.schema import VIEWS
    from mcptest.capture.store import Capture, NothingRecorded
    from mcptest.capture.summary import Summary
    from mcptest.capture.upkeep import Pruned, prune, rebuild
    from mcptest.capture.verifying import Checked, Report, verify

__all__ = [
    "VIEWS",
    "Capture",
    "Checked",
    "Folded",
    "NothingRecorded",
    "Place",
    "Pruned",
    "Report",
    "Summary",
    "fold",
    "locate",
    "make_private_folder",
    "prune",
    "rebuild",
    "salt",
    "verify",
]

__getattr__ = late(
    __name__,
    {
        "VIEWS": "schema",
        "Capture": "store",
        "Checked": "verifying",
        "Folded": "folding",
        "NothingRecorded": "store",
        "Pruned": "upkeep",
        "Report": "verifying",
        "Summary": "summary",
        "fold": "folding",
        "prune": "upkeep",
        "rebuild": "upkeep",
        "verify": "verifying",
    },
)
