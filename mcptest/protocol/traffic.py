"""Which methods each revision defines, and who may send them."""

from __future__ import annotations

from mcptest.protocol.revisions import REVISIONS

_CLIENT, _SERVER = "client", "server"

_SINCE_THE_START = {
    ("request", _CLIENT): (
        "initialize ping tools/list tools/call resources/list resources/templates/list resources/read "
        "resources/subscribe resources/unsubscribe prompts/list prompts/get completion/complete logging/setLevel"
    ),
    ("request", _SERVER): "ping roots/list sampling/createMessage",
    ("notification", _CLIENT): (
        "notifications/initialized notifications/cancelled notifications/progress notifications/roots/list_changed"
    ),
    ("notification", _SERVER): (
        "notifications/cancelled notifications/progress notifications/message notifications/resources/updated "
        "notifications/resources/list_changed notifications/tools/list_changed notifications/prompts/list_changed"
    ),
}
_TASKS = "tasks/get tasks/result tasks/list tasks/cancel"
_ADDED = {
    "2025-06-18": {("request", _SERVER): "elicitation/create"},
    "2025-11-25": {
        ("request", _CLIENT): _TASKS,
        ("request", _SERVER): _TASKS,
        ("notification", _CLIENT): "notifications/tasks/status",
        ("notification", _SERVER): "notifications/tasks/status notifications/elicitation/complete",
    },
    "2026-07-28": {
        ("request", _CLIENT): "server/discover subscriptions/listen",
        ("notification", _SERVER): "notifications/subscriptions/acknowledged",
    },
}
_REMOVED = {
    "2026-07-28": {
        ("request", _CLIENT): (f"initialize ping resources/subscribe resources/unsubscribe logging/setLevel {_TASKS}"),
        ("request", _SERVER): f"ping roots/list sampling/createMessage elicitation/create {_TASKS}",
        ("notification", _CLIENT): (
            "notifications/initialized notifications/progress notifications/roots/list_changed "
            "notifications/tasks/status"
        ),
        ("notification", _SERVER): "notifications/tasks/status notifications/elicitation/complete",
    },
}


def _tables() -> dict[tuple[str, str, str], frozenset[str]]:
    current = {key: set(names.split()) for key, names in _SINCE_THE_START.items()}
    tables = {}
    for revision in REVISIONS:
        for key, names in current.items():
            names |= set(_ADDED.get(revision, {}).get(key, "").split())
            names -= set(_REMOVED.get(revision, {}).get(key, "").split())
            tables[revision, *key] = frozenset(names)
    return tables


_TABLES = _tables()
# Everything that some revision of the core specification names, in either direction.
CORE_METHODS = frozenset().union(*_TABLES.values())


def methods_of(revision: str, kind: str, sender: str) -> frozenset[str]:
    """The methods of a kind (`request`, `notification`) that a sender may use in a revision. The draft is what the
    newest revision is."""
    return _TABLES.get((revision, kind, sender)) or _TABLES[REVISIONS[-1], kind, sender]
