"""Log messages hold no secrets.

Told by looks, so never more than a warning: private keys, tokens in well known forms, passwords in URLs, credentials
behind `Bearer`. What the recorder took for a secret and replaced counts as well. Placeholders and examples are passed
over. Names and addresses of people are not looked for: a machine cannot tell whose they are.
"""

import re
from collections.abc import Iterator
from typing import Any

from mcptest.compliance.kit import Message, Remarks, remark
from mcptest.compliance.rules.log._levels import LOGS

ID = "LOG-009"
ON = LOGS
_KINDS = {
    "a private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    "a cloud access key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{35}\b",
    "a token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,}|glpat-[\w-]{20,}|xox[abeoprs]-[A-Za-z0-9-]{20,}"
    r"|npm_[A-Za-z0-9]{36}|sk-[\w-]{20,}|[sr]k_live_[A-Za-z0-9]{16,})",
    "a JSON Web Token": r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}",
    "a credential": r"\b[Bb]earer +(?=[^\s]*[0-9])[A-Za-z0-9._~+/-]{20,}",
    "a password in a URL": r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@<>{}$]{1,64}:[^\s/@<>{}$]{3,64}@[\w.-]",
}
_PATTERNS = {kind: re.compile(pattern) for kind, pattern in _KINDS.items()}
_EXAMPLE = re.compile(r"x{4,}|\*{3,}|\.{3}|your|example|placeholder|redacted|changeme|dummy|1234567", re.IGNORECASE)
_LONGEST = 100_000
_MOST = 10_000


def _texts(value: Any) -> Iterator[str]:
    waiting, seen = [value], 0
    while waiting and seen < _MOST:
        seen += 1
        found = waiting.pop()
        if type(found) is str:
            yield found[:_LONGEST]
        elif type(found) is dict:
            waiting += found.values()
        elif type(found) is list:
            waiting += found


def check(message: Message) -> Remarks:
    if message.redacted:
        yield remark("The log message held what the recorder took for a secret", "/params")
        return
    for text in _texts(message.params.get("data")):
        for kind, pattern in _PATTERNS.items():
            if any(not _EXAMPLE.search(found[0]) for found in pattern.finditer(text)):
                yield remark(f"The log message seems to hold {kind}", "/params/data")
                return
