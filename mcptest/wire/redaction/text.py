"""Unquoted names and their values in text: logs, command lines, configuration files, headers, queries, source code.

    API_KEY=x    password = "x"    Authorization: Bearer x    X-Api-Key: x    --token x    <secret>x</secret>

A value that is joined to its name by `=` goes. Behind a colon, or with spaces around the `=`, prose and source code
look the same as secrets, so there a value goes if it is quoted, or ends its line and is more than a plain word.
"""

from __future__ import annotations

import re

from mcptest.wire.redaction.cookies import hide_cookies
from mcptest.wire.redaction.credentials import hide_authorization, hide_bearer
from mcptest.wire.redaction.keyed import quoted, string_span
from mcptest.wire.redaction.names import Kind
from mcptest.wire.redaction.placeholders import holds_placeholder, starts_with_placeholder
from mcptest.wire.redaction.scan import Scan
from mcptest.wire.redaction.values import is_code, is_loose, is_secret, is_template

_NAME_BYTES = bytes(range(128, 256)) + b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-."
_NAME_END = re.compile(rb"[A-Za-z0-9_.\x80-\xff-]{0,64}")
_LONGEST = 64
# What can stand between a name and its value: nearly every name in prose and source code ends here.
_BEFORE_VALUE = frozenset({b'"', b"'", b"\\", b"=", b":", b" ", b"\t", b"%", b">"})
# What an escape sequence, a percent sign or a terminal colour leaves at the front of a name.
_ESCAPED_FRONT = {
    b"\\": re.compile(rb"[nrtbf]|u[0-9a-fA-F]{4}"),
    b"%": re.compile(rb"[0-9a-fA-F]{2}"),
    b"[": re.compile(rb"[0-9]{0,3}m"),
    b";": re.compile(rb"[0-9]{1,3}m"),
}
_JOINT = re.compile(rb"([ \t]{0,4})(?:=>|:=|=(?![=~])|%3[dD])([ \t]{0,4})")
_COLON = re.compile(rb":[ \t]{0,8}")
_QUOTE = re.compile(rb"""[bBfFrRuU]{0,2}(\\{0,15}+)(["'])""")
# Up to white space or a quote; `&` and `;` end it where another `name=` follows.
_BARE = re.compile(
    rb"""(?:[^\s"'`&;<>\\]|&(?![\w.\[\]%-]{1,64}=|\s|\Z)|;(?![ \t]{0,4}[\w. -]{1,64}=|\s|\Z)"""
    rb"""|\\{1,7}(?:u[0-9a-fA-F]{4}|/))++"""
)
_LINE = re.compile(rb"""[^\r\n"'\\]++""")
# "Authorization: Bearer YOUR_TOKEN", "Authorization: Bearer authentication" in a manual.
_IN_MANUALS = re.compile(
    rb"(?:(?:your|my|the|some|access|auth|api|id|jwt|bearer)[_-]?){0,3}"
    rb"(?:token|tokens|key|credential|credentials|authentication|scheme|header|required|jwt)(?:[_-]?here)?",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(rb"""([^\s"'`\\<>,;]{1,256}+)(?=[ \t]{0,8}(?:[\r\n"'`,;)}]|\\|\Z))""")
_ARGUMENT = re.compile(rb"""[ \t]{1,4}([^\s"'`\\<>-][^\s"'`\\<>]{0,255}+)""")
_ELEMENT = re.compile(rb">([^<>\"\\\r\n]{1,4096}+)<\\{0,7}/")
_QUERY_MARKS = (b"?", b"&", b"#")
_TRAILING = b",.:)]}"
# What stands behind a string in source code, not in front of a value.
_BEHIND_STRING = re.compile(rb"\s|\\{1,15}[nrt]|[),;\]}]|[+%.]\s|\Z")
_QUOTED_LINE = re.compile(rb"(?:[^\r\n\\]|\\++[^nr\r\n])*+")
_HEADER_NAME = re.compile(rb"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+")
_COOKIES = re.compile(rb"[!#$%&*+.^_|~0-9A-Za-z-]{1,128}=[^\s;=]")


def named(scan: Scan, start: int, end: int) -> None:
    """Part of a name stands here: find the whole name, what it stands for, and its value."""
    data = scan.data
    end = _NAME_END.match(data, end).end()  # type: ignore[union-attr]  # matches the empty string
    if data[end : end + 1] not in _BEFORE_VALUE:
        return
    before = data[max(0, start - _LONGEST) : start]
    start -= len(before) - len(before.rstrip(_NAME_BYTES))
    front = _ESCAPED_FRONT.get(data[start - 1 : start] if start else b"")
    leftover = front.match(data, start, end) if front else None
    if leftover:
        start = leftover.end()
    name = data[start:end]
    kind = scan.names.kind(name.strip(b"-."))
    if kind is None:
        return
    if quoted(scan, end, name, kind):
        return
    joint = _JOINT.match(data, end)
    if joint:
        spaced = bool(joint[1] or joint[2])
        _assigned(scan, joint.end(), name, kind, spaced=spaced, in_query=data[start - 1 : start] in _QUERY_MARKS)
        return
    colon = _COLON.match(data, end)
    element = _ELEMENT.match(data, end) if data[start - 1 : start] == b"<" else None
    if colon:
        _headed(scan, colon.end(), name, kind)
    elif element:
        scan.hide_value(*element.span(1), kind, name, learn=False)
    elif name.lower() == b"bearer":
        hide_bearer(scan, end)
    elif name.startswith(b"-"):
        _argument(scan, end, name, kind)


def query_key(scan: Scan, start: int, end: int) -> None:
    """`key=`, `code=`, `X-Amz-Signature=`: a secret's name only in a query, where `?` or `&` stands before it."""
    data = scan.data
    before = data[max(0, start - _LONGEST) : start]
    start -= len(before) - len(before.rstrip(_NAME_BYTES))
    kind = scan.names.query_kind(data[start : end - 1]) if data[start - 1 : start] in _QUERY_MARKS and start else None
    bare = _BARE.match(data, end) if kind else None
    if bare and kind:
        scan.hide_value(end, end + len(bare[0].partition(b"#")[0]), kind, b"")


def _assigned(scan: Scan, at: int, name: bytes, kind: Kind, *, spaced: bool, in_query: bool) -> None:
    opening = _QUOTE.match(scan.data, at)
    if opening:
        _quoted_value(scan, opening, name, kind)
        return
    if spaced:
        _last_word(scan, at, name, kind)
        return
    bare = _BARE.match(scan.data, at)
    if bare is None:
        return
    value = bare[0].partition(b"%26")[0] if scan.data[at - 1 : at] in (b"D", b"d") else bare[0]
    value = value.partition(b"#")[0] if in_query else value
    if starts_with_placeholder(value) or not is_secret(value, kind, name):
        return
    value = value.rstrip(_TRAILING)
    if is_code(value, name) or (kind is Kind.TOKEN and value.isdigit() and len(value) < 8):
        return
    if kind is Kind.AUTHORIZATION:
        hide_authorization(scan, at, at + len(value), name)
    else:
        scan.hide_value(at, at + len(value), kind, name, learn=in_query or name.isupper())


def _quoted_value(scan: Scan, opening: re.Match[bytes], name: bytes, kind: Kind) -> None:
    """`name="value"`, unless the quote rather closes a string that ends with the name: `print("token=" + x)`."""
    span = string_span(scan, opening, None)
    if span is None or kind is Kind.VARIABLE or _BEHIND_STRING.match(scan.data, span[0]):
        return
    line = _QUOTED_LINE.match(scan.data, *span)
    start, end = line.span() if line else span
    value = scan.data[start:end]
    if is_template(value) or (end < span[1] and not is_loose(value)):
        return
    if kind is Kind.AUTHORIZATION:
        hide_authorization(scan, start, end, name)
    elif kind is not Kind.COOKIE or is_loose(value):
        scan.hide_value(start, end, kind, name, learn=False)


def _headed(scan: Scan, at: int, name: bytes, kind: Kind) -> None:
    """`Name: value`, as in a header or in YAML."""
    opening = _QUOTE.match(scan.data, at)
    if opening:
        _quoted_value(scan, opening, name, kind)
        return
    if kind in (Kind.COOKIE, Kind.AUTHORIZATION) and at >= scan.header_until:
        line = _LINE.match(scan.data, at)
        if line:
            scan.header_until = line.end()
            if _header_line(scan, line, name, kind):
                return
    header = bool(_HEADER_NAME.fullmatch(name)) and not holds_placeholder(name)
    _last_word(scan, at, name, kind, header=header)


def _header_line(scan: Scan, line: re.Match[bytes], name: bytes, kind: Kind) -> bool:
    if kind is Kind.COOKIE:
        is_cookie = bool(_COOKIES.match(line[0]))
        if is_cookie:
            hide_cookies(scan, *line.span())
        return is_cookie
    words = line[0].split(None, 2)
    # More than a scheme and a credential: parameters, as in `Digest username=...`, or a sentence.
    if len(words) != 2 and not (len(words) > 2 and b"=" in words[1]):
        return False
    if not _IN_MANUALS.fullmatch(words[1]):
        hide_authorization(scan, *line.span(), name)
    return True


def _last_word(scan: Scan, at: int, name: bytes, kind: Kind, *, header: bool = False) -> None:
    word = _LAST_WORD.match(scan.data, at)
    if word is None or is_code(word[1], name) or (kind is Kind.TOKEN and word[1].isdigit()):
        return
    if kind is not Kind.VARIABLE and (is_loose(word[1]) or (header and kind is not Kind.COOKIE)):
        scan.hide_value(*word.span(1), kind, name, learn=header)


def _argument(scan: Scan, at: int, name: bytes, kind: Kind) -> None:
    """`--token x` in a command line."""
    space = len(scan.data[at : at + 4]) - len(scan.data[at : at + 4].lstrip(b" \t"))
    opening = _QUOTE.match(scan.data, at + space) if space else None
    if opening:
        _quoted_value(scan, opening, name, kind)
        return
    word = _ARGUMENT.match(scan.data, at)
    if word and is_loose(word[1]):
        scan.hide_value(*word.span(1), kind, name, learn=False)
