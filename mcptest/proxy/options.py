"""How a recording is to be made. A plain class: the relay starts before anything heavier is loaded."""

import time


class Options:
    __slots__ = ("capture", "name", "redact", "redact_keys", "started_at", "started_mono")

    def __init__(
        self,
        capture: str | None = None,
        name: str | None = None,
        redact: bool = True,
        redact_keys: tuple[str, ...] = (),
    ) -> None:
        self.capture = capture
        self.name = name
        self.redact = redact
        self.redact_keys = redact_keys
        self.started_at = time.time_ns()
        self.started_mono = time.monotonic_ns()
