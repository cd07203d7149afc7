"""Quoted names and their values: JSON at any depth of escaping, whole or cut, and what is written like it.

    "password": "x"        \\"password\\":\\"x\\"        'password': 'x'        "secrets": ["x", "y"]
    ["--token", "x"]       {"name": "API_KEY", "value": "x"}

Only the surroundings of the name are looked at, never the whole document.
"""

from __future__ import annotations

import re

from mcptest.wire.redaction.cookies import hide_cookies
from mcptest.wire.redaction.credentials import hide_authorization
from mcptest.wire.redaction.escapes import depth, string_end
from mcptest.wire.redaction.names import Kind
from mcptest.wire.redaction.placeholders import is_placeholder
from mcptest.wire.redaction.scan import Scan
from mcptest.wire.redaction.values import is_code, is_loose

_SPACE = rb"(?:[ \t\r\n]|\\{1,7}[nrt]){0,256}+"
_QUOTE = re.compile(rb"""(\\{0,15}+)(["'])""")
_COLON = re.compile(_SPACE + rb"(?::|=>)" + _SPACE)
_COMMA = re.compile(_SPACE + rb"," + _SPACE)
_VALUE_KEY = re.compile(_SPACE + rb"," + _SPACE + rb'\\{0,15}"value\\{0,15}"' + _SPACE + rb":" + _SPACE)
_BETWEEN_ITEMS = re.compile(rb"(?:[ \t\r\n,]|\\{1,7}[nrt])*+")
_NUMBER = re.compile(rb'-?[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?=[\s,}\]\\"]|\Z)')
_BARE = re.compile(rb"""[^\s,}\]\[{"'\\]++""")
_WORD = re.compile(rb"[A-Za-z0-9.+-]++")
_APOSTROPHE_END = re.compile(rb"(?:[^'\\\r\n]|\\++.)*+")
_LOG_PROBABILITY = re.compile(rb'\\{0,7}"' + _SPACE + rb"," + _SPACE + rb'\\{0,7}"(?:logprob|bytes|lemma)')
# A list of flags, or a flag beside its own name, as where a program declares them.
_NO_ARGUMENT = re.compile(rb"|--?[A-Za-z][A-Za-z-]*")
_CONSTANTS = (b"true", b"false", b"null")
_SHORTEST_NUMBER = 4


def quoted(scan: Scan, end: int, name: bytes, kind: Kind) -> bool:
    """A name that ends here: is it quoted, and does a value follow? True if the name was quoted."""
    quote = _QUOTE.match(scan.data, end)
    if quote is None:
        return False
    level = depth(len(quote[1])) if quote[2] == b'"' else 0
    after = quote.end()
    colon = _COLON.match(scan.data, after)
    if colon:
        value(scan, colon.end(), name, kind, level if quote[2] == b'"' else None)
        return True
    following = _COMMA if name.startswith(b"-") else _VALUE_KEY
    comma = following.match(scan.data, after)
    opening = _QUOTE.match(scan.data, comma.end()) if comma else None
    if opening and opening[2] == b'"':
        start, opened = opening.end(), depth(len(opening[1]))
        if opened >= level:
            hide_string(scan, start, string_end(scan.data, start, opened)[0], name, kind, opened + 1)
    return True


def value(scan: Scan, at: int, name: bytes, kind: Kind, level: int | None) -> None:
    """The value that starts here. `level` is the depth of its name's quotes, None if the name had no such quotes."""
    data = scan.data
    opening = _QUOTE.match(data, at)
    if opening:
        found = string_span(scan, opening, level)
        if found:
            hide_string(scan, *found, name, kind, depth(len(opening[1])) + 1)
        return
    number = _NUMBER.match(data, at)
    if number:
        if _is_secret_number(number[0], kind):
            scan.hide(*number.span(), number=True)
        return
    if data.startswith(b"[", at):
        _array(scan, at + 1, name, kind, level or 0)
        return
    bare = _BARE.match(data, at)
    if bare and level is not None and bare[0] not in _CONSTANTS and is_loose(bare[0]) and not is_code(bare[0], name):
        scan.hide_value(*bare.span(), kind, name, learn=False)


def _is_secret_number(number: bytes, kind: Kind) -> bool:
    """A short number under a secret's name counts something: `"passwords": 3`."""
    if is_placeholder(number):
        return False
    return kind is Kind.CHOSEN or (kind is Kind.SECRET and len(number) >= _SHORTEST_NUMBER)


def string_span(scan: Scan, opening: re.Match[bytes], level: int | None) -> tuple[int, int] | None:
    """The inside of the string that this quote opens; None if it rather closes the string that surrounds it."""
    start = opening.end()
    if opening[2] == b"'":
        end = _APOSTROPHE_END.match(scan.data, start)
        return (start, min(end.end(), _enclosing_end(scan, start, end.end()))) if end else None
    opened = depth(len(opening[1]))
    if level is None and opened == 0 and scan.is_json:
        return None
    if level is not None and opened < level:
        return None
    return start, string_end(scan.data, start, opened)[0]


def _enclosing_end(scan: Scan, start: int, end: int) -> int:
    """In a JSON document a bare quote ends the string that holds an apostrophe's."""
    quote = scan.data.find(b'"', start, end)
    return string_end(scan.data, start, 0)[0] if quote >= 0 and scan.is_json else end


def hide_string(scan: Scan, start: int, end: int, name: bytes, kind: Kind, escapes: int) -> None:
    """The inside of a string under a secret's name, escaped so many times."""
    if kind is Kind.AUTHORIZATION:
        hide_authorization(scan, start, end, name)
    elif kind is Kind.COOKIE:
        hide_cookies(scan, start, end)
    elif name.startswith(b"-") and _NO_ARGUMENT.fullmatch(scan.data[start:end].removeprefix(name.lstrip(b"-"))):
        return
    elif not (name == b"token" and _LOG_PROBABILITY.match(scan.data, end)):
        scan.hide_value(start, end, kind, name, escapes=escapes)


def _array(scan: Scan, at: int, name: bytes, kind: Kind, level: int) -> None:
    """The strings of an array, and of the arrays in it, up to the first object."""
    data, started, open_brackets = scan.data, at, 1
    while open_brackets:
        between = _BETWEEN_ITEMS.match(data, at)
        at = between.end() if between else at
        character = data[at : at + 1]
        if character in (b"[", b"]"):
            open_brackets += 1 if character == b"[" else -1
            at += 1
            continue
        opening = _QUOTE.match(data, at)
        if opening is None:
            word = _WORD.match(data, at)
            if word is None:
                break
            at = word.end()
            continue
        opened = depth(len(opening[1]))
        if opening[2] == b"'" or opened < level:
            break
        end, after = string_end(data, opening.end(), opened)
        if _COLON.match(data, after):
            break
        hide_string(scan, opening.end(), end, name, kind, opened + 1)
        at = after
    scan.examined(started, at)


def is_number_at(data: bytes, start: int, end: int) -> bool:
    """Is this a whole JSON number?"""
    number = _NUMBER.match(data, start)
    return number is not None and number.end() == end and (not start or data[start - 1] in b" \t\r\n:,[")
