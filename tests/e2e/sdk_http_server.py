"""The weather server over HTTP, or another one of the fixtures:
`python sdk_http_server.py streamable-http|sse PORT [json] [stateless] [server=library]`."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

SERVERS = Path(__file__).parents[2] / "fixtures" / "servers"


def main() -> None:
    transport, port, *options = sys.argv[1:]
    settings: dict[str, Any] = {"port": int(port), "host": "127.0.0.1"}
    if transport == "streamable-http":
        settings |= {"json_response": "json" in options, "stateless_http": "stateless" in options}
    name = next((option.removeprefix("server=") for option in options if option.startswith("server=")), "weather")
    runpy.run_path(str(SERVERS / f"{name}.py"))["server"].run(transport, **settings)


if __name__ == "__main__":
    main()
