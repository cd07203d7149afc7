"""The recorder of the mitmproxy engine: a process of mcptest's own interpreter that reads the link on its stdin."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from mcptest.proxy.http.control import NEWS
from mcptest.proxy.http.options import MITMPROXY
from mcptest.proxy.http.recorder import HttpRecorder
from mcptest.proxy.link import Pulse
from mcptest.proxy.options import Options
from mcptest.proxy.recorder import record, tell
from mcptest.proxy.relay import DONE, FAULT


def main(settings: dict[str, Any]) -> None:
    status = settings["status"]
    complain = _say if status is None else lambda text: tell(status, FAULT, text.encode("utf-8", "replace"))
    report: Callable[[dict[str, int]], None] | None = None
    if status is not None:
        report = lambda news: tell(status, NEWS, json.dumps(news).encode())  # noqa: E731
    pulse = Pulse(settings["pulse"])
    given = settings["options"]
    options = Options(given.get("capture"), given.get("name"), given.get("redact", True), tuple(given.get("keys", ())))
    recorder, ended = record(0, lambda: HttpRecorder(options, given.get("url", ""), MITMPROXY, pulse, complain, report))
    recorder.close(relay_died=not ended)
    if status is not None:
        with suppress(OSError):  # nobody may be left to hear it
            os.write(status, bytes((DONE,)))
        os.close(status)
    recorder.fold()


def _say(text: str) -> None:
    sys.stderr.write(f"mcptest: {text}\n")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
