"""A suite as text: YAML that people like to read, with comments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mcptest.visible import visible

_WIDTH = 110
_SHORT = ("args", "checks", "command", "matcher")  # what stands on one line where it is short
_LONGEST_FLOW = 90


class Draft(NamedTuple):
    """An entry to be written: its block, its keys in order, and what is said above it."""

    block: str
    keys: Mapping[str, Any]
    comments: tuple[str, ...] = ()


def compose(
    head: Sequence[str], server: Mapping[str, Any], drafts: Iterable[Draft], above_server: Sequence[str] = ()
) -> str:
    lines = [_comment(line) for line in head]
    lines += ["", *map(_comment, above_server), _yaml({"server": _escaped(server)})]
    blocks: dict[str, list[Draft]] = {}
    for draft in drafts:
        blocks.setdefault(draft.block, []).append(draft)
    for block, entries in blocks.items():
        lines.append(f"{block}:")
        for number, draft in enumerate(entries):
            lines += [""] if number else []
            lines += [f"  {_comment(line)}" for line in draft.comments]
            text = _yaml([_escaped(draft.keys)])
            lines += [f"  {line}" if line else "" for line in text.rstrip("\n").split("\n")]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def _comment(text: str) -> str:
    """On one line, whatever a recording put into it."""
    text = visible(text)
    return text if text.startswith("#") else f"# {text}".rstrip()


def _yaml(value: Any) -> str:
    import yaml

    class Plain(yaml.SafeDumper):
        """Nothing is an alias, since suites take none; lists are indented like everything else."""

        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
            return True

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:  # noqa: ARG002
            return super().increase_indent(flow, False)

        def represent_data(self, data: Any) -> Any:
            node: Any = super().represent_data(data)
            if isinstance(data, str) and "\n" in data:
                node.style = "|"
            if isinstance(data, dict):
                for key, member in node.value:
                    if key.value in _SHORT and _is_short(data[key.value]):
                        member.flow_style = True
            return node

    text: str = yaml.dump(
        value, Dumper=Plain, sort_keys=False, allow_unicode=True, default_flow_style=False, width=_WIDTH
    )
    return text


def _is_short(value: Any) -> bool:
    text = json.dumps(value)
    return isinstance(value, dict | list) and len(text) <= _LONGEST_FLOW and "\\n" not in text


def _escaped(value: Any) -> Any:
    """The value with what looks like a variable marked as none."""
    if isinstance(value, Secret):
        return str(value)
    if isinstance(value, str):
        return value.replace("${", "$${")
    if isinstance(value, Mapping):
        return {key: _escaped(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_escaped(item) for item in value]
    return value


class Secret(str):
    """`${NAME}` where a value stood that must not be written down."""

    __slots__ = ()
