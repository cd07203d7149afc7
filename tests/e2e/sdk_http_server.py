"""The weather server over HTTP: `python sdk_http_server.py streamable-http|sse PORT [json] [stateless]`."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

WEATHER = Path(__file__).parents[2] / "fixtures" / "servers" / "weather.py"


def main() -> None:
    transport, port, *options = sys.argv[1:]
    settings: dict[str, Any] = {"port": int(port), "host": "127.0.0.1"}
    if transport == "streamable-http":
        settings |= {"json_response": "json" in options, "stateless_http": "stateless" in options}
    runpy.run_path(str(WEATHER))["server"].run(transport, **settings)


if __name__ == "__main__":
    main()
