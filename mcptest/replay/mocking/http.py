"""The mock as an HTTP server, in both eras.

Until 2025-11-25 an `initialize` opens a session: a conversation of its own, with a stream for what the server says by
itself, and streams that can be resumed by the id of their last event. Since 2026-07-28 every request stands for itself,
and all of them are one conversation.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Mapping
from typing import Any

import orjson

from mcptest.protocol import REVISIONS, STATELESS_REVISIONS, methods
from mcptest.protocol import errors as codes
from mcptest.replay.mocking.acts import Act, Converser, Thinker
from mcptest.replay.mocking.forwarding import Forwarder
from mcptest.replay.mocking.guard import Guard
from mcptest.replay.mocking.serving import Request
from mcptest.replay.mocking.splicing import id_text
from mcptest.transport.headers import METHOD, NAME, SESSION, VERSION, decode, is_stateless, mirrored, revision_of
from mcptest.wire import Message, parse
from mcptest.wire.message import MALFORMED, REQUEST

PATH = "/mcp"
_SESSION, _VERSION, _LAST = SESSION.lower().encode(), VERSION.lower().encode(), b"last-event-id"
_PRIMED = "2025-11-25"  # from this revision on, a stream begins with an event that has an id and nothing else
_STATUS = {codes.METHOD_NOT_FOUND: 404}
_STATUS |= dict.fromkeys((codes.PARSE_ERROR, codes.INVALID_REQUEST, codes.INVALID_PARAMS, *codes.STATELESS), 400)
_MOST_KEPT = 10_000  # events of a stream


class _Stream:
    """Events on their way to the client of one request, or of a session. They are kept for a client that lost its
    connection, or has not made one yet."""

    def __init__(self, number: int, *, resumable: bool) -> None:
        self.number, self._resumable = number, resumable
        self._kept: deque[bytes] = deque(maxlen=_MOST_KEPT)
        self._count = 0  # of all events; the kept ones are the last of them
        self._request: Request | None = None
        self.over = False

    def attach(self, request: Request, headers: Mapping[str, str], seen: int = 0) -> None:
        """Send what this client has not seen, and go on from there."""
        self._request = request
        request.on_abort = self._detach
        request.stream(headers)
        first = self._count - len(self._kept)
        for index, data in enumerate(self._kept, first):
            if index >= seen:
                request.event(data, self._identity(index))
        if not self._resumable:
            self._kept.clear()
        if self.over:
            self._finish()

    def send(self, data: bytes, *, last: bool = False) -> None:
        self._count += 1
        if self._resumable or self._request is None:
            self._kept.append(data)
        if self._request is not None:
            self._request.event(data, self._identity(self._count - 1))
        if last:
            self.close()

    def close(self) -> None:
        self.over = True
        self._finish()

    def _identity(self, index: int) -> str | None:
        return f"{self.number}-{index}" if self._resumable else None

    def _detach(self) -> None:
        self._request = None

    def _finish(self) -> None:
        if self._request is not None:
            request, self._request = self._request, None
            request.on_abort = None
            request.end()


class _Session:
    """One conversation; in the session era with an id."""

    def __init__(self, conversation: Converser, identity: str | None = None, version: str | None = None) -> None:
        self.conversation, self.identity, self.version = conversation, identity, version
        self.streams: dict[str, _Stream] = {}  # by the request that they answer
        self.by_number: dict[int, _Stream] = {}
        self._numbers = 0
        self.own = self.stream(resumable=identity is not None)

    def stream(self, *, resumable: bool) -> _Stream:
        self._numbers += 1
        stream = _Stream(self._numbers, resumable=resumable)
        if resumable:
            self.by_number[stream.number] = stream
        return stream


class HttpMock:
    """Handles requests; `serving` brings them."""

    def __init__(
        self, brain: Thinker, guard: Guard, *, latency: float = 0.0, forwarder: Forwarder | None = None
    ) -> None:
        self._brain, self._guard, self._latency, self._forwarder = brain, guard, latency, forwarder
        self._sessions: dict[str, _Session] = {}
        self._stateless = _Session(brain.converse())
        self._tasks: set[asyncio.Task[None]] = set()
        self._wedged = False

    def __call__(self, request: Request) -> None:
        if self._wedged:
            return
        objection = self._guard.objection(request.header(b"host"), request.header(b"origin"))
        if objection is not None:
            request.answer(403, f"mcptest mock: {objection}\n".encode(), kind="text/plain")
        elif request.head.target.partition("?")[0] != PATH:
            request.answer(404, f"mcptest mock: the endpoint is {PATH}\n".encode(), kind="text/plain")
        elif request.head.method == "POST":
            self._post(request)
        elif request.head.method in ("GET", "DELETE"):
            self._session_request(request)
        else:
            request.answer(405, headers={"Allow": "GET, POST, DELETE"})

    # ---- GET and DELETE

    def _session_request(self, request: Request) -> None:
        if is_stateless(request.header(_VERSION)):
            request.answer(405, headers={"Allow": "POST"})
            return
        session = self._session_of(request)
        if session is None:
            return
        if request.head.method == "DELETE":
            assert session.identity is not None
            del self._sessions[session.identity]
            request.answer(200)
            return
        stream, seen = session.own, 0
        last = request.header(_LAST)
        if last is not None:
            number, _, index = last.partition("-")
            found = session.by_number.get(int(number)) if number.isdigit() and index.isdigit() else None
            if found is None:
                request.answer(400, _refusal(None, codes.INVALID_REQUEST, f"no event {last!r} to go on from"))
                return
            stream, seen = found, int(index) + 1
        stream.attach(request, _headers(session), seen)

    def _session_of(self, request: Request) -> _Session | None:
        """The session that a request names; if it names none, it is answered here."""
        identity = request.header(_SESSION)
        if identity is None:
            request.answer(400, _refusal(None, codes.INVALID_REQUEST, "Bad Request: Missing session ID"))
            return None
        session = self._sessions.get(identity)
        if session is None:
            request.answer(404, _refusal(None, codes.INVALID_REQUEST, "Session not found"))
        return session

    # ---- POST

    def _post(self, request: Request) -> None:
        messages = parse(request.body)
        message = messages[0]
        if len(messages) == 1 and message.kind == MALFORMED:
            request.answer(400, _refusal(None, codes.PARSE_ERROR, message.reason or "no message"))
            return
        if is_stateless(request.header(_VERSION)) or is_stateless(revision_of(message.body or {})):
            problem = _envelope_problem(request, message)
            if problem is not None:
                request.answer(400, problem)
                return
            self._converse(request, message, self._stateless)
            return
        version = request.header(_VERSION)
        if version is not None and version not in REVISIONS:
            request.answer(400, _refusal(None, codes.INVALID_REQUEST, f"Unsupported protocol version: {version}"))
            return
        if message.method == methods.INITIALIZE:
            self._converse(request, message, self._open(message))
            return
        session = self._session_of(request)
        if session is not None:
            self._converse(request, message, session)

    def _open(self, message: Message) -> _Session:
        params = (message.body or {}).get("params")
        version = params.get("protocolVersion") if type(params) is dict else None
        session = _Session(self._brain.converse(), os.urandom(16).hex(), version if type(version) is str else None)
        assert session.identity is not None
        self._sessions[session.identity] = session
        self._perform(session, session.conversation.open())
        return session

    def _converse(self, request: Request, message: Message, session: _Session) -> None:
        acts = session.conversation.receive(request.body)
        if message.kind != REQUEST:
            answers = [act for act in acts if act.is_answer and act.request is None]  # of a batch
            if answers:
                request.answer(200, answers[0].data, _headers(session))
            else:
                request.answer(202, headers=_headers(session))
            self._perform(session, [act for act in acts if act not in answers])
        elif len(acts) == 1 and acts[0].is_answer and not acts[0].late and not self._latency:
            request.answer(_status(acts[0].data, session), acts[0].data, _headers(session))
        elif any(act.disconnect for act in acts):
            request.hang_up()
        else:
            self._stream(request, message, session, acts)

    def _stream(self, request: Request, message: Message, session: _Session, acts: list[Act]) -> None:
        """Several messages: an event stream, which is open until the answer has been sent."""
        assert message.id is not None
        stream = session.streams[id_text(message.id)] = session.stream(resumable=session.identity is not None)
        if session.identity is not None and (session.version or "") >= _PRIMED:
            stream.send(b"")
        stream.attach(request, _headers(session))
        self._perform(session, acts)

    # ---- acts

    def _perform(self, session: _Session, acts: list[Act]) -> None:
        slow = any(act.late or (self._latency and act.delay) for act in acts)
        if slow or any(act.forward is not None for act in acts):
            task = asyncio.get_running_loop().create_task(self._perform_slowly(session, acts))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        for act in acts:
            self._do(session, act)

    async def _perform_slowly(self, session: _Session, acts: list[Act]) -> None:
        for act in acts:
            await asyncio.sleep((act.delay * self._latency + act.late) / 1e9)
            if act.forward is not None and self._forwarder is not None:
                forwarded = await self._forwarder.ask(act.forward)
                self._forwarder.learn(forwarded, session.conversation)
                act = Act(forwarded.answer, act.request, is_answer=True)
            self._do(session, act)

    def _do(self, session: _Session, act: Act) -> None:
        if act.wedge:
            self._wedged = True
        elif act.cancel:
            stream = session.streams.pop(act.request or "", None)
            if stream is not None:
                stream.close()
        elif act.data:
            stream = session.streams.get(act.request) if act.request is not None else None
            if act.is_answer and stream is not None and act.request is not None:
                del session.streams[act.request]
            (stream or session.own).send(act.data, last=act.is_answer and stream is not None)


def _status(answer: bytes, session: _Session) -> int:
    """In the stateless era, HTTP says what kind of error it is."""
    if session.identity is not None or b'"error"' not in answer:
        return 200
    error = orjson.loads(answer).get("error")
    code = error.get("code") if type(error) is dict else None
    return _STATUS.get(code, 200) if type(code) is int else 200


def _headers(session: _Session) -> dict[str, str]:
    return {SESSION: session.identity} if session.identity is not None else {}


def _envelope_problem(request: Request, message: Message) -> bytes | None:
    """Does a request of the stateless era say of itself what it must, and the same in its headers?"""
    body = message.body or {}
    if message.kind != REQUEST:
        return None
    identity = body.get("id")
    inner, outer = revision_of(body), request.header(_VERSION)
    if inner is None:
        text = f"Invalid params: _meta lacks {methods.PROTOCOL_VERSION}"
        return _refusal(identity, codes.INVALID_PARAMS, text)
    if inner != outer:
        text = f"{VERSION} is {outer!r}, but the body says {inner!r}"
        return _refusal(identity, codes.HEADER_MISMATCH, text)
    for name, value in mirrored(body):
        given = request.header(name.lower().encode())
        if name in (METHOD, NAME) and (given is None or decode(given) != decode(value)):
            text = f"{name} is {given!r}, but the body says {value!r}"
            return _refusal(identity, codes.HEADER_MISMATCH, text)
    if inner not in STATELESS_REVISIONS:
        data = {"supported": list(STATELESS_REVISIONS), "requested": inner}
        return _refusal(identity, codes.UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data)
    return None


def _refusal(identity: Any, code: int, text: str, data: Any = None) -> bytes:
    error = {"code": code, "message": text} | ({} if data is None else {"data": data})
    return orjson.dumps({"jsonrpc": "2.0", "id": identity, "error": error})
