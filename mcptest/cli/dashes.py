"""Commands that take sessions, and behind `--` the command line of a server: the two are told apart by the dashes."""

from __future__ import annotations

from typing import Any

import typer

_KEY = "mcptest.behind"
_PIECE = "[-- COMMAND [ARG]...]"


class Split(typer.core.TyperCommand):
    """Keeps what stands behind `--` away from the arguments before it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            ctx.meta[_KEY] = args[at + 1 :]
            args = args[:at]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [*super().collect_usage_pieces(ctx), _PIECE]


def behind(context: typer.Context) -> list[str] | None:
    """The words behind `--`, None if there are no dashes."""
    found: list[str] | None = context.meta.get(_KEY)
    return found
