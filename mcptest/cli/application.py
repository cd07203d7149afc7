"""Put the application together from the files in `commands/`.

A command is a module with a function `run`, or, for a group of commands, a list `COMMANDS` of functions. Those that the
module lists in `SPLIT` take a server's command line behind `--`, beside arguments of their own. The
module is named as the command is, with a trailing underscore where Python has taken the word, and its docstring
is the command's help.
"""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Annotated, Any

import typer

from mcptest import __version__, plugins
from mcptest.cli.dashes import Split

PACKAGE = "mcptest.cli.commands"
_SETTINGS = {"help_option_names": ["-h", "--help"]}


def command_names() -> list[str]:
    return [command_name(module) for module in plugins.names(PACKAGE)]


def command_name(module: str) -> str:
    return module.rpartition(".")[2].rstrip("_").replace("_", "-")


def build(only: str | None = None) -> typer.Typer:
    """The application; with `only` that one command, which saves loading the others when it is known what is asked."""
    application = typer.Typer(
        name="mcptest",
        cls=_Sorted,
        help=(
            "Record what passes between an MCP client and server, byte for byte; then look at it, query it, "
            "hand it on.\n\nPut `mcptest record --` in front of a server's command, work as usual, and start with "
            "`mcptest sessions`."
        ),
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=_SETTINGS,
    )
    application.callback()(_root)
    for name in plugins.names(PACKAGE):
        if only is None or command_name(name) == only:
            _add(application, plugins.load(PACKAGE, name))
    return application


class _Sorted(typer.core.TyperGroup):
    """Commands and groups of commands in one list."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx))


def _say_version(asked: bool) -> None:
    if asked:
        print(f"mcptest {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_say_version)
    ] = False,
) -> None:
    pass


def _add(application: typer.Typer, module: ModuleType) -> None:
    name = command_name(module.__name__)
    text = inspect.cleandoc(module.__doc__ or "")
    functions = getattr(module, "COMMANDS", None)
    split = getattr(module, "SPLIT", ())
    if functions is None:
        settings = {**_SETTINGS, **getattr(module, "SETTINGS", {})}
        first_line = text.partition("\n")[0]
        cls = Split if module.run in split else None
        application.command(name, cls=cls, help=text, short_help=first_line, context_settings=settings)(module.run)
        return
    group = typer.Typer(
        name=name,
        help=text,
        short_help=text.partition("\n")[0],
        rich_markup_mode=None,
        context_settings=_SETTINGS,
    )
    for function in functions:
        first_line = inspect.cleandoc(function.__doc__ or "").partition("\n")[0]
        cls = Split if function in split else None
        group.command(function.__name__, cls=cls, short_help=first_line, context_settings=_SETTINGS)(function)
    application.add_typer(group)
