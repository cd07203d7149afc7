from __future__ import annotations

import pytest

from mcptest.probes import Verdict
from mcptest.probes.answers import Reply, judged, violations
from mcptest.probes.leaks import Leaks

FINE = {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}


def error(code: object = -32602, message: object = "no") -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": message}}


@pytest.mark.parametrize(
    ("reply", "strict", "verdict"),
    [
        (Reply(error()), True, Verdict.PASSED),
        (Reply({"jsonrpc": "2.0", "id": 1, "result": {"content": [], "isError": True}}), True, Verdict.PASSED),
        (Reply(FINE), True, Verdict.ACCEPTED),
        (Reply(FINE), False, Verdict.PASSED),
        (Reply(), True, Verdict.HUNG),
        (Reply(lost="the server ended"), False, Verdict.CRASHED),
        (Reply(lost="forbidden", status=403), True, Verdict.PASSED),
        (Reply(error(500, "HTTP 500 Internal Server Error")), True, Verdict.VIOLATED),
        (Reply(error("bad")), True, Verdict.VIOLATED),
        (Reply({"jsonrpc": "2.0", "id": 1, "result": []}), False, Verdict.VIOLATED),
    ],
)
def test_an_answer_to_a_bad_request_is_told_apart(reply, strict, verdict):
    assert judged(reply, strict=strict)[0] is verdict


def test_a_sound_answer_violates_nothing():
    assert violations(FINE) == []
    assert (
        violations({"jsonrpc": "2.0", "id": 1, "result": {"resultType": "input_required", "inputRequests": {}}}) == []
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('Traceback (most recent call last):\n  File "x.py", line 3', "a Python traceback"),
        ("Error: no\n    at run (/srv/app/index.js:10:3)", "a JavaScript stack"),
        ("goroutine 7 [running]:", "a Go stack"),
        ("thread 'main' panicked at src/main.rs:4", "a Rust panic"),
        ("cannot open /srv/app/secret/handler.py", "the path of a source file"),
        ("bad key AKIAIOSFODNN7EXAMPLE", "what looks like a secret"),
        ("login failed for open-sesame-4711", "a secret of its environment"),
    ],
)
def test_an_error_that_gives_something_away_is_a_leak(text, what):
    leaks = Leaks({"BOOKS_PASSWORD": "open-sesame-4711"})
    assert what in (leaks.found(error(message=text), {}) or "")
    assert leaks.found(error(message=text), {"query": text}) is None
    assert leaks.found({"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": text}]}}, {}) is None


@pytest.mark.parametrize(
    "text", ["query is missing", "no such file: notes.txt", "unexpected token 'x' at 1:3", "a/b.py"]
)
def test_an_ordinary_error_is_no_leak(text):
    assert Leaks().found(error(message=text), {}) is None
