"""A command line: flags and their values, assignments, headers and URLs among its words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcptest.wire.redaction.encoding import decoded, encoded
from mcptest.wire.redaction.examiner import Examiner
from mcptest.wire.redaction.http import headers, url
from mcptest.wire.redaction.names import Kind
from mcptest.wire.redaction.placeholders import is_placeholder
from mcptest.wire.redaction.values import is_path

_FLAG = re.compile(r"--?[A-Za-z][\w.-]*")
_ASSIGNMENT = re.compile(r"((?:--?)?[A-Za-z_][\w.-]*)=(.+)", re.DOTALL)
_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]*):[ \t]*(.+)", re.DOTALL)
_HEADER_FLAGS = frozenset({"-H", "--header", "--headers", "--proxy-header"})
_USER_FLAGS = frozenset({"-u", "--user", "--proxy-user", "-U"})
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def argv(examiner: Examiner, words: Sequence[str]) -> list[str]:
    shown: list[str] = []
    flag = ""
    for word in words:
        shown.append(_word(examiner, flag, word))
        flag = word if _FLAG.fullmatch(word) else ""
    return shown


def _word(examiner: Examiner, flag: str, word: str) -> str:
    if flag and not _FLAG.fullmatch(word):
        kind = _flag_kind(examiner, flag)
        if kind and not is_path(word):
            return _value(examiner, word, kind, flag)
        if flag in _USER_FLAGS and ":" in word:
            user, _, password = word.partition(":")
            return f"{user}:{_value(examiner, password, Kind.TOKEN, flag)}"
    assignment = _ASSIGNMENT.fullmatch(word)
    if assignment:
        kind = _flag_kind(examiner, assignment[1])
        if kind and not is_path(assignment[2]):
            return f"{assignment[1]}={_value(examiner, assignment[2], kind, assignment[1])}"
        if assignment[1] in _HEADER_FLAGS:
            return f"{assignment[1]}={_word(examiner, assignment[1], assignment[2])}"
    header = _HEADER.fullmatch(word)
    if header and not _URL.match(word) and (flag in _HEADER_FLAGS or _flag_kind(examiner, header[1])):
        raw = encoded(header[2])
        [(_, value)] = headers(examiner, [(encoded(header[1]), raw)])
        return word[: header.start(2)] + _text(header[2], raw, value)
    if _URL.match(word):
        return url(examiner, word)
    raw = encoded(word)
    return _text(word, raw, examiner.frame(raw))


def _flag_kind(examiner: Examiner, name: str) -> Kind | None:
    bare = encoded(name.lstrip("-"))
    return examiner.names.kind(bare) or (Kind.QUERY if bare in (b"key", b"auth", b"pass") else None)


def _value(examiner: Examiner, value: str, kind: Kind, name: str) -> str:
    raw = encoded(value)
    shown = raw if is_placeholder(raw) else examiner.value(raw, kind, encoded(name.lstrip("-")))
    return _text(value, raw, shown)


def _text(word: str, raw: bytes, shown: bytes) -> str:
    return word if shown == raw else decoded(shown)
