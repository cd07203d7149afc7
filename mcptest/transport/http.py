"""A server behind a URL: Streamable HTTP in both eras.

Until 2025-11-25 an `initialize` opens a session, whose id goes with every request; the server's own messages come on a
stream that a GET opens, and a broken stream is resumed by the id of its last event. Since 2026-07-28 a request stands
for itself, says in its headers what it is, and ends with its stream.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine, Sequence
from typing import Any

import orjson

from mcptest.protocol import methods
from mcptest.transport.connection import Lost, Patience, Receiver, within
from mcptest.transport.flights import Flight, cancelled
from mcptest.transport.headers import SESSION, VERSION, is_stateless, mirrored, revision_of
from mcptest.transport.http1 import Http1, Response, origin
from mcptest.transport.tap import Tap, note
from mcptest.transport.target import Target
from mcptest.wire.frame import REQUEST, REQUEST_BODY, RESPONSE, RESPONSE_BODY, SSE
from mcptest.wire.heads import EVENT_STREAM, is_json, render_head
from mcptest.wire.sse import Events, parse_event

_INITIALIZED = "notifications/initialized"
_RESUMES = 2  # attempts to go on with a stream that ended without its answer
_RETRY_MS = 1000  # before them, unless the server says otherwise
_SHORT = 200  # of a body that is quoted


class Http:
    def __init__(self, target: Target, tap: Tap, receiver: Receiver, patience: Patience) -> None:
        assert target.url is not None
        self._client = Http1(origin(target.url), patience.connect)
        self._headers, self._tap, self._receiver, self._patience = target.headers, tap, receiver, patience
        self._session: str | None = None
        self._version: str | None = None
        self._schemas: dict[str, Any] = {}  # of tools that were listed: a call repeats marked arguments in headers
        self._tasks: set[asyncio.Task[None]] = set()
        self._in_flight: dict[str, Flight] = {}
        self._exchanges = 0

    @classmethod
    async def open(cls, target: Target, tap: Tap, receiver: Receiver, patience: Patience) -> Http:
        made = cls(target, tap, receiver, patience)
        made._client.give_back(await made._client.connect(), keep=True)
        return made

    async def send(self, data: bytes, message: dict[str, Any] | None) -> None:
        """A request has left us when this returns, so that what is sent next cannot overtake it, and is answered in the
        background; anything else has been taken by the server."""
        if message is not None and "id" in message and "method" in message:
            flight = self._in_flight[str(message["id"])] = Flight()
            flight.task = self._begin(self._request(data, message, flight))
            await flight.sent.wait()
            return
        if message is not None and message.get("method") == methods.CANCELLED:
            meant = self._in_flight.get(cancelled(message))
            if meant is not None:
                await within(meant.heard, self._patience.stream)  # that another connection is not served first
            if is_stateless(self._version):
                if meant is not None and meant.task is not None:
                    meant.task.cancel()  # to end the stream of a request is to cancel it
                return
        await self._deliver(data, message)
        if message is not None and message.get("method") == _INITIALIZED and not is_stateless(self._version):
            opened = asyncio.Event()
            self._begin(self._listen(opened))
            await within(opened, self._patience.stream)  # some servers say nothing before their first event

    @property
    def session(self) -> str | None:
        """The id that the server gave to this session, if it did."""
        return self._session

    async def post(
        self,
        data: bytes,
        message: dict[str, Any] | None = None,
        *,
        without: Collection[str] = (),
        extra: Sequence[tuple[str, str]] = (),
    ) -> tuple[int, bytes]:
        """The status and body of one exchange beside the conversation, with headers left out or added: for whoever
        breaks the rules on purpose."""
        headers = [*self._common(message), ("Content-Type", "application/json")]
        response = await self._send("POST", data, [*(one for one in headers if one[0] not in without), *extra])
        try:
            return response.head.status or 0, await self._body(response)
        except BaseException:
            response.close()
            raise

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._session is not None:
            try:
                async with asyncio.timeout(self._patience.end):
                    response = await self._send("DELETE", b"", self._common())
                    await self._body(response)
            except (Lost, TimeoutError):
                pass
        self._client.close()

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # ---- one message

    async def _request(self, data: bytes, message: dict[str, Any], flight: Flight) -> None:
        request = message["id"]
        try:
            response = await self._post(data, message, flight.sent)
            flight.heard.set()
            if message["method"] == methods.INITIALIZE and response.head.status == 200:
                self._session = response.head.get(SESSION.lower().encode()) or self._session
            if response.head.content_type == EVENT_STREAM and response.head.status == 200:
                await self._stream(response, message)
            else:
                self._answer(message, response, await self._body(response))
        except Lost as lost:
            self._receiver.failed(request, str(lost))
        finally:
            flight.land()
            self._in_flight.pop(str(request), None)

    async def _deliver(self, data: bytes, message: dict[str, Any] | None) -> None:
        response = await self._post(data, message)
        if response.head.content_type == EVENT_STREAM:
            await self._events(response)
            return
        body = await self._body(response)
        if body.strip() and message is None:
            self._receiver.received(body)

    async def _post(self, data: bytes, message: dict[str, Any] | None, sent: asyncio.Event | None = None) -> Response:
        return await self._send("POST", data, [*self._common(message), ("Content-Type", "application/json")], sent)

    def _common(self, message: dict[str, Any] | None = None) -> list[tuple[str, str]]:
        headers = [("Accept", "application/json, text/event-stream"), *self._headers]
        own = revision_of(message) if message is not None else None
        if message is not None and message.get("method") == methods.INITIALIZE:
            return headers
        if is_stateless(own) and message is not None and own is not None:
            self._version = own
            headers.append((VERSION, own))
            if "method" in message:
                headers += mirrored(message, self._schemas.get(_tool_of(message)))
            return headers
        if self._version is not None:
            headers.append((VERSION, self._version))
        if self._session is not None:
            headers.append((SESSION, self._session))
        return headers

    def _answer(self, message: dict[str, Any], response: Response, body: bytes) -> None:
        status = response.head.status or 0
        if status in (401, 403):
            raise Lost(
                f"the server answers {status}: give it credentials with --bearer-env NAME or --header 'NAME: VALUE'",
                status=status,
            )
        answer = _object(body) if is_json(response.head.content_type) or status >= 400 else None
        if answer is not None and ("result" in answer or "error" in answer):
            if answer.get("id") is None and status >= 400:
                answer["id"] = message["id"]  # refused before its id was read
                body = orjson.dumps(answer)
            self._hear(message, body)
            return
        reason = response.head.start.decode("latin-1").partition(" ")[2]
        text = body[:_SHORT].decode("utf-8", "replace").strip()
        error = {"code": status, "message": f"HTTP {reason}" + (f": {text}" if text else "")}
        self._receiver.received(orjson.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}))

    def _hear(self, message: dict[str, Any] | None, data: bytes) -> None:
        if message is not None and message.get("method") in (methods.INITIALIZE, "tools/list"):
            self._learn(message["method"], data)
        self._receiver.received(data)

    def _learn(self, method: str, data: bytes) -> None:
        result = (_object(data) or {}).get("result")
        if type(result) is not dict:
            return
        if method == methods.INITIALIZE:
            version = result.get("protocolVersion")
            self._version = version if type(version) is str else self._version
            return
        tools = result.get("tools")
        for tool in tools if type(tools) is list else ():
            if type(tool) is dict and type(tool.get("name")) is str:
                self._schemas[tool["name"]] = tool.get("inputSchema")

    # ---- streams

    async def _stream(self, response: Response, message: dict[str, Any]) -> None:
        """The events of an answer, until the answer itself; in the session era, over several connections."""
        last, retry = None, _RETRY_MS
        for attempt in range(_RESUMES + 1):
            if attempt:
                await asyncio.sleep(retry / 1000)
                response = await self._send("GET", b"", [*self._common(), ("Last-Event-ID", str(last))])
                if response.head.status != 200 or response.head.content_type != EVENT_STREAM:
                    response.close()
                    break
            answered, seen, wait = await self._events(response, message)
            if answered:
                return
            last, retry = seen or last, wait if wait is not None else retry
            if last is None or is_stateless(self._version):
                break
        raise Lost("the stream ended without the answer")

    async def _events(
        self, response: Response, message: dict[str, Any] | None = None
    ) -> tuple[bool, str | None, int | None]:
        """Hear a stream's messages: whether the answer was among them, the last event's id, and the time to wait."""
        events, last, retry = Events(), None, None
        answered, by, how = False, "client", "closed"
        note(self._tap, event="stream opened", x=response.exchange)
        try:
            async with asyncio.timeout(None) as limit:
                async for piece in response.pieces():
                    for raw in events.feed(piece):
                        self._tap(SSE, raw, meta=response.meta)
                        event = parse_event(raw)
                        last = event.id or last
                        retry = int(event.retry) if event.retry and event.retry.isdigit() else retry
                        if event.data is None or not event.data.strip() or event.name not in (None, "message"):
                            continue
                        if _answers(message, event.data):
                            answered = True
                            self._hear(message, event.data)
                            limit.reschedule(asyncio.get_running_loop().time() + self._patience.stream)
                        else:
                            self._hear(None, event.data)
            by, how = "server", "ended"
        except TimeoutError:
            response.close()  # answered, and yet not over
        except Lost:
            by, how = "server", "broken"
            if not answered and (message is None or last is None):
                raise
        finally:
            note(self._tap, event="stream closed", by=by, how=how, x=response.exchange)
        return answered, last, retry

    async def _listen(self, opened: asyncio.Event) -> None:
        """The stream of the server's own messages, opened again when it ends."""
        last: str | None = None
        for attempt in range(_RESUMES + 1):
            try:
                more = [] if last is None else [("Last-Event-ID", last)]
                response = await self._send("GET", b"", [*self._common(), *more])
                if response.head.status != 200 or response.head.content_type != EVENT_STREAM:
                    await self._body(response)
                    return
                opened.set()
                _, seen, retry = await self._events(response)
                last = seen or last
            except Lost:
                retry = None
            finally:
                opened.set()
            if attempt < _RESUMES:
                await asyncio.sleep((_RETRY_MS if retry is None else retry) / 1000)

    # ---- HTTP, tapped

    async def _send(
        self, method: str, body: bytes, headers: list[tuple[str, str]], sent: asyncio.Event | None = None
    ) -> Response:
        """One exchange, which has a number: its frames carry it, so that an answer is found for its request. All
        exchanges are one conversation, whatever connection (`c`) they use."""
        wire = await self._client.connect()
        self._exchanges += 1
        exchange = self._exchanges
        meta = b'{"x":%d,"c":%d}' % (exchange, wire.number)
        if body or method == "POST":
            headers = [*headers, ("Content-Length", str(len(body)))]
        head = self._client.head(method, headers)
        self._tap(REQUEST, head, meta=meta)
        if body:
            self._tap(REQUEST_BODY, body, meta=meta)
        try:
            await self._client.send(wire, head, body)
            if sent is not None:
                sent.set()
            response = await self._client.receive(wire, method)
        except (Lost, asyncio.CancelledError) as error:
            self._aborted(error, "waiting", exchange)
            raise
        response.meta, response.exchange = meta, exchange
        self._tap(RESPONSE, render_head(response.head), meta=meta)
        return response

    async def _body(self, response: Response) -> bytes:
        try:
            body = await response.read()
        except (Lost, asyncio.CancelledError) as error:
            self._aborted(error, "response", response.exchange)
            raise
        if body:
            self._tap(RESPONSE_BODY, body, meta=response.meta)
        return body

    def _aborted(self, error: BaseException, during: str, exchange: int) -> None:
        by, how = ("server", "broken") if isinstance(error, Lost) else ("client", "closed")
        note(self._tap, event="aborted", by=by, how=how, during=during, x=exchange)


def _tool_of(message: dict[str, Any]) -> str:
    params = message.get("params")
    name = params.get("name") if type(params) is dict else None
    return name if type(name) is str and message.get("method") == methods.CALL_TOOL else ""


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    return value if type(value) is dict else None


def _answers(message: dict[str, Any] | None, data: bytes) -> bool:
    if message is None:
        return False
    value = _object(data)
    return value is not None and "method" not in value and value.get("id") == message["id"]
