"""The SDK's client in a process of its own: `python -m tests.e2e.sdk_http_client URL MODE` prints what it got."""

from __future__ import annotations

import sys

import anyio

from tests.e2e.conversation import with_weather


def main() -> None:
    url, mode = sys.argv[1:]
    target = url
    if url.endswith("/sse"):
        from mcp.client.sse import sse_client

        target = sse_client(url)
    print(anyio.run(with_weather, target, mode))


if __name__ == "__main__":
    main()
