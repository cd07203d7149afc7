import asyncio
import sys

from mcp import Client, StdioServerParameters


async def main(command: list[str]) -> None:
    async with Client(StdioServerParameters(command=command[0], args=command[1:])) as client:
        await client.list_tools()
        print((await client.call_tool("price", {"item": "tea"})).structured_content["price"])
        print((await client.call_tool("price", {"item": "caviar"})).is_error)
        await client.call_tool("delete_item", {"item": "cake"})


asyncio.run(main(sys.argv[1:]))
