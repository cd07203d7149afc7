"""Play one side of a recording: the client's, to see what drifted, or the server's, as a mock.

`mcptest.replay` is this room and also a function, `mcptest.replay(recording, target)`, for tests: see `api`.
`mcptest.replay.masks` reads masks, `mcptest.replay.serving` puts mocks together, `mcptest.replay.mocking` runs them.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from mcptest.doors import late

if TYPE_CHECKING:
    from mcptest.replay.api import Mock, mock, replay
    from mcptest.replay.canonical import shown
    from mcptest.replay.drift import Compare, Drift, Judging, Kind, learnt
    from mcptest.replay.masks import Mask, MaskSet
    from mcptest.replay.outcomes import Outcome, Run, Status
    from mcptest.replay.plan import Recording, carried, listed, read
    from mcptest.replay.player import Manner
    from mcptest.replay.redacted import placeholders
    from mcptest.replay.regressing import Replayed, regress
    from mcptest.replay.reports import counts, exit_code, label, report
    from mcptest.replay.sources import Source, find, put_back
    from mcptest.replay.updating import Updated, updated

_MODULES = {
    "Compare": "drift",
    "Drift": "drift",
    "Judging": "drift",
    "Kind": "drift",
    "Manner": "player",
    "Mask": "masks",
    "MaskSet": "masks",
    "Mock": "api",
    "Outcome": "outcomes",
    "Recording": "plan",
    "Replayed": "regressing",
    "Run": "outcomes",
    "Source": "sources",
    "Status": "outcomes",
    "Updated": "updating",
    "carried": "plan",
    "counts": "reports",
    "exit_code": "reports",
    "find": "sources",
    "label": "reports",
    "learnt": "drift",
    "listed": "plan",
    "mock": "api",
    "placeholders": "redacted",
    "put_back": "sources",
    "read": "plan",
    "regress": "regressing",
    "replay": "api",
    "report": "reports",
    "shown": "canonical",
    "updated": "updating",
}
__all__ = [
    "Compare",
    "Drift",
    "Judging",
    "Kind",
    "Manner",
    "Mask",
    "MaskSet",
    "Mock",
    "Outcome",
    "Recording",
    "Replayed",
    "Run",
    "Source",
    "Status",
    "Updated",
    "carried",
    "counts",
    "exit_code",
    "find",
    "label",
    "learnt",
    "listed",
    "mock",
    "placeholders",
    "put_back",
    "read",
    "regress",
    "replay",
    "report",
    "shown",
    "updated",
]

__getattr__ = late(__name__, _MODULES)


class _Room(ModuleType):
    """Importing the room binds its name in the package, where the function of that name is expected."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from mcptest.replay.api import replay

        return replay(*arguments, **options)


sys.modules[__name__].__class__ = _Room
