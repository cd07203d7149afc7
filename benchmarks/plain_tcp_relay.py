"""The yardstick: an asyncio relay that copies bytes between two TCP connections and records nothing.

python plain_tcp_relay.py LISTEN_PORT SERVER_PORT
"""

import asyncio
import sys


class Side(asyncio.Protocol):
    def __init__(self, other: "Side | None" = None) -> None:
        self.other = other
        self.transport: asyncio.Transport | None = None
        self.waiting: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if self.other is None:
            self.task = asyncio.get_running_loop().create_task(self.connect())
        else:
            self.other.other = self
            transport.write(b"".join(self.other.waiting))

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: Side(self), "127.0.0.1", int(sys.argv[2]))

    def data_received(self, data: bytes) -> None:
        if self.other is None or self.other.transport is None:
            self.waiting.append(data)
        else:
            self.other.transport.write(data)

    def pause_writing(self) -> None:
        if self.other and self.other.transport:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other and self.other.transport:
            self.other.transport.resume_reading()

    def connection_lost(self, _: Exception | None) -> None:
        if self.other and self.other.transport:
            self.other.transport.close()


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Side, "127.0.0.1", int(sys.argv[1]), backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
