"""Frames that are no messages: JSON that the recorder wrote. Captures are untrusted input."""

from __future__ import annotations

import json
from typing import Any


def as_object(data: bytes) -> dict[str, Any]:
    """The JSON object in a record; empty where there is none."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if type(found) is dict else {}


def frames_lost(gap: bytes) -> int:
    frames = as_object(gap).get("frames")
    return frames if type(frames) is int and frames > 0 else 1
