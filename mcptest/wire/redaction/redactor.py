"""The redactor that a recorder holds: one for all its frames, so that what one teaches is hidden in the next.

A frame is searched in two steps. A multi-literal matcher goes over the bytes and says where a secret may be. Only
then the rules are loaded and look at those places. So frames without secrets cost one fast search, and a megabyte of
base64 with a few chance hits costs little more.
"""

from __future__ import annotations

from mcptest.wire.redaction.encoding import encoded
from mcptest.wire.redaction.learned import Learned
from mcptest.wire.redaction.matcher import Matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mcptest.config import Config
    from mcptest.wire.redaction.examiner import Examiner

# Flags before a secret whose own names give nothing away.
_FLAGS = frozenset({"-u", "-U", "--user", "--proxy-user", "--key", "--auth", "--pass", "-H", "--header", "--headers"})


class Redactor:
    """Puts placeholders in the place of secrets and leaves every other byte alone.

    `keys` are names that stand for secrets besides the well-known ones; `secrets` are values to hide wherever they
    appear. The same salt gives the same secret the same placeholder. Not for several threads at once.
    """

    def __init__(self, salt: bytes, *, keys: Iterable[str] = (), secrets: Iterable[str] = ()) -> None:
        self._salt = salt
        self._keys = tuple(keys)
        self._learned = Learned()
        for secret in secrets:
            self._learned.add(secret)
        self._matcher = Matcher(self._learned, _spellings(self._keys))
        self._loaded: Examiner | None = None

    def suspects(self, data: bytes) -> bool:
        """False if no line in these bytes, which may be many lines, can need redaction."""
        return self._matcher.suspects(data) or (self._loaded is not None and self._loaded.open_block.lines_left > 0)

    def frame(self, data: bytes) -> bytes:
        """One frame, JSON or plain text, with its secrets replaced; the very same object if there are none."""
        return self._examiner.frame(data) if self.suspects(data) else data

    @property
    def version(self) -> int:
        """Grows with every secret that is learned: until then, the same bytes give the same result."""
        return self._learned.version

    def argv(self, argv: Sequence[str]) -> list[str]:
        """A command line."""
        if not self.suspects(_joined(argv)) and _FLAGS.isdisjoint(word.partition("=")[0] for word in argv):
            return list(argv)
        from mcptest.wire.redaction.argv import argv as redacted

        return redacted(self._examiner, argv)

    def headers(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """The headers of an HTTP request or response."""
        from mcptest.wire.redaction.http import headers

        return headers(self._examiner, pairs)

    def url(self, url: str) -> str:
        from mcptest.wire.redaction.http import url as redacted

        return redacted(self._examiner, url)

    def form(self, body: bytes) -> bytes:
        """A body of the type application/x-www-form-urlencoded."""
        from mcptest.wire.redaction.http import form

        return form(self._examiner, body)

    @property
    def _examiner(self) -> Examiner:
        if self._loaded is None:
            from mcptest.wire.redaction.examiner import Examiner

            self._loaded = Examiner(self._salt, self._keys, self._learned, self._matcher)
        return self._loaded


def from_config(config: Config) -> list[str]:
    """The user's own keys, from `keys` in the table [redact]."""
    from mcptest.errors import UsageError

    keys = config.table("redact", {"keys"}).get("keys", [])
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise UsageError(f'{config.path}: keys in [redact] must be a list of names, such as ["patient_id"]')
    return keys


def _joined(words: Sequence[str]) -> bytes:
    """As the matcher knows names: some only with what follows them, as in `_pat=`."""
    return b"=\0".join([*map(encoded, words), b""])


def _spellings(keys: Iterable[str]) -> list[bytes]:
    if not keys:
        return []
    from mcptest.wire.redaction.names import spellings

    return [literal for key in keys for literal in spellings(key)]
