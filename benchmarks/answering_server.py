"""A server that does as little as one can, over stdio or, given a port, over HTTP: the rest is the client's time."""

from __future__ import annotations

import asyncio
import json
import sys

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


def answer(line: bytes) -> bytes:
    message = json.loads(line)
    if "id" not in message:
        return b""
    return b'{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}' % json.dumps(message["id"]).encode()


def over_stdio() -> None:
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    while line := stdin.readline():
        said = answer(line)
        if said:
            stdout.write(said + b"\n")
            stdout.flush()


async def over_http(port: int) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                if b"content-length: " not in head:
                    writer.write(b"HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
                    continue
                size = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
                said = answer(await reader.readexactly(size))
                accepted = b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"
                writer.write(HEAD % len(said) + said if said else accepted)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", port) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(over_http(int(sys.argv[1]))) if sys.argv[1:] else over_stdio()
