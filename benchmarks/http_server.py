"""The server behind every candidate: answers at once, so that what is measured is what stands in front of it.

    python http_server.py PORT

POST gives a JSON-RPC answer. GET /first gives one event, /paced/N an event each millisecond, /burst/N as many as fit;
each event holds the time at which it was sent.
"""

import asyncio
import sys
import time

ANSWER = (
    b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"'
    + b"the quick brown fox jumps over the lazy dog " * 4
    + b'"}],"isError":false}}'
)
RESPONSE = (
    b"HTTP/1.1 200 OK\r\nserver: bench\r\ncontent-type: application/json\r\n"
    b"mcp-session-id: 5f1c09aa\r\ncontent-length: %d\r\n\r\n" % len(ANSWER) + ANSWER
)
STREAM = (
    b"HTTP/1.1 200 OK\r\nserver: bench\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n"
    b"transfer-encoding: chunked\r\n\r\n"
)
END = b"0\r\n\r\n"


def event(number: int) -> bytes:
    message = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"n":%d,"sent":%d}}'
    text = b"event: message\ndata: " + message % (number, time.monotonic_ns()) + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(text), text)


class Connection(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.buffer = b""
        self.task: asyncio.Task[None] | None = None
        self.room = asyncio.Event()
        self.room.set()

    def connection_lost(self, _: Exception | None) -> None:
        if self.task:
            self.task.cancel()

    def pause_writing(self) -> None:
        self.room.clear()

    def resume_writing(self) -> None:
        self.room.set()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r", 1)[0]) if at >= 0 else 0
            if len(self.buffer) < end + 4 + length:
                return
            path = self.buffer.split(b" ", 2)[1]
            self.buffer = self.buffer[end + 4 + length :]
            if head.startswith(b"post"):
                self.transport.write(RESPONSE)
            else:
                self.stream(path.decode())

    def stream(self, path: str) -> None:
        kind, _, count = path.strip("/").partition("/")
        if kind == "first":
            self.transport.write(STREAM + event(0))
            self.transport.write(END)
        else:
            self.task = asyncio.get_running_loop().create_task(self.send(kind == "paced", int(count)))

    async def send(self, paced: bool, count: int) -> None:
        self.transport.write(STREAM)
        for number in range(count):
            self.transport.write(event(number))
            if paced:
                await asyncio.sleep(0.001)
            elif not self.room.is_set():
                await self.room.wait()
        self.transport.write(END)


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", int(sys.argv[1]), backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
