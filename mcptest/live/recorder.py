"""The end of the tap: what we ourselves say and hear becomes a session in a capture like any other."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from mcptest.capture import Place, journals, make_private_folder, salt
from mcptest.config import load as load_config
from mcptest.errors import McptestError
from mcptest.transport import Target
from mcptest.wire import Frame, journal
from mcptest.wire.frame import EVENT, GAP, REDACTED, REQUEST, RESPONSE
from mcptest.wire.heads import parse_head, render_head
from mcptest.wire.redaction import Redactor, environment_secrets, from_config

_HEADS = (REQUEST, RESPONSE)


class Recorder:
    """Writes as it is told, so that what was sent is on its way to the disk before its answer can come.

    A fault of the recording never reaches the conversation: it is complained of once, and the rest is not recorded.
    """

    def __init__(
        self,
        place: Place,
        target: Target,
        *,
        name: str | None = None,
        secrets: Sequence[str] = (),
        complain: Callable[[str], None] = lambda _: None,
        **about: Any,
    ) -> None:
        self._complain = complain
        self._seq = 0
        self._descriptor = -1
        at, mono = time.time_ns(), time.monotonic_ns()
        self.session = journals.new_session_id()
        self._seed = journals.new_seed()
        try:
            make_private_folder(place.journals)
            keys = from_config(load_config())
            self._redactor = Redactor(salt(place), keys=keys, secrets=[*environment_secrets(os.environ), *secrets])
            header = journals.header_frame(
                self.session,
                at=at,
                mono=mono,
                transport="streamable-http" if target.is_http else "stdio",
                target=self._where(target),
                name=name,
                redaction=True,
                **about,
            )
        except OSError as error:
            raise McptestError(f"cannot record into {place.journals}: {error.strerror}") from error
        self._path = journals.path_for(place.journals, self.session, at)
        self._beginning = [journal.preamble(self._seed), *journal.encode(header, self._seed)]

    def _where(self, target: Target) -> dict[str, Any]:
        if target.url is not None:
            return {"url": self._redactor.url(target.url)}
        return {"argv": self._redactor.argv(list(target.command))}

    def __call__(self, channel: int, data: bytes, *, conn: int = 0, flags: int = 0, meta: bytes = b"") -> None:
        if self._descriptor < 0 and not self._begin():
            return
        if channel != EVENT:
            clean = self._redact(channel, data)
            if clean is None:
                channel, data, flags = GAP, b'{"frames": 1, "reason": "redaction failed"}', 0
            elif clean is not data:
                data, flags = clean, flags | REDACTED
        frame = Frame(self._seq, time.time_ns(), time.monotonic_ns(), conn, channel, flags, data, meta)
        self._seq += 1
        self._write(journal.encode(frame, self._seed))

    @property
    def has_begun(self) -> bool:
        """Is there something recorded?"""
        return self._seq > 0

    def _begin(self) -> bool:
        """The journal is made with the first frame: what never began leaves nothing behind."""
        if self._seq:
            return False
        self._seq = 1
        try:
            self._descriptor = journals.create(self._path)
        except OSError as error:
            self._complain(f"not recording: {error.strerror}: {self._path}")
            return False
        self._write(self._beginning)
        return self._descriptor >= 0

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _redact(self, channel: int, data: bytes) -> bytes | None:
        """The data without its secrets; None where that failed, and the data must not be kept."""
        try:
            if channel not in _HEADS:
                return self._redactor.frame(data)
            head = parse_head(data)
            headers = tuple(self._redactor.headers(head.headers))
            return data if headers == head.headers else render_head(head._replace(headers=headers))
        except Exception as error:  # noqa: BLE001  (what could hold a secret is never stored unredacted)
            self._complain(f"redaction failed on a frame, which is not recorded: {type(error).__name__}")
            return None

    def _write(self, parts: list[bytes]) -> None:
        view = memoryview(b"".join(parts))
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError as error:
            self._complain(f"recording stopped: {error.strerror}")
            self.close()
