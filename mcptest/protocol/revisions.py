"""The dated revisions of the specification, oldest first."""

HANDSHAKE_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")  # a session opens with `initialize`
STATELESS_REVISIONS = ("2026-07-28",)  # every request says its revision and its client in `_meta`
REVISIONS = HANDSHAKE_REVISIONS + STATELESS_REVISIONS
