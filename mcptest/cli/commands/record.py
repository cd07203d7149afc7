"""Run an MCP server and keep every byte that passes between it and its client.

Put `mcptest record --` in front of the server's command in your client's configuration; nothing else changes.
"""

from __future__ import annotations

import typer

# The command has a parser of its own, which starts faster: see mcptest/cli/record.py.
SETTINGS = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}


def run(context: typer.Context) -> None:
    from mcptest.cli.record import main

    main(context.args)
