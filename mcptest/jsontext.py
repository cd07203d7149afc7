"""JSON as text: where each value stands in a document, at any depth, without recursion.

Parsers give values and forget the places. A linter has to point at a line, and a fixer has to change one value and
leave every other byte alone: both need the spans. `read` gives values for any document that the grammar allows, also
those that the fast parser refuses (deep nesting, lone surrogates).
"""

from __future__ import annotations

import gc
import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import orjson

OBJECT, ARRAY, SCALAR = "object", "array", "scalar"

_LONGEST_INTEGER = 4000  # Python refuses to convert more digits than this by default
# Possessive quantifiers: an unterminated string must not be scanned again from each of its characters.
_TOKEN = re.compile(
    r"""[ \t\n\r]*+ (?:
        (?P<mark> [{}\[\],:] )
      | (?P<string> " [^"\\\x00-\x1f]*+ (?: \\ (?: ["\\/bfnrt] | u[0-9a-fA-F]{4} ) [^"\\\x00-\x1f]*+ )*+ " )
      | (?P<number> -? (?: 0 | [1-9][0-9]*+ ) (?: \.[0-9]++ )? (?: [eE][+-]?[0-9]++ )? )
      | (?P<word> true | false | null )
    )""",
    re.VERBOSE,
)
_SPACE = re.compile(r"[ \t\n\r]*+")
_WORDS = {"true": True, "false": False, "null": None}
_POINTER_ESCAPES = str.maketrans({"~": "~0", "/": "~1"})


class NotJsonError(ValueError):
    """The document breaks the grammar at `line` and `column`."""

    def __init__(self, reason: str, line: int, column: int) -> None:
        super().__init__(f"{reason} (line {line}, column {column})")
        self.reason, self.line, self.column = reason, line, column


class Member(NamedTuple):
    """One member of an object: its key decoded, the span of the key's own text, and its value."""

    key: str
    key_start: int
    key_end: int
    node: Node


class Node:
    """One value in the text: `text[start:end]`. Objects have `members`, arrays have `items`."""

    __slots__ = ("_index", "end", "items", "kind", "members", "start")

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind, self.start, self.end = kind, start, end
        self.members: list[Member] = [] if kind is OBJECT else _NO_MEMBERS
        self.items: list[Node] = [] if kind is ARRAY else _NO_ITEMS
        self._index: dict[str, Member] | None = None

    def member(self, key: str) -> Member | None:
        """The member that counts: of a repeated key the last, as parsers have it."""
        if self._index is None:
            self._index = {member.key: member for member in self.members}
        return self._index.get(key)

    def at(self, pointer: str) -> Node | None:
        """The value that a JSON pointer names from here."""
        node: Node | None = self
        for token in pointer_tokens(pointer):
            if node is None:
                return None
            if node.kind == OBJECT:
                member = node.member(token)
                node = member.node if member else None
            elif node.kind == ARRAY and token.isascii() and token.isdecimal() and int(token) < len(node.items):
                node = node.items[int(token)]
            else:
                return None
        return node


# Shared by all the nodes that have none; nothing is ever added to them.
_NO_MEMBERS: list[Member] = []
_NO_ITEMS: list[Node] = []


class Lines:
    """Line and column, both from 1, of an offset in a text. A line ends with a newline character only."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def pointer(*tokens: str | int) -> str:
    """A JSON pointer out of keys and indices."""
    return "".join("/" + str(token).translate(_POINTER_ESCAPES) for token in tokens)


def pointer_tokens(text: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in text.split("/")[1:]]


def read(text: str) -> Any:
    """The document's value; NotJsonError where it is not JSON."""
    try:
        return orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        return value(parse(text), text)


def parse(text: str) -> Node:
    """The document as a tree of spans; NotJsonError where it is not JSON."""
    with _no_collection():
        return _parse(text)


@contextmanager
def _no_collection() -> Iterator[None]:
    """A tree has no cycles, and looking for some again and again while it grows takes most of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _parse(text: str) -> Node:
    match_token = _TOKEN.match
    root: Node | None = None
    stack: list[Node] = []
    key: tuple[str, int, int] | None = None
    position, want = 0, "value"
    while True:
        match = match_token(text, position)
        if match is None:
            break
        kind, start, position = match.lastgroup, match.start(match.lastindex or 0), match.end()
        mark = text[start] if kind == "mark" else None
        if want == "comma":
            top = stack[-1]
            if mark == ",":
                want = "key" if top.kind == OBJECT else "value"
                continue
            if mark != ("}" if top.kind == OBJECT else "]"):
                raise _error(text, start, "expected ',' or the end of the " + top.kind)
            node = stack.pop()
            node.end = position
        elif want in ("key", "first key"):
            if kind == "string":
                colon = match_token(text, position)
                if colon is None or text[colon.end() - 1] != ":" or colon.lastgroup != "mark":
                    raise _error(text, position, "expected ':' after a key")
                key = (_string(text[start:position]), start, position)
                position, want = colon.end(), "value"
                continue
            if mark != "}" or want == "key":
                raise _error(text, start, "expected a key in double quotes")
            node = stack.pop()
            node.end = position
        elif mark is not None and mark in "{[":
            node = Node(OBJECT if mark == "{" else ARRAY, start, -1)
            root = _add(stack, key, node, root)
            key = None
            stack.append(node)
            want = "first key" if mark == "{" else "first value"
            continue
        elif mark == "]" and want == "first value":
            node = stack.pop()
            node.end = position
        elif mark is not None:
            raise _error(text, start, "expected a value")
        else:
            node = Node(SCALAR, start, position)
            root = _add(stack, key, node, root)
            key = None
        if not stack:
            break
        want = "comma"
    return _whole(text, position, root, stack)


def _add(stack: list[Node], key: tuple[str, int, int] | None, node: Node, root: Node | None) -> Node:
    if not stack:
        return node
    if key is None:
        stack[-1].items.append(node)
    else:
        stack[-1].members.append(Member(*key, node))
    assert root is not None
    return root


def _whole(text: str, position: int, root: Node | None, stack: Sequence[Node]) -> Node:
    rest = _SPACE.match(text, position).end()  # type: ignore[union-attr]  # matches the empty string
    if root is None or stack:
        if rest == len(text):
            raise _error(text, rest, "the document is empty" if root is None else "the document ends too early")
        raise _error(text, rest, "expected a value" if root is None else "not JSON from here")
    if rest != len(text):
        raise _error(text, rest, "more text after the end of the document")
    return root


def _error(text: str, offset: int, reason: str) -> NotJsonError:
    return NotJsonError(reason, *Lines(text).position(offset))


def value(root: Node, text: str) -> Any:
    """The value of a tree of spans."""
    with _no_collection():
        return _value(root, text)


def _value(root: Node, text: str) -> Any:
    if root.kind == SCALAR:
        return _scalar(text, root)
    holder: list[Any] = []
    todo: list[tuple[Node, Any, Any]] = [(root, holder, None)]
    while todo:
        node, into, key = todo.pop()
        made: Any
        if node.kind == OBJECT:
            made = dict.fromkeys(member.key for member in node.members)
            # Pushed in order, so that of a repeated key the first is popped last: only the last one is pushed.
            for name in made:
                member = node.member(name)
                assert member is not None
                if member.node.kind == SCALAR:
                    made[name] = _scalar(text, member.node)
                else:
                    todo.append((member.node, made, name))
        else:
            made = [_scalar(text, item) if item.kind == SCALAR else None for item in node.items]
            todo.extend((item, made, at) for at, item in enumerate(node.items) if item.kind != SCALAR)
        if into is holder:
            holder.append(made)
        else:
            into[key] = made
    return holder[0]


def same(left: Any, right: Any) -> bool:
    """Are two JSON values equal, at any depth? `true` is not `1`; `1` and `1.0` are one number."""
    todo = [(left, right)]
    while todo:
        a, b = todo.pop()
        if isinstance(a, dict):
            if not isinstance(b, dict) or a.keys() != b.keys():
                return False
            todo.extend((a[key], b[key]) for key in a)
        elif isinstance(a, list):
            if not isinstance(b, list) or len(a) != len(b):
                return False
            todo.extend(zip(a, b, strict=True))
        elif isinstance(a, bool) is not isinstance(b, bool) or a != b:
            return False
    return True


def _scalar(text: str, node: Node) -> Any:
    token = text[node.start : node.end]
    if token[0] == '"':
        return _string(token)
    if token in _WORDS:
        return _WORDS[token]
    if token.lstrip("-").isdecimal() and len(token) < _LONGEST_INTEGER:
        return int(token)
    return float(token)


def _string(token: str) -> str:
    return str(json.loads(token)) if "\\" in token else token[1:-1]
