"""URLs in any text: the password before the host, secret keys in the query and the fragment."""

from __future__ import annotations

import re

from mcptest.wire.redaction.escapes import depth, string_end
from mcptest.wire.redaction.names import Kind
from mcptest.wire.redaction.placeholders import is_placeholder
from mcptest.wire.redaction.scan import Scan

_CHARACTER = rb"""(?:[^\s/?#"'<>\\@:]|\\{1,7}u[0-9a-fA-F]{4})"""
_PASSWORD_CHARACTER = rb"""(?:[^\s/?#"'<>\\]|\\{1,7}u[0-9a-fA-F]{4})"""
_USERINFO = re.compile(rb":(?:\\{0,7}/){2}" + _CHARACTER + rb"{0,256}+:(" + _PASSWORD_CHARACTER + rb"{1,1024})@")
_OAUTH_CODE = re.compile(rb'(\\{0,7})"(?:code|assertion)\\{0,7}"\s{0,16}:\s{0,16}\\{0,7}"')
_OBJECT = 8192
_IN_MANUALS = (b"pass", b"password", b"passwd", b"pwd")  # https://user:pass@host


def hide_userinfo(scan: Scan, at: int) -> None:
    found = _USERINFO.match(scan.data, at)
    if found and not is_placeholder(found[1]) and found[1].lower() not in _IN_MANUALS:
        scan.hide(*found.span(1))


def hide_oauth_code(scan: Scan, at: int) -> None:
    """`code` means a secret only beside `grant_type`; elsewhere it is an error's number, or source code."""
    if at < scan.oauth_until:
        return
    data = scan.data
    start = data.rfind(b"{", max(0, at - _OBJECT), at)
    end = data.find(b"}", at, at + _OBJECT)
    start, end = max(start, at - _OBJECT, 0), end if end >= 0 else min(len(data), at + _OBJECT)
    for found in _OAUTH_CODE.finditer(data, start, end):
        first = found.end()
        scan.hide_value(first, string_end(data, first, depth(len(found[1])))[0], Kind.TOKEN, b"code")
    scan.oauth_until = end
