"""Secrets known by their value: learned from traffic, or given by the environment."""

from __future__ import annotations

import json

import pytest

from mcptest.wire.redaction import Redactor, environment_secrets
from mcptest.wire.redaction.learned import LIMIT

SALT = b"a salt of thirty-two bytes here."
SECRET = "hunter-Zwei9"
TAUGHT = json.dumps({"password": SECRET}).encode()


def placeholder(secret: str) -> bytes:
    return json.loads(Redactor(SALT).frame(json.dumps({"password": secret}).encode()))["password"].encode()


@pytest.mark.parametrize(
    "echo",
    [
        b"logged in as alice with hunter-Zwei9",
        b'{"text":"you said hunter-Zwei9."}',
        b'{"hunter-Zwei9":1}',
        b"https://h/hunter-Zwei9/x",
    ],
)
def test_a_learned_secret_is_hidden_where_it_appears_later(echo: bytes) -> None:
    redactor = Redactor(SALT)
    assert not redactor.suspects(echo.replace(b"://", b""))
    redactor.frame(TAUGHT)
    assert redactor.suspects(echo)
    assert redactor.frame(echo) == echo.replace(SECRET.encode(), placeholder(SECRET))


@pytest.mark.parametrize(
    "teach",
    [
        lambda redactor: redactor.headers([(b"Authorization", b"Bearer " + SECRET.encode())]),
        lambda redactor: redactor.headers([(b"X-Api-Key", SECRET.encode())]),
        lambda redactor: redactor.headers([(b"Cookie", b"sid=" + SECRET.encode())]),
        lambda redactor: redactor.headers([(b"Authorization", b"Basic YWxpY2U6aHVudGVyLVp3ZWk5")]),
        lambda redactor: redactor.url(f"https://u:{SECRET}@h/"),
        lambda redactor: redactor.url(f"https://h/?access_token={SECRET}"),
        lambda redactor: redactor.form(f"grant_type=password&password={SECRET}".encode()),
        lambda redactor: redactor.argv(["server", "--token", SECRET]),
        lambda redactor: redactor.argv([f"API_KEY={SECRET}"]),
        lambda redactor: redactor.frame(f"API_KEY={SECRET}".encode()),
        lambda redactor: redactor.frame(f"see https://u:{SECRET}@h/".encode()),
        lambda redactor: redactor.frame(json.dumps({"text": json.dumps({"token": SECRET})}).encode()),
    ],
)
def test_secrets_are_learned_wherever_a_name_gave_them_away(teach) -> None:
    redactor = Redactor(SALT)
    before = redactor.version
    teach(redactor)
    assert redactor.version > before
    assert redactor.frame(b"got " + SECRET.encode()) == b"got " + placeholder(SECRET)


def test_a_secret_is_hidden_in_the_frame_that_teaches_it_even_before_its_name() -> None:
    frame = json.dumps({"text": f"it is {SECRET}", "password": SECRET, "more": [SECRET]}).encode()
    assert Redactor(SALT).frame(frame) == frame.replace(SECRET.encode(), placeholder(SECRET))


@pytest.mark.parametrize("secret", ['quo"te\\back/9', "pä$$ wörd 9", "🔑-emoji-9", "line\nbreak-9"])
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_learned_secret_is_found_at_any_depth_of_escaping(secret: str, depth: int, ascii_only: bool) -> None:
    redactor = Redactor(SALT)
    redactor.frame(json.dumps({"password": secret}).encode())
    echo: object = f"echo {secret} end"
    for _ in range(depth):
        echo = json.dumps({"text": echo}, ensure_ascii=ascii_only)
    data = json.dumps({"result": echo}, ensure_ascii=ascii_only).encode()
    shown: object = json.loads(redactor.frame(data))["result"]
    for _ in range(depth):
        shown = json.loads(str(shown))["text"]
    assert shown == f"echo {placeholder(secret).decode()} end"


@pytest.mark.parametrize(
    "value",
    [
        *("hunter", "letmein", "password", "production", "type_function", "my-client-secret", "correct horse battery"),
        *("12345678", "2026-11-18", "2026-11-18T12:00:00Z", "10.0.0.1:8080", "v1.2.3-beta", "tools/call", "x1"),
        *("https://h1/x", '"quoted1"', "notifications/progress"),
    ],
)
def test_what_could_be_anything_is_hidden_under_its_name_only(value: str) -> None:
    redactor = Redactor(SALT)
    assert value not in json.loads(redactor.frame(json.dumps({"password": value}).encode())).values()
    echo = json.dumps({"method": value, "text": f"x {value} y"}).encode()
    assert redactor.frame(echo) == echo


def test_the_number_of_learned_secrets_is_bounded() -> None:
    redactor = Redactor(SALT)
    for number in range(LIMIT + 50):
        redactor.frame(b'{"password":"secret-number-%05d"}' % number)
    assert redactor.version == LIMIT
    assert b"secret-number-00007" not in redactor.frame(b"secret-number-00007 is known")
    assert b"secret-number-%05d" % (LIMIT + 9) in redactor.frame(b"secret-number-%05d is not" % (LIMIT + 9))
    assert b"secret-number-%05d" % (LIMIT + 9) not in redactor.frame(b'{"password":"secret-number-%05d"}' % (LIMIT + 9))


def test_the_protocol_s_own_values_are_not_taken_for_a_learned_secret() -> None:
    redactor = Redactor(SALT)
    redactor.frame(b'{"token":"tok-1a2b3c4d"}')
    frames = [
        b'{"jsonrpc":"2.0","id":"tok-1a2b3c4d","result":{}}',
        b'{"id":"tok-1a2b3c4d","jsonrpc":"2.0","method":"ping"}',
        b'{"jsonrpc":"2.0","method":"x","params":{},"id":"tok-1a2b3c4d"}',
        b'{"params":{"_meta":{"progressToken":"tok-1a2b3c4d"},"requestId":"tok-1a2b3c4d"}}',
        b'{"cursor":"tok-1a2b3c4d","requestState": "a tok-1a2b3c4d b"}',
    ]
    for frame in frames:
        assert redactor.frame(frame) == frame
    shown = redactor.frame(b'{"result":{"user":{"id":"tok-1a2b3c4d","name":"tok-1a2b3c4d"}}}')
    assert b"tok-1a2b3c4d" not in shown


def test_given_secrets_are_hidden_from_the_first_frame_on() -> None:
    redactor = Redactor(SALT, secrets=["from-environment-1", "87654321", ""])
    assert redactor.frame(b"x from-environment-1 y") == b"x %s y" % placeholder("from-environment-1")
    assert redactor.frame(b"pin 87654321!") == b"pin %s!" % placeholder("87654321")
    assert redactor.frame(b"number 187654321") == b"number 187654321"
    shown = json.loads(redactor.frame(b'{"a":87654321,"b":"87654321","c":187654321,"d":-87654321,"e":[87654321]}'))
    assert shown["b"] == placeholder("87654321").decode()
    assert shown["a"] == shown["e"][0] != 87654321
    assert type(shown["a"]) is int, "a number stays a number"
    assert (shown["c"], shown["d"]) == (187654321, -87654321)


def test_a_given_secret_that_is_json_does_not_break_json() -> None:
    secret = '{"type":"service_account","n":1}'
    redactor = Redactor(SALT, secrets=[secret])
    inside = json.dumps({"text": f"creds {secret}"}).encode()
    assert json.loads(redactor.frame(inside))["text"].startswith("creds redacted-")
    outside = b'{"value":{"type":"service_account","n":1}}'
    assert json.loads(redactor.frame(outside))
    assert b"service_account" not in redactor.frame(f"stderr {secret}".encode())


def test_the_environment_gives_values_of_secret_names_and_passwords_in_urls() -> None:
    environment = {
        "GITHUB_TOKEN": "ghp_" + "a1B2" * 9,
        "OPENAI_KEY": "0123456789abcdefghij",
        "DB_PASSWORD": "postgres",
        "ADMIN_PASSWORD": "s3cret-admin",
        "SESSION_SECRET": " padded-secret-1 ",
        "DATABASE_URL": "postgres://app:url-passw0rd@db/app",
        "PATH": "/usr/bin:/bin",
        "PWD": "/home/me/0123456789",
        "TOKEN_FILE": "/run/secrets/token-1234",
        "SSH_PRIVATE_KEY": "/home/me/.ssh/id_ed25519",
        "MAX_TOKENS": "0123456789abcdef",
        "CACHE_KEY": "0123456789abcdefghij",
        "API_KEY": "${OTHER_API_KEY}",
        "HOME": "/home/me",
    }
    assert environment_secrets(environment) == [
        "ghp_" + "a1B2" * 9,
        "0123456789abcdefghij",
        "s3cret-admin",
        "padded-secret-1",
        "url-passw0rd",
    ]
