"""The part of each command's page in docs/commands that follows from the code: usage, arguments, options.

    python -m mcptest.cli.reference        write it anew
    python -m mcptest.cli.reference --check   say which pages are stale, exit 1 if any

A page belongs to its author but for what stands between the two markers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- options: generated, see mcptest/cli/reference.py -->", "<!-- end of options -->"
PAGES = Path(__file__).parents[2] / "docs" / "commands"


def main(arguments: list[str]) -> int:
    stale = {path: text for path, text in fresh_pages().items() if not path.exists() or path.read_text("utf-8") != text}
    for path, text in stale.items():
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
        print(f"{'stale' if '--check' in arguments else 'written'}: {path}")
    return 1 if stale and "--check" in arguments else 0


def fresh_pages() -> dict[Path, str]:
    """Every page as it should be."""
    return {PAGES / f"{name}.md": _page(PAGES / f"{name}.md", name, *parts) for name, parts in _commands().items()}


def _page(path: Path, name: str, help: str, options: str) -> str:
    """A page that is not there yet begins with the command's own help."""
    text = path.read_text(encoding="utf-8") if path.exists() else f"# mcptest {name}\n\n{help}\n\n{BEGIN}\n{END}\n"
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path} lacks its markers: {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{options}{END}{after}"


def _commands() -> dict[str, tuple[str, str]]:
    """Each command's help and the generated part of its page."""
    import typer

    from mcptest.cli import app

    root = typer.main.get_command(app())
    context = root.make_context("mcptest", [], resilient_parsing=True)
    pages = {}
    for name in root.list_commands(context):  # type: ignore[attr-defined]
        command = root.get_command(context, name)  # type: ignore[attr-defined]
        options = _own_help() if name == "record" else "".join(_describe(command, f"mcptest {name}", context))
        pages[name] = (command.help, options)
    return pages


def _own_help() -> str:
    from mcptest.cli.record import HELP

    return f"```\n{HELP}```\n"


def _describe(command: Any, path: str, parent: Any) -> Iterator[str]:
    context = command.make_context(path, [], parent=parent, resilient_parsing=True)
    members = command.list_commands(context) if hasattr(command, "list_commands") else []
    for name in members:
        member = command.get_command(context, name)
        yield f"## {path} {name}\n\n{member.help}\n\n"
        yield from _describe(member, f"{path} {name}", context)
    if members:
        return
    pieces = [piece.replace("{", "").replace("}", "") for piece in command.collect_usage_pieces(context)]
    yield f"```\n{' '.join([path, *pieces])}\n```\n\n"
    for parameter in command.get_params(context):
        described = _parameter(parameter)
        if described:
            yield described
    yield "\n"


def _parameter(parameter: Any) -> str:
    if parameter.name == "help":
        return ""
    if parameter.param_type_name == "argument":
        return f"- `{parameter.metavar}`: {parameter.help}\n"
    names = ", ".join(f"`{name}`" for name in sorted(parameter.opts, key=len))
    value = "" if parameter.is_flag else f" `{_value(parameter)}`"
    more = []
    if parameter.required:
        more.append("required")
    elif not parameter.is_flag and parameter.default is not None:
        more.append(f"default `{parameter.default}`")
    if parameter.envvar:
        more.append(f"environment variable `{parameter.envvar}`")
    remark = f" ({'; '.join(more)})" if more else ""
    return f"- {names}{value}: {parameter.help}{remark}\n"


def _value(parameter: Any) -> str:
    choices = parameter.type_descriptor.choices
    return str(parameter.metavar or "|".join(map(str, choices or ())) or parameter.name.upper())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
