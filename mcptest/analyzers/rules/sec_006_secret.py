"""Definition holds a secret.

Definitions are handed to every client and, through it, to a model's provider; a key in a default value or an example
is published.
Revoke it, and read it from the server's environment instead.
"""

import re
from collections.abc import Iterator

from mcptest.analyzers.prose import prose
from mcptest.catalogue import Entry
from mcptest.rules import Remark, Severity, entries

ID = "SEC-006"
SEVERITY = Severity.CRITICAL
ON = entries

_KINDS = (
    ("private key", ("-----BEGIN",), r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[A-Za-z0-9+/=]{16}"),
    ("AWS access key", ("AKIA", "ASIA"), r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("GitHub token", ("gh", "github_pat_"), r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40,})"),
    ("GitLab token", ("glpat-",), r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("Slack token", ("xox",), r"\bxox[abeoprs]-[A-Za-z0-9-]{20,}"),
    ("API key", ("sk-", "sk_", "rk_", "pk_"), r"\b(?:sk-[A-Za-z0-9_-]{20,}|[srp]k_(?:live|test)_[A-Za-z0-9]{16,})"),
    ("Google API key", ("AIza",), r"\bAIza[0-9A-Za-z_-]{35}\b"),
    (
        "package registry token",
        ("npm_", "pypi-", "hf_"),
        r"\b(?:npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z]{34})",
    ),
    ("JSON Web Token", ("eyJ",), r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    ("password in a URL", ("://",), r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@<>{}$]{1,64}:[^\s/@<>{}$]{3,64}@[\w.-]"),
)
_PATTERNS = [(kind, triggers, re.compile(pattern)) for kind, triggers, pattern in _KINDS]
_PLACEHOLDER = re.compile(
    r"x{4,}|\*{3,}|\.{3}|0{8,}|1{8,}|your|example|sample|placeholder|redacted|changeme|dummy|fake|secret|user:pass|:password@"
    r"|1234567|abcdefg",
    re.IGNORECASE,
)


def check(entry: Entry) -> Iterator[Remark]:
    texts = prose(entry)
    whole = texts.whole
    likely = [(kind, pattern) for kind, triggers, pattern in _PATTERNS if any(trigger in whole for trigger in triggers)]
    for text in texts.texts if likely else ():
        for kind, pattern in likely:
            found = (match[0] for match in pattern.finditer(text.text) if not _PLACEHOLDER.search(match[0]))
            secret = next(found, None)
            if secret is not None:
                yield Remark(f"holds what looks like a {kind}, beginning {secret[:6]!r}", text.within)
    texts.finish()
