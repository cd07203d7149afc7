"""A client for the quick start: talks to any weather server given as a command.

python examples/quickstart/client.py COMMAND [ARG]...
"""

import sys

import anyio
from mcp import Client, StdioServerParameters


async def main(command: list[str]) -> None:
    async with Client(StdioServerParameters(command=command[0], args=command[1:])) as client:
        tools = await client.list_tools()
        print("tools:", ", ".join(tool.name for tool in tools.tools))
        for city in ("Berlin", "Paris", "Rome"):
            result = await client.call_tool("forecast", {"city": city, "days": 2})
            print(f"forecast for {city}:", result.structured_content)
        failed = await client.call_tool("fail", {"reason": "no weather today"})
        print("fail:", "an error, as it should" if failed.is_error else "no error?")


anyio.run(main, sys.argv[1:])
