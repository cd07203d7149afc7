"""Secrets that say what they are: a fixed beginning, then enough of the right characters.

Each literal is looked for by the matcher; its pattern decides on the spot. A pattern with a group hides the group
only. `WORD` marks those whose literal also ends ordinary words (`task-`, `Asia`) and so must begin one. A pattern
fails within its minimum length or succeeds, so no input makes them slow.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from mcptest.wire.redaction.literals import JWT

_SLASH = r"\\{0,7}/"


class Prefix(NamedTuple):
    literal: bytes
    pattern: str
    word: bool = False


WORD = True
_TABLE = (
    *(Prefix(b"gh%c_" % letter, r"gh[pousr]_[A-Za-z0-9]{20,}") for letter in b"pousr"),
    Prefix(b"github_pat_", r"github_pat_[A-Za-z0-9_]{20,}"),
    *(Prefix(literal, r"gl(?:pat|rt|dt)-[A-Za-z0-9_.-]{16,}") for literal in (b"glpat-", b"glrt-", b"gldt-")),
    Prefix(b"sk-", r"sk-(?:(?:ant|proj|svcacct|admin|or|lf)-[A-Za-z0-9_-]{16,}|[A-Za-z0-9]{20,})", WORD),
    Prefix(b"sk_live_", r"sk_live_[A-Za-z0-9]{16,}"),
    Prefix(b"sk_test_", r"sk_test_[A-Za-z0-9]{16,}"),
    Prefix(b"rk_live_", r"rk_live_[A-Za-z0-9]{16,}"),
    Prefix(b"whsec_", r"whsec_[A-Za-z0-9+/=]{20,}", WORD),
    Prefix(b"AKIA", r"AKIA[A-Z0-9]{16}(?![A-Za-z0-9])", WORD),
    Prefix(b"ASIA", r"ASIA[A-Z0-9]{16}(?![A-Za-z0-9])", WORD),
    Prefix(b"LTAI", r"LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])", WORD),
    Prefix(b"xox", r"xox[abceoprs]-[A-Za-z0-9-]{10,}", WORD),
    Prefix(b"xapp-", r"xapp-[A-Za-z0-9-]{20,}"),
    Prefix(
        b"hooks.slack.com",
        rf"hooks\.slack\.com{_SLASH}(?:services|workflows|triggers){_SLASH}((?:[A-Za-z0-9_-]|{_SLASH}){{20,}})",
    ),
    Prefix(b"api.telegram.org", rf"api\.telegram\.org{_SLASH}bot([0-9]{{6,12}}:[A-Za-z0-9_-]{{20,}})"),
    Prefix(b"AIza", r"AIza[A-Za-z0-9_-]{30,}", WORD),
    Prefix(b"GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,}"),
    Prefix(b"ya29.", r"ya29\.[A-Za-z0-9_-]{20,}"),
    Prefix(b"1//0", r"1//0[A-Za-z0-9_-]{30,}", WORD),
    Prefix(b"hf_", r"hf_[A-Za-z0-9]{30,}", WORD),
    Prefix(b"npm_", r"npm_[A-Za-z0-9]{30,}", WORD),
    Prefix(b"pypi-", r"pypi-(?=[a-z-]{0,31}[A-Z0-9_])[A-Za-z0-9_-]{32,}", WORD),
    Prefix(b"SG.", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}", WORD),
    Prefix(b"dop_v1_", r"dop_v1_[a-f0-9]{32,}"),
    Prefix(b"shpat_", r"shpat_[A-Za-z0-9]{24,}"),
    Prefix(b"shpss_", r"shpss_[A-Za-z0-9]{24,}"),
    Prefix(b"lin_api_", r"lin_api_[A-Za-z0-9]{24,}"),
    Prefix(b"ntn_", r"ntn_[A-Za-z0-9]{30,}", WORD),
    Prefix(b"figd_", r"figd_[A-Za-z0-9_-]{24,}"),
    Prefix(b"sntrys_", r"sntrys_[A-Za-z0-9_=+/-]{24,}"),
    Prefix(b"hvs.", r"hvs\.[A-Za-z0-9_-]{20,}", WORD),
    Prefix(b"gsk_", r"gsk_[A-Za-z0-9]{30,}", WORD),
    Prefix(b"xai-", r"xai-[A-Za-z0-9]{30,}", WORD),
    Prefix(b"nvapi-", r"nvapi-[A-Za-z0-9_-]{30,}"),
    Prefix(b"pplx-", r"pplx-[A-Za-z0-9]{30,}"),
    Prefix(b"tvly-", r"tvly-[A-Za-z0-9_-]{20,}"),
    Prefix(b"sbp_", r"sbp_[A-Za-z0-9]{30,}", WORD),
    Prefix(b"glsa_", r"glsa_[A-Za-z0-9_]{30,}"),
    Prefix(b"dapi", r"dapi[a-f0-9]{32}(?:-[0-9])?(?![A-Za-z0-9])", WORD),
    Prefix(b"tskey-", r"tskey-[A-Za-z0-9-]{16,}"),
    Prefix(b"lsv2_", r"lsv2_[a-z]{2}_[A-Za-z0-9_]{30,}"),
    Prefix(b"ATATT3", r"ATATT3[A-Za-z0-9_=-]{40,}", WORD),
    Prefix(b"dckr_pat_", r"dckr_pat_[A-Za-z0-9_-]{20,}"),
    # A signed or encrypted token: three parts of which two are JSON, or five.
    Prefix(
        JWT,
        r"eyJ[A-Za-z0-9_-]{8,}+\.(?:eyJ[A-Za-z0-9_-]{4,}+\.[A-Za-z0-9_-]*+"
        r"|[A-Za-z0-9_-]*+\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+)",
        WORD,
    ),
)


_BY_LITERAL = {prefix.literal: prefix for prefix in _TABLE}


@cache
def pattern(literal: bytes) -> re.Pattern[bytes]:
    """Compiled when first met: most sessions meet none."""
    return re.compile(_BY_LITERAL[literal].pattern.encode())


def must_begin_word(literal: bytes) -> bool:
    return _BY_LITERAL[literal].word
