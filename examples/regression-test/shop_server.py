from datetime import UTC, datetime

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("shop", version="1.0.0")
PRICES = {"tea": 3.5, "cake": 4.0}


@server.tool()
def price(item: str) -> dict[str, object]:
    """The price of an item."""
    if item not in PRICES:
        raise ToolError(f"there is no {item}")
    return {"item": item, "price": PRICES[item], "currency": "EUR", "asked_at": datetime.now(UTC).isoformat()}


@server.tool()
def delete_item(item: str) -> str:
    """Take an item off the list."""
    PRICES.pop(item)
    return f"{item} is gone"


if __name__ == "__main__":
    server.run(transport="stdio")
