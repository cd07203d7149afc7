"""Definition asks for data that the tool has no business with.

Text that tells the model to read private files, or to pass the conversation, credentials or the environment along,
turns a harmless-looking call into a leak: the arguments go to the server, the user sees a tool call.
Declare what the tool needs as parameters that say what they are for.
"""

from collections.abc import Iterator

from mcptest.analyzers.prose import look_for, sign
from mcptest.catalogue import Entry
from mcptest.rules import Remark, Severity, entries

ID = "SEC-003"
SEVERITY = Severity.CRITICAL
ON = entries

_TAKING = (
    r"\b(?:read(?:ing)?|open(?:ing)?|cat|load(?:ing)?|includ(?:e|ing)|attach(?:ing)?|send(?:ing)?|pass(?:ing)?|"
    r"upload(?:ing)?|retriev(?:e|ing)|access(?:ing)?|copy(?:ing)?|provid(?:e|ing)|get|fetch|extract|submit)\b"
)
_PRIVATE_FILE = (
    r"(?:~|\$home|/root|/home/[^\s\x00]{1,40})?/?"
    r"\.(?:ssh|aws|gnupg|kube|docker|netrc|git-credentials|npmrc|pypirc|cursor)\b"
    r"|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|/etc/(?:passwd|shadow|sudoers)\b|\bmcp\.json\b|\bclaude_desktop_config\b"
    r"|\b(?:ssh|private|wallet)\s+keys?\s+files?\b|\bbrowser\s+(?:cookies|history|passwords)\b|\bkeychain\b"
)
_PASSING = (
    r"\b(?:includ(?:e|ing)|pass(?:ing)?|put|append(?:ing)?|insert(?:ing)?|copy(?:ing)?|paste|write|embed|encode|supply|"
    r"send)\s+(?:in\s+)?(?:the\s+|your\s+|its\s+|their\s+|all\s+|a\s+summary\s+of\s+the\s+)?"
)
_PRIVATE = (
    r"(?:(?:full|whole|entire|complete|previous|prior|all\s+(?:the\s+)?(?:previous\s+)?)\s*"
    r"(?:conversation|chat|messages?|context|prompts?)|(?:conversation|chat|message)\s+(?:history|log|transcript)"
    r"|system\s+prompt|environment\s+variables|(?:user'?s?\s+)?(?:credentials|passwords?|api\s+keys?|access\s+tokens?"
    r"|secrets?)|list\s+of\s+(?:all\s+)?(?:available\s+)?tools)"
)
_INTO_ARGUMENT = (
    r"[^.\n\x00]{0,40}?\b(?:in|as|into|to|via|through)\s+(?:the\s+|this\s+|an?\s+)?[\w`'\"-]{0,40}\s?"
    r"(?:parameters?|arguments?|fields?|sidenote|side\s+note|notes?|metadata|tool|server|url|endpoint)\b"
)
SIGNS = (
    sign(
        "asks for a private file",
        ".ssh|.aws|.gnupg|.kube|.docker|.netrc|.git-c|.npmrc|.pypirc|.cursor|id_|/etc/|mcp.json|claude_|key|browser",
        _TAKING + r"(?:(?!\. )[^\n\x00]){0,80}?(?:" + _PRIVATE_FILE + ")",
        unless=r"never|not|don't|cannot|refuses?|blocked|excludes?|except",
    ),
    sign(
        "asks for the conversation or for secrets as an argument",
        "conversation|chat|message|context|prompt|environment|credential|password|key|token|secret|tools",
        _PASSING + _PRIVATE + _INTO_ARGUMENT,
        unless="never|not|don't|cannot|avoid",
    ),
    sign(
        "asks for data to be sent to a fixed address",
        "http://|https://|@",
        r"\b(?:sen[dt]|post(?:ed)?|upload(?:ed)?|forward(?:ed)?|transmit(?:ted)?|exfiltrate|leak|report(?:ed)?|"
        r"submit(?:ted)?|bcc|cc|cop(?:y|ied)|e?-?mail(?:ed)?)\s+"
        r"(?:[^\s\x00]+\s+){0,12}?(?:to\s+|at\s+)(?:the\s+)?(?:[^\s\x00]+\s+){0,3}?"
        r"(?:https?://[^\s)>\]\x00]+|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64})",
        unless=r"never|not|don't|e\.g|example",
    ),
)


def check(entry: Entry) -> Iterator[Remark]:
    yield from look_for(entry, SIGNS)
