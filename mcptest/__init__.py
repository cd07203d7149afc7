"""mcptest: knowing for certain how an MCP server behaves."""

__version__ = "0.1.0"
