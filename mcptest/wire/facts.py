"""What a session says about itself: who spoke, in which revision, how it began and ended, and how much was said."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict, dataclass
from typing import Any

from mcptest.protocol import methods
from mcptest.wire.frame import Frame
from mcptest.wire.pairing import Waiting, text_of

LATEST = (1 << 63) - 1  # a time beyond it can only be forged, and fits no database


@dataclass(slots=True)
class Facts:
    """Grows with the session. The revision is the one last agreed on: by an `initialize` that was answered, or by an
    answer to a request that carried its own; before there is one, the one that the client asked for."""

    name: str | None = None
    transport: str = "stdio"
    target: str = ""
    started_at: int | None = None
    last_at: int | None = None
    client_name: str | None = None
    client_version: str | None = None
    server_name: str | None = None
    server_version: str | None = None
    revision: str | None = None
    agreed: bool = False
    exit_code: int | None = None
    signal: int | None = None
    ended: bool = False
    frames: int = 0
    messages: int = 0
    requests: int = 0
    responses: int = 0
    notifications: int = 0
    malformed: int = 0
    errors: int = 0
    tool_calls: int = 0
    size: int = 0  # bytes of all messages
    lost: int = 0  # frames that the recorder had to drop
    damage: int = 0

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def head(self, frame: Frame) -> None:
        body = _object(frame.data)
        name, started_at = body.get("name"), body.get("started_at")
        self.name = name if type(name) is str else None
        self.transport = str(body.get("transport", self.transport))
        self.target = _target(body.get("target"))
        self.started_at = min(started_at if type(started_at) is int and started_at >= 0 else frame.at, LATEST)

    def event(self, data: bytes) -> None:
        body = _object(data)
        match body.get("event"):
            case "exit":
                self.exit_code, self.signal = _small(body.get("code")), _small(body.get("signal"))
            case "end":
                self.ended = True

    def request(self, request: Waiting, body: dict[str, Any]) -> None:
        """Learn from a request that says something about its client."""
        params = body.get("params")
        if type(params) is not dict:
            return
        if request.method == methods.INITIALIZE:
            self._client(params.get("clientInfo"))
            self._revision(params.get("protocolVersion"), agreed=False)
        elif request.revision is not None:
            self._client(params["_meta"].get(methods.CLIENT_INFO))
            self._revision(request.revision, agreed=False)

    def result(self, request: Waiting, result: dict[str, Any]) -> None:
        """Learn from the result of a request."""
        meta = result.get("_meta")
        if type(meta) is dict:
            self._server(meta.get(methods.SERVER_INFO))
        if request.method == methods.INITIALIZE:
            self._server(result.get("serverInfo"))
            self._revision(result.get("protocolVersion"), agreed=True)
        elif request.revision is not None:
            self._revision(request.revision, agreed=True)

    def _revision(self, value: Any, *, agreed: bool) -> None:
        if value is not None and (agreed or not self.agreed):
            self.revision, self.agreed = text_of(value), agreed

    def _client(self, info: Any) -> None:
        if type(info) is dict:
            self.client_name, self.client_version = text_of(info.get("name")), text_of(info.get("version"))

    def _server(self, info: Any) -> None:
        if type(info) is dict:
            self.server_name, self.server_version = text_of(info.get("name")), text_of(info.get("version"))


def _target(target: Any) -> str:
    """A command line as a shell would take it, or a URL."""
    if type(target) is not dict:
        return ""
    argv = target.get("argv")
    if type(argv) is list:
        return shlex.join(str(argument) for argument in argv)
    return str(target.get("url", ""))


def _object(data: bytes) -> dict[str, Any]:
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return body if type(body) is dict else {}


def _small(value: Any) -> int | None:
    return value if type(value) is int and abs(value) < 1 << 31 else None
