"""Which values are no secrets although they stand where one could: words of a schema, references, code.

Nothing here measures randomness. A wrong guess in one direction leaks, in the other it spoils the recording, so each
exception is a short list or a plain shape.
"""

from __future__ import annotations

import re

from mcptest.wire.redaction.names import Kind
from mcptest.wire.redaction.placeholders import holds_placeholder

_ORDINARY = frozenset(
    b"string number integer boolean object array any null none nil undefined nan infinity true false yes no on off"
    b" required optional include omit same-origin redacted hidden masked removed bearer basic digest negotiate".split()
)
# References and blanks: ${TOKEN} $TOKEN {{token}} {token!r} %TOKEN% %s <your token> your_token **** ....
_REFERENCE = re.compile(
    rb"\$\{[^{}]{0,128}\}|\$\(?[A-Za-z_]\w{0,127}\)?|\{\{[^{}]{0,128}\}\}|\{[\w.!:]{0,64}\}|%[A-Za-z_]\w{0,127}%"
    rb"|%(?:\(\w{1,64}\))?[sdr]|<[A-Za-z][A-Za-z _\-.]{0,127}>|\[[A-Za-z][A-Za-z _\-]{0,63}\]"
    rb"|(?i:your[-_ ])[A-Za-z_ -]{1,64}|\*{1,128}|[*\xe2\x80\xa2.xX_-]{3,128}"
)
_TEMPLATE = re.compile(rb"%(?:\(\w{1,64}\))?[sdr]|\{[\w.!:]{0,64}\}|\$\{")
# An expression rather than a word: a call, an index, an attribute of something.
_CODE = re.compile(
    rb"[(\[{].*|[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)*[(\[{].*|[A-Za-z_$]+(?:(?:\.|->|::)[A-Za-z_$]+)+",
    re.DOTALL,
)
_DIGIT = re.compile(rb"[0-9]")
_IDENTIFIER = re.compile(rb"[A-Za-z_./:$-]{1,31}")
_PATH = re.compile(rb"[/~.]|[A-Za-z]:\\")
_FILE = re.compile(
    r"(?:~|\.{1,2}|file:/{0,2}|[A-Za-z]:)[/\\].*|"
    r"/(?:home|root|etc|usr|var|tmp|run|opt|mnt|srv|data|app|proc|dev|workspace|Users|private|Library|Volumes)/.*",
    re.DOTALL,
)
_METHOD = re.compile(r"[A-Za-z$]+(?:/[A-Za-z_$]+)+")
_DATE_OR_VERSION = re.compile(r"\d{4}-\d\d-\d\d(?:[T ][\d:.+Z-]*)?|v?\d+(?:\.\d+)+(?:[-+:][\w.]*)?")
_QUOTES = "\"'\\"
_JOINTS = frozenset("_-./: ")
_LONGEST_EXPRESSION = 64


def is_secret(value: bytes, kind: Kind, name: bytes = b"") -> bool:
    """Can this value of a secret's name be a secret?"""
    if not value:
        return False
    if kind is Kind.CHOSEN:
        return True
    if kind in (Kind.QUERY, Kind.VARIABLE):
        if holds_placeholder(value) or not is_distinctive(value.decode("utf-8", "replace")):
            return False
        if kind is Kind.VARIABLE and not (len(value) >= 16 and _DIGIT.search(value)):
            return False
    if len(value) <= 160 and (value.lower() in _ORDINARY or _REFERENCE.fullmatch(value)):
        return False
    # PWD is also the working directory.
    return not (name[-3:].lower() == b"pwd" and _PATH.match(value))


def is_code(value: bytes, name: bytes) -> bool:
    """Is an unquoted `name=value` rather an argument in source code, as in `token=my_token` or `key=get_key()`?"""
    if len(value) > _LONGEST_EXPRESSION:
        return False
    value, name = value.lower(), name.lower().rpartition(b".")[2]
    return bool(_CODE.fullmatch(value)) or value == name or value.endswith((b"_" + name, b"." + name))


def is_template(value: bytes) -> bool:
    """Is a string in source code only the form of a value, as in `password="{0}:{1}"`?"""
    return len(value) <= _LONGEST_EXPRESSION and bool(_TEMPLATE.search(value))


def is_loose(value: bytes) -> bool:
    """For `name: value` and `--name value` in prose and source code: neither a word nor an identifier."""
    if holds_placeholder(value):
        return False
    if len(value) < 6:
        return False
    return bool(_DIGIT.search(value)) or value.endswith(b"=") or (len(value) >= 16 and not _IDENTIFIER.fullmatch(value))


def is_distinctive(value: str) -> bool:
    """May this value be hidden wherever else it appears? Long enough, and neither words nor a number, a date, a
    version, a URL or a method's name."""
    if len(value) < 8 or value.isdigit() or "://" in value:
        return False
    # A quote at its edge could be another string's own.
    if value[0] in _QUOTES or value[-1] in _QUOTES:
        return False
    if _METHOD.fullmatch(value) or _DATE_OR_VERSION.fullmatch(value):
        return False
    if value.isalpha():
        return len(value) >= 32
    return not all(letter.isalpha() or letter in _JOINTS for letter in value)


def is_path(value: str) -> bool:
    """A file that may hold a secret is not the secret."""
    return bool(_FILE.fullmatch(value))
