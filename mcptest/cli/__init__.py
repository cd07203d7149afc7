"""The command line: parse, call one door, render. A file per command in `commands/`; the folder is the registry.

Nothing is loaded by entering here, not even typing: `mcptest record` passes through this door while a client waits.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

__all__ = ["app", "main"]


def app() -> "typer.Typer":
    """The whole application, with every command."""
    from mcptest.cli.application import build

    return build()


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run one command and say how it ended: the exit code. Errors are one line on stderr."""
    from mcptest.cli.guard import guarded

    return guarded(arguments)
