"""One session's journal in the making: frames in their order, with secrets removed and what is missing counted."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from mcptest.capture import journals
from mcptest.capture.place import Place, locate, make_private_folder, salt
from mcptest.config import load as load_config
from mcptest.proxy.journaling import Journaling
from mcptest.proxy.link import Pulse
from mcptest.proxy.options import Options
from mcptest.wire import Frame
from mcptest.wire.frame import CHANNELS, EVENT, GAP, LINES, REDACTED

if TYPE_CHECKING:
    from mcptest.wire.redaction import Redactor

Complain = Callable[[str], None]


class Setting(NamedTuple):
    """What all sessions of a recorder share: where they go, who removes their secrets, whom to tell of trouble."""

    place: Place
    redactor: Redactor | None
    pulse: Pulse
    complain: Complain


def prepare(options: Options, pulse: Pulse, complain: Complain) -> Setting:
    place = locate(options.capture)
    make_private_folder(place.journals)
    redactor = None
    if options.redact:
        from mcptest.wire.redaction import Redactor, environment_secrets, from_config

        keys = (*from_config(load_config()), *options.redact_keys)
        redactor = Redactor(salt(place), keys=keys, secrets=environment_secrets(os.environ))
    return Setting(place, redactor, pulse, complain)


def prepare_or_complain(options: Options, pulse: Pulse, complain: Complain) -> Setting | None:
    """Whatever keeps us from recording is one line for the user, and the traffic goes on."""
    try:
        return prepare(options, pulse, complain)
    except Exception as error:  # noqa: BLE001
        complain_of(error, complain)
        return None


def complain_of(error: Exception, complain: Complain) -> None:
    reason = f"{error.strerror}: {error.filename}" if isinstance(error, OSError) else str(error)
    complain(f"not recording: {reason or type(error).__name__}")


class Recording:
    """A session that is being recorded. The caller gives it frames; it numbers and keeps them."""

    def __init__(self, setting: Setting, header: dict[str, Any], at: int, mono: int) -> None:
        self.redactor = setting.redactor
        self._complain = setting.complain
        self._seq = 0
        self.session = journals.new_session_id()
        first = journals.header_frame(self.session, at=at, mono=mono, redaction=self.redactor is not None, **header)
        path = journals.path_for(setting.place.journals, self.session, at)
        self._journal = Journaling(path, setting.pulse, setting.complain)
        self.flush = self._journal.flush
        self._keep(first)

    def add(
        self, at: int, mono: int, channel: int, flags: int, data: bytes, *, conn: int = 0, meta: bytes = b""
    ) -> None:
        seq = self._seq
        self._seq = seq + 1
        self._journal.add(Frame(seq, at, mono, conn, channel, flags, data, meta))

    def add_block(self, at: int, mono: int, channel: int, block: bytes) -> None:
        """Whole lines that came together, as one record."""
        more = block.count(b"\n")
        self._keep(Frame(self._seq, at, mono, 0, channel, LINES if more else 0, block))
        self._seq += more

    def add_clean(
        self,
        at: int,
        mono: int,
        channel: int,
        flags: int,
        data: bytes,
        *,
        conn: int = 0,
        meta: bytes = b"",
        clean: Callable[[bytes], bytes] | None = None,
    ) -> None:
        """One frame through redaction; if that fails, it is not stored and the gap says so."""
        if self.redactor is not None:
            try:
                if clean is not None:
                    shown = clean(data)
                else:
                    shown = self.redactor.frame(data) if self.redactor.suspects(data) else data
            except Exception as error:  # noqa: BLE001  (what could hold a secret is never stored unredacted)
                self.gap(at, mono, channel, 1, len(data), f"redaction failed: {type(error).__name__}", conn)
                self._complain(f"redaction failed on a {CHANNELS[channel]} frame: it was not recorded")
                return
            if shown is not data:
                data = shown
                flags |= REDACTED
        self.add(at, mono, channel, flags, data, conn=conn, meta=meta)

    def event(self, at: int, mono: int, body: dict[str, Any], conn: int = 0) -> None:
        self.add(at, mono, EVENT, 0, json.dumps(body).encode(), conn=conn)

    def gap(self, at: int, mono: int, channel: int, frames: int, size: int, reason: str, conn: int = 0) -> None:
        body = {"channel": CHANNELS[channel], "frames": frames, "bytes": size, "reason": reason}
        self.add(at, mono, GAP, 0, json.dumps(body).encode(), conn=conn)

    def close(self, *, killed: bool = False) -> None:
        at, mono = time.time_ns(), time.monotonic_ns()
        if killed:
            self.event(at, mono, {"event": "killed"})
        self.event(at, mono, {"event": "end"})
        self._journal.close()

    def _keep(self, frame: Frame) -> None:
        self._seq = frame.seq + 1
        self._journal.add(frame)


def fold(place: Place) -> None:
    """Best effort: whoever opens the capture next does it otherwise."""
    with suppress(Exception):
        os.nice(10)
        from mcptest.capture import fold as fold_place

        fold_place(place)
