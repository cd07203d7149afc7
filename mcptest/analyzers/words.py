"""Whether a text speaks of something: compared by the stems of words, with names taken apart as the policy does it."""

from __future__ import annotations

from functools import lru_cache

from mcptest.policy.words import split, words

# The first that fits is taken off; some that look like endings stay.
_ENDINGS = (
    *(("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x")),
    *(("ss", "ss"), ("us", "us"), ("is", "is"), ("s", ""), ("ing", ""), ("ed", "")),
)
_LONG = 5


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Enough of a stem that `entities` meets `entity`, `files` meets `file` and `running` meets `run`."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            word = word[: -len(ending)] + instead
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=8)
def stems(text: str) -> frozenset[str]:
    """The stems of all words in a text; names inside it are taken apart like names."""
    return frozenset(stem(word.lower()) for word in words(text))


def mentions(text_stems: frozenset[str], name: str) -> bool:
    """Does a text, given as the stems of its words, mention something of this name? Long words may be parts of longer
    ones: `worksheet` speaks of a `sheet`, and `delete` of `deletions`."""
    parts = [stem(word) for word in split(name)]
    if any(part in text_stems for part in parts if len(part) > 1) or "".join(parts) in text_stems:
        return True
    return any(
        part in word or word in part
        for part in parts
        if len(part) >= _LONG
        for word in text_stems
        if len(word) >= _LONG
    )
