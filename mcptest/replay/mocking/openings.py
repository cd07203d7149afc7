"""How a conversation opens that was recorded without its opening.

A client of the stateless era need not discover its server, so a recording may not hold it; another client may want to.
"""

from __future__ import annotations

from typing import Any

from mcptest.protocol import methods
from mcptest.replay.mocking.library import Library
from mcptest.replay.turns import body
from mcptest.transport.headers import is_stateless, revision_of

_CAPABILITIES = {"tools": "tools/", "resources": "resources/", "prompts": "prompts/", "completions": "completion/"}


def discovered(library: Library) -> dict[str, Any] | None:
    """What the recorded server would have said of itself; None if it was not of the stateless era."""
    library.read_all()
    revisions = {revision_of(body(turn.raw)) for turn in library.turns}
    versions = sorted(revision for revision in revisions if revision is not None and is_stateless(revision))
    if not versions:
        return None
    served = {turn.method for turn in library.turns if turn.answer is not None and "result" in body(turn.answer)}
    offered: dict[str, Any] = {
        name: {} for name, prefix in _CAPABILITIES.items() if any(method.startswith(prefix) for method in served)
    }
    said = {"resultType": "complete", "supportedVersions": versions, "capabilities": offered}
    return said | {"ttlMs": 0, "cacheScope": "private"} | _server(library)


def _server(library: Library) -> dict[str, Any]:
    for turn in library.turns:
        result = body(turn.answer).get("result") if turn.answer is not None else None
        meta = result.get("_meta") if type(result) is dict else None
        if type(meta) is dict and methods.SERVER_INFO in meta:
            return {"_meta": {methods.SERVER_INFO: meta[methods.SERVER_INFO]}}
    return {}
