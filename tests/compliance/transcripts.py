"""Sessions as people write them, in Markdown; docs/compliance-rules.md describes the format."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from mcptest.capture import journals
from mcptest.protocol import CLIENT_CAPABILITIES, CLIENT_INFO, PROTOCOL_VERSION, REVISIONS, SERVER_INFO
from mcptest.wire import Frame
from mcptest.wire.frame import CLIENT, EVENT, GAP, PARTIAL, SERVER, STDERR, STDIN, STDOUT

FIXTURES = Path(__file__).parents[2] / "fixtures" / "compliance"
START = 1_760_000_000_000_000_000
MILLISECOND = 1_000_000

HANDSHAKE, STATELESS = REVISIONS[:4], REVISIONS[4:]
_GROUPS = {"all": REVISIONS, "handshake": HANDSHAKE, "stateless": STATELESS}
_KEYS = {"session", "expect", "server", "client", "pin", "start", "end", "transport", "session-id"}
_LINE = re.compile(r"(?P<marks>[xi~]*)(?P<way>[><*]) ?(?P<what>.*)", re.DOTALL)
_ID = re.compile(r'(?P<id>-?\d+|"[^"]*") +(?P<rest>.*)', re.DOTALL)
_OUTCOME = re.compile(r"(error|warning|info) (\d+) of (\d+)|(passed)(?: (\d+))?|(untested|inconclusive|crashed)")
_CACHED = {
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
}
_CLIENT = {"roots": {"listChanged": True}, "sampling": {}}
_SERVER = {
    "tools": {"listChanged": True},
    "resources": {"subscribe": True, "listChanged": True},
    "prompts": {"listChanged": True},
    "logging": {},
}


class Outcome(NamedTuple):
    """`word` is what the verdict comes to; failed and checked are None where the fixture does not say."""

    word: str
    failed: int | None = None
    checked: int | None = None


class Case(NamedTuple):
    rule: str
    title: str
    revision: str  # of the session; "none" for one without an opening
    outcome: Outcome
    marked: frozenset[int]  # frames that a finding is expected on
    frames: tuple[Frame, ...]
    pin: str | None
    first: dict[int, int]  # of frames that one line of the transcript makes, all to the first

    def __str__(self) -> str:
        return f"{self.rule}: {self.title} [{self.revision}]"


def cases(folder: Path = FIXTURES) -> list[Case]:
    return [case for path in sorted(folder.glob("*/*.md")) for case in read(path)]


def read(path: Path) -> list[Case]:
    found: list[Case] = []
    text = path.read_text(encoding="utf-8")
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, rest = section.partition("\n")
        where = f"{path.name}: {title}"
        head, fence, body = rest.partition("```")
        assert fence, f"{where}: there is no transcript"
        lines = body.partition("\n")[2].partition("\n```")[0].splitlines()
        settings = _settings(head, where)
        for revision in _revisions(settings.get("session", "none"), where):
            outcome = settings.get(revision) or settings.get("expect")
            assert outcome, f"{where}: no outcome is expected for {revision}"
            talk = _talk(revision, settings)
            for line in lines:
                talk.add(line, where)
            talk.finish()
            found.append(
                Case(
                    path.stem,
                    title.strip(),
                    revision,
                    _outcome(outcome, where),
                    frozenset(talk.marked),
                    tuple(talk.frames),
                    settings.get("pin"),
                    talk.first,
                )
            )
    assert found, f"{path}: no case"
    return found


def _talk(revision: str, settings: dict[str, str]) -> Talk:
    if settings.get("transport") not in ("http", "http+sse"):
        return Talk(revision, settings)
    from tests.compliance.http_transcripts import HttpTalk

    return HttpTalk(revision, settings)


def _settings(head: str, where: str) -> dict[str, str]:
    settings = {}
    for line in head.splitlines():
        match = re.fullmatch(r"([\w-]+): (.+)", line.strip())
        if match:
            assert match[1] in _KEYS or match[1] in REVISIONS, f"{where}: unknown setting {match[1]!r}"
            settings[match[1]] = match[2].strip()
    return settings


def _revisions(text: str, where: str) -> list[str]:
    """`2025-11-25`, several with commas, `2025-06-18+`, `all`, `handshake`, `stateless`, or `none`."""
    found: list[str] = []
    for word in text.replace(",", " ").split():
        if word.endswith("+"):
            assert word[:-1] in REVISIONS, f"{where}: unknown revision {word}"
            found += [revision for revision in REVISIONS if revision >= word[:-1]]
        elif word in _GROUPS:
            found += _GROUPS[word]
        else:
            assert word in REVISIONS or word == "none", f"{where}: unknown revision {word}"
            found.append(word)
    return found


def _outcome(text: str, where: str) -> Outcome:
    match = _OUTCOME.fullmatch(text)
    assert match, f"{where}: an outcome is 'error 1 of 3', 'warning …', 'info …', 'passed', 'passed 3', 'untested', …"
    if match[1]:
        return Outcome(match[1], int(match[2]), int(match[3]))
    if match[4]:
        return Outcome("passed", 0, int(match[5]) if match[5] else None)
    return Outcome(match[6])


class Talk:
    """A session in the making. Every frame comes a millisecond after the one before."""

    def __init__(self, revision: str, settings: dict[str, str]) -> None:
        self.revision = revision
        self.settings = settings
        self.marked: list[int] = []
        self.first: dict[int, int] = {}
        self._mono = 5_000_000_000
        self._next = {CLIENT: 1, SERVER: 1}
        self._open: dict[str, list[tuple[Any, str]]] = {CLIENT: [], SERVER: []}
        self._ended: set[str] = set()
        header = journals.header_frame(
            "0123456789ab",
            at=START,
            mono=self._mono,
            **self._about(),
        )
        self.frames = [header]
        self.client = json.loads(settings["client"]) if "client" in settings else self._client()
        self.server = json.loads(settings["server"]) if "server" in settings else self._server()
        if settings.get("start") != "middle":
            self._begin()
            if revision in HANDSHAKE:
                self._shake_hands()
            elif revision in STATELESS:
                self._discover()

    def _about(self) -> dict[str, Any]:
        return {"transport": self.settings.get("transport", "stdio"), "target": {"argv": ["server"]}}

    def _begin(self) -> None:
        self._event("spawn", pid=42)

    def _client(self) -> dict[str, Any]:
        more = {"elicitation": {}} if self.revision >= "2025-06-18" else {}
        return {**_CLIENT, **more}

    def _server(self) -> dict[str, Any]:
        more = {"completions": {}} if self.revision >= "2025-03-26" else {}
        return {**_SERVER, **more}

    def _shake_hands(self) -> None:
        opening = {
            "protocolVersion": self.revision,
            "capabilities": self.client,
            "clientInfo": {"name": "client", "version": "1.0"},
        }
        answer = {
            "protocolVersion": self.revision,
            "capabilities": self.server,
            "serverInfo": {"name": "server", "version": "1.0"},
        }
        self._send(CLIENT, {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": opening})
        self._send(SERVER, {"jsonrpc": "2.0", "id": 0, "result": answer})
        self._send(CLIENT, {"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _discover(self) -> None:
        self._send(CLIENT, {"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": self._params({})})
        found = {"supportedVersions": [self.revision], "capabilities": self.server}
        self._send(SERVER, {"jsonrpc": "2.0", "id": 0, "result": self._result(found, "server/discover")})

    # ---- lines of the transcript

    def add(self, line: str, where: str) -> None:
        if not line.strip() or line.startswith("#"):
            return
        match = _LINE.fullmatch(line)
        assert match, f"{where}: a line begins with '>', '<' or '*', not {line!r}"
        if set(match["marks"]) & set("xi"):
            self.marked.append(len(self.frames))
        if match["way"] == "*":
            self._happen(match["what"], where)
            return
        sender = CLIENT if match["way"] == ">" else SERVER
        meta = b'{"synthetic": true}' if "~" in match["marks"] else b""
        self._put(STDIN if sender == CLIENT else STDOUT, self._data(sender, match["what"], where), meta)

    def _data(self, sender: str, what: str, where: str) -> bytes:
        if what.startswith("|"):
            return what[1:].encode()
        if what.startswith(('b"', "b'")):
            return _bytes(what)
        if what.startswith(("{", "[")):
            self._note(sender, what)
            return what.encode()
        identity, rest = None, what
        match = _ID.fullmatch(what)
        if match:
            identity, rest = json.loads(match["id"]), match["rest"]
        word, _, more = rest.partition(" ")
        message = self._message(sender, identity, word, more.strip(), where)
        return json.dumps(message, ensure_ascii=False).encode()

    def _message(self, sender: str, identity: Any, word: str, more: str, where: str) -> dict[str, Any]:
        if word in ("result", "error"):
            waiting = self._open[SERVER if sender == CLIENT else CLIENT]
            if identity is None:
                assert waiting, f"{where}: nothing waits for an answer of the {sender}"
                identity = waiting[0][0]
            method = next((name for known, name in waiting if known == identity), "")
            waiting[:] = [entry for entry in waiting if entry[0] != identity]
            if word == "error":
                code, _, text = more.partition(" ")
                return {"jsonrpc": "2.0", "id": identity, "error": _error(int(code), text)}
            result = json.loads(more) if more else {}
            return {"jsonrpc": "2.0", "id": identity, "result": self._result(result, method)}
        params = json.loads(more) if more else None
        if word.startswith("notifications/"):
            return {"jsonrpc": "2.0", "method": word, **({} if params is None else {"params": params})}
        if identity is None:
            identity = self._next[sender]
            self._next[sender] += 1
        self._open[sender].append((identity, word))
        if self.revision in STATELESS and sender == CLIENT:
            params = self._params(params or {})
        return {"jsonrpc": "2.0", "id": identity, "method": word, **({} if params is None else {"params": params})}

    def _params(self, params: dict[str, Any]) -> dict[str, Any]:
        own = {
            PROTOCOL_VERSION: self.revision,
            CLIENT_CAPABILITIES: self.client,
            CLIENT_INFO: {"name": "client", "version": "1.0"},
        }
        return {**params, "_meta": {**own, **params.get("_meta", {})}}

    def _result(self, result: dict[str, Any], method: str) -> dict[str, Any]:
        if self.revision not in STATELESS:
            return result
        more: dict[str, Any] = {"resultType": "complete"}
        if method in _CACHED and result.get("resultType", "complete") == "complete":
            more |= {"ttlMs": 0, "cacheScope": "private"}
        meta = {SERVER_INFO: {"name": "server", "version": "1.0"}, **result.get("_meta", {})}
        return {**more, **result, "_meta": meta}

    def _note(self, sender: str, text: str) -> None:
        """A message in full: remember what it asks, so that a short answer can follow."""
        try:
            body = json.loads(text)
        except ValueError:
            return
        for one in body if isinstance(body, list) else [body]:
            if isinstance(one, dict) and "id" in one and isinstance(one.get("method"), str):
                self._open[sender].append((one["id"], one["method"]))
                if isinstance(one["id"], int):
                    self._next[sender] = max(self._next[sender], one["id"] + 1)

    def _happen(self, what: str, where: str) -> None:
        word, _, more = what.partition(" ")
        self._ended.add(word)
        match word:
            case "wait":
                assert more.endswith("s"), f"{where}: wait for how many seconds? '* wait 5s'"
                self._mono += round(float(more[:-1]) * 1000) * MILLISECOND
            case "stderr":
                self._put(STDERR, _bytes(more))
            case "cut":
                self._put(STDOUT, _bytes(more), flags=PARTIAL)
            case "gap":
                self._put(GAP, json.dumps({"channel": "stdout", "frames": int(more or 1), "bytes": 100}).encode())
            case "eof":
                self._event("eof", channel=more or "stdin", by="sender")
            case "exit":
                self._event("exit", code=int(more or 0))
            case "signal":
                self._event("signal", signal=int(more or 15), forwarded=True)
            case "spawn" | "killed" | "end" | "client":
                self._event(what)
            case _:
                raise AssertionError(f"{where}: nothing is called {word!r}")

    def finish(self) -> None:
        """An orderly end, unless the fixture tells another one."""
        if self.settings.get("end") == "none":
            return
        if not self._ended & {"eof", "exit", "killed", "signal"}:
            self._event("eof", channel="stdin", by="sender")
            self._event("exit", code=0)
        self._event("end")

    # ---- frames

    def _event(self, what: str, **about: Any) -> None:
        self._put(EVENT, json.dumps({"event": what, **about}).encode())

    def _send(self, sender: str, message: dict[str, Any]) -> None:
        self._put(STDIN if sender == CLIENT else STDOUT, json.dumps(message).encode())

    def _put(self, channel: int, data: bytes, meta: bytes = b"", flags: int = 0, conn: int = 0) -> None:
        self._mono += MILLISECOND
        at = START + self._mono - 5_000_000_000
        self.frames.append(Frame(len(self.frames), at, self._mono, conn, channel, flags, data, meta))


def _bytes(text: str) -> bytes:
    """What is written as a Python literal of bytes, or else as text."""
    return ast.literal_eval(text) if text.startswith(('b"', "b'")) else text.encode()


def _error(code: int, text: str) -> dict[str, Any]:
    message, brace, data = text.partition("{")
    return {"code": code, "message": message.strip() or "no", **({"data": json.loads(brace + data)} if brace else {})}
