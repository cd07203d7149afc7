"""Placeholders, names, headers, command lines, configuration, and hostile input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mcptest.config import Config
from mcptest.errors import UsageError
from mcptest.wire.redaction import Redactor, from_config
from mcptest.wire.redaction.literals import BASIC, HARMLESS_NAMES, NAMES, OAUTH, PREFIXES, QUERY_KEYS, VALUES
from mcptest.wire.redaction.names import Kind, Names
from mcptest.wire.redaction.prefixes import pattern

SALT = b"a salt of thirty-two bytes here."
VECTORISED = 64  # beyond this number of literals the matcher is three times slower


def redact(frame: object, **options) -> object:
    return json.loads(Redactor(SALT, **options).frame(json.dumps(frame).encode()))


# ---- placeholders


def test_the_same_secret_gets_the_same_placeholder_everywhere_under_one_salt() -> None:
    redactor = Redactor(SALT)
    seen = {
        json.loads(redactor.frame(b'{"password":"hunter2"}'))["password"],
        json.loads(json.loads(redactor.frame(rb'{"t":"{\"password\": \"hunter2\"}"}'))["t"])["password"],
        redactor.frame(b"PASSWORD=hunter2").decode().removeprefix("PASSWORD="),
        redactor.url("/?password=hunter2").removeprefix("/?password="),
        redactor.form(b"password=hunter2").decode().removeprefix("password="),
        redactor.argv(["--password", "hunter2"])[1],
        redactor.headers([(b"x-password", b"hunter2")])[0][1].decode(),
        redactor.headers([(b"authorization", b"Bearer hunter2")])[0][1].decode().removeprefix("Bearer "),
    }
    assert len(seen) == 1
    assert re.fullmatch("redacted-[0-9a-f]{12}", seen.pop())


def test_another_salt_gives_another_placeholder() -> None:
    frame = b'{"password":"hunter2"}'
    assert Redactor(b"one").frame(frame) != Redactor(b"two").frame(frame)
    assert Redactor(b"one").frame(frame) == Redactor(b"one").frame(frame)


def test_a_private_key_has_one_placeholder_however_its_lines_are_cut() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMIIabc\ndef=\n-----END PRIVATE KEY-----"
    shown = redact({"private_key": key + "\n", "text": f"see {key}", "crlf": key.replace("\n", "\r\n")})
    assert shown["text"] == "see " + shown["crlf"]
    assert shown["private_key"] == shown["crlf"]


def test_numbers_become_numbers_and_counters_stay() -> None:
    shown = redact({"password": 123456, "pin_code_secret": -1.5e10, "token": 123456, "secrets": 12, "max": 123456})
    assert 404040400000000 <= shown["password"] < 404040500000000
    assert type(shown["pin_code_secret"]) is int
    assert (shown["token"], shown["secrets"], shown["max"]) == (123456, 12, 123456)
    assert redact(shown) == shown


# ---- names


def test_a_chosen_key_is_redacted_in_every_spelling_and_for_every_value_but_constants() -> None:
    frame = {
        "patient_id": "x",
        "patientId": 7,
        "Patient-ID": ["string"],
        "PATIENT_ID": True,
        "patients": "y",
        "patient id": "z",
    }
    shown = redact(frame, keys=["patientId"])
    assert shown["patient_id"].startswith("redacted-")
    assert type(shown["patientId"]) is int
    assert shown["patientId"] != 7
    assert shown["Patient-ID"][0].startswith("redacted-")
    assert shown["PATIENT_ID"] is True
    assert shown["patients"] == "y"
    assert Redactor(SALT, keys=["patient_id"]).url("/?patientid=5") != "/?patientid=5"


def test_a_chosen_key_may_be_one_of_the_protocol_s_own() -> None:
    redactor = Redactor(SALT, keys=["progressToken"])
    assert redactor.frame(b'{"progressToken":"abc"}').startswith(b'{"progressToken":"redacted-')


@pytest.mark.parametrize("key", ["", "x", "_", "--"])
def test_a_key_without_letters_is_refused(key: str) -> None:
    with pytest.raises(UsageError, match="at least 2 letters"):
        Redactor(SALT, keys=[key])


STEMS = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "jwt", "credential", "credentials"),
    *("api_key", "apiKey", "api-key", "access_key", "accessKey", "private_key", "privateKey", "account_key"),
    *("signing_key", "signingKey", "encryptionKey", "subscription-key", "masterKey", "master_key", "sessionKey"),
    *("session_key", "auth_key", "authKey", "authorization", "cookie", "cookies", "connection_string"),
    *("connectionString", "connectionStr", "code_verifier", "codeVerifier", "device_code", "deviceCode"),
    *("client_assertion", "clientAssertion", "SAMLResponse", "secret_key", "serviceRoleKey", "service_role_key"),
    *("refresh_tokens", "authTokens", "bearer", "OPENAI_KEY", "GITHUB_PAT", "db_pass", "PASS", "smtp-pass"),
)


@pytest.mark.parametrize("stem", STEMS)
def test_every_secret_name_contains_something_that_the_matcher_looks_for(stem: str) -> None:
    kind = Names().kind
    assert kind(stem.encode())
    for name in (stem, f"my_{stem}", f"X-{stem}", f"{stem}_value", f"{stem}2", stem.lower(), stem.upper()):
        if kind(name.encode()):
            # In JSON a name stands in quotes, in text before an equals sign.
            assert any(literal in f'"{name}"'.lower().encode() for literal in NAMES), name
            assert any(literal in f"{name}=".lower().encode() for literal in NAMES), name


def test_the_matchers_are_small_enough_to_be_vectorised() -> None:
    assert len({*HARMLESS_NAMES, *NAMES, *QUERY_KEYS, BASIC, OAUTH}) <= VECTORISED
    assert len(set(VALUES)) <= VECTORISED
    assert all(literal == literal.lower() for literal in (*NAMES, *HARMLESS_NAMES, *QUERY_KEYS))
    assert min(map(len, (*NAMES, *VALUES))) >= 3


@pytest.mark.parametrize("literal", PREFIXES)
def test_every_prefix_has_a_pattern_that_begins_with_it(literal: bytes) -> None:
    filler = b"Aa0" * 30
    candidates = [literal + filler, literal + b"0" * 64, literal + b"A" * 16, literal + b"b-" + filler]
    candidates += [literal + b"/services/" + filler, literal + b"/bot1234567:" + filler, literal + b"pt_" + filler]
    candidates += [literal + filler + b"." + literal + filler + b"." + filler, literal + filler + b"." + filler]
    candidates += [literal + b"0" * 32]
    assert any(pattern(literal).match(candidate) for candidate in candidates)


def test_kinds_are_told_apart() -> None:
    kind = Names(["mine"]).kind
    assert kind(b"password") is Kind.SECRET
    assert kind(b"accessToken") is Kind.TOKEN
    assert kind(b"OPENAI_KEY") is Kind.VARIABLE
    assert kind(b"Proxy-Authorization") is Kind.AUTHORIZATION
    assert kind(b"Set-Cookie") is Kind.COOKIE
    assert kind(b"MINE") is Kind.CHOSEN
    for harmless in (
        b"progressToken",
        b"maxTokens",
        b"nextPageToken",
        b"tokenizer",
        b"key",
        b"code",
        b"publicKey",
        b"id",
    ):
        assert kind(harmless) is None, harmless
    assert kind(b"adminToken") is Kind.TOKEN, "min is no word of it"


# ---- headers, URLs, forms, command lines


def test_a_header_keeps_what_is_no_secret() -> None:
    pairs = [
        (b"Authorization", b"Bearer abc"),
        (b"Authorization", b"Basic YWxpY2U6YWJj"),
        (b"Cookie", b"theme=dark; sid=abc"),
        (b"Set-Cookie", b'sid="abc"; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly'),
        (b"Location", b"https://alice:abc@h/cb?code=abcdef12&state=xyz#access_token=abc&x=1"),
        (b"Mcp-Param-Api-Key", b"=?base64?YWJj?="),
        (b"Mcp-Param-Url", b"=?base64?aHR0cHM6Ly9hOnMzY3JldC0xQGgv?="),
    ]
    shown = [value.decode() for _, value in Redactor(SALT).headers(pairs)]
    hidden = "redacted-[0-9a-f]{12}"
    patterns = [
        f"Bearer {hidden}",
        f"Basic {hidden}",
        f"theme={hidden}; sid={hidden}",
        f'sid="{hidden}"; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly',
        f"https://alice:{hidden}@h/cb\\?code={hidden}&state=xyz#access_token={hidden}&x=1",
        hidden,
        "=\\?base64\\?[A-Za-z0-9+/=]+\\?=",
    ]
    for value, expected in zip(shown, patterns, strict=True):
        assert re.fullmatch(expected, value), value


def test_a_mirrored_header_shows_the_same_placeholder_as_the_body() -> None:
    redactor = Redactor(SALT)
    body = json.loads(redactor.frame(json.dumps({"arguments": {"apiKey": "pä55"}}).encode()))
    [(_, value)] = redactor.headers([(b"Mcp-Param-ApiKey", b"=?base64?cMOkNTU=?=")])
    assert value.decode() == body["arguments"]["apiKey"]


def test_an_oauth_exchange_loses_its_secrets_only() -> None:
    body = b"grant_type=authorization_code&code=abc&redirect_uri=http%3A%2F%2Fh%2Fcb&client_id=me"
    body += b"&code_verifier=v&client_secret=s"
    shown = Redactor(SALT).form(body).decode()
    hidden = "redacted-[0-9a-f]{12}"
    assert re.fullmatch(
        f"grant_type=authorization_code&code={hidden}&redirect_uri=http%3A%2F%2Fh%2Fcb&client_id=me"
        f"&code_verifier={hidden}&client_secret={hidden}",
        shown,
    )
    answer = redact(
        {"access_token": "a", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "b", "scope": ""}
    )
    assert answer["access_token"].startswith("redacted-")
    assert answer["refresh_token"].startswith("redacted-")
    assert (answer["token_type"], answer["expires_in"], answer["scope"]) == ("Bearer", 3600, "")
    as_json = redact({"grant_type": "authorization_code", "code": "abc", "n": {"code": "def"}})
    assert as_json["code"].startswith("redacted-")
    assert as_json["grant_type"] == "authorization_code"


def test_a_command_line_loses_its_secrets_only() -> None:
    words = [
        *("npx", "server", "--token", "a1", "--api-key=b1", "-H", "Authorization: Bearer c1", "--header=X-Api-Key: d1"),
        *("-u", "alice:e1", "postgres://alice:f1@db/x?sslmode=on", "DB_PASSWORD=g1", "https://h/?access_token=h1&x=1"),
        *("--password", "--verbose", "--key", "0123456789abcdef", "--max-tokens", "5"),
    ]
    shown = Redactor(SALT).argv(words)
    hidden = "redacted-[0-9a-f]{12}"
    expected = [
        *("npx", "server", "--token", hidden, f"--api-key={hidden}", "-H", f"Authorization: Bearer {hidden}"),
        *(f"--header=X-Api-Key: {hidden}", "-u", f"alice:{hidden}", f"postgres://alice:{hidden}@db/x\\?sslmode=on"),
        *(f"DB_PASSWORD={hidden}", f"https://h/\\?access_token={hidden}&x=1", "--password", "--verbose"),
        *("--key", hidden, "--max-tokens", "5"),
    ]
    for word, wanted in zip(shown, expected, strict=True):
        assert re.fullmatch(wanted, word), (word, wanted)


# ---- configuration


def test_keys_come_from_the_configuration() -> None:
    assert from_config(Config(None, {})) == []
    assert from_config(Config(Path("mcptest.toml"), {"redact": {"keys": ["patient_id"]}})) == ["patient_id"]


@pytest.mark.parametrize("table", [{"keys": "patient_id"}, {"keys": [1]}, {"key": []}, "x"])
def test_a_wrong_configuration_is_refused_with_its_place(table: object) -> None:
    with pytest.raises(UsageError, match=r"mcptest\.toml"):
        from_config(Config(Path("mcptest.toml"), {"redact": table}))


# ---- hostile input


@pytest.mark.parametrize(
    "data",
    [
        *(b'"password":"' * 10000, b'"password":"x",' * 10000, b'{"password":' * 10000, b'"token":[' * 10000),
        *(b'{"password":"' + b"\\" * 150000, b'\\"token\\":\\"' + b"\\" * 150000 + b'"', b"\\" * 150000 + b"token"),
        *(b'"token":' + b"[" * 150000, b"token" * 30000, b"token=" * 30000, b"eyJ-" * 35000, b"eyJaaaaaaaa." * 10000),
        *(b"://" * 50000, b"https://" + b"a:" * 50000, b"-----BEGIN PRIVATE KEY-----" * 5000, b"cookie: " * 20000),
        *(b"authorization: " * 10000, b"x-api-key: " * 10000, b'"grant_type"' * 10000, b"'password': '" * 10000),
        *(b"\\u0070" * 25000, b"\\u0022password\\u0022:" * 5000, b'{"password":"' + b"\\u005c" * 25000),
        *(b'{"inputSchema":{"password":"x","a":{' * 4000, b'"inputSchema":{},"password":"x",' * 4000),
        *(b"?key=" * 30000, b"?code=aaaaaaaa&" * 10000, b"bearer " * 20000, b"<token>" * 20000, b"--token " * 20000),
        *(b'"token"' + b" " * 150000, (b'"token"' + b" " * 300) * 500, b'{"password":' + b"1" * 150000),
        *(b'{"cookie":"' + b"a=b;" * 25000, b'{"requestState":"' + b"ghp_" * 25000, b"\xff\xfetoken=\xff\xfe" * 10000),
    ],
    ids=lambda data: data[:24].decode("ascii", "replace") + f"...{len(data)}",
)
def test_hostile_input_takes_time_in_proportion_to_its_size(data: bytes) -> None:
    """Each of these took minutes or hours where a rule looked at the same bytes again and again."""
    redactor = Redactor(SALT)
    assert redactor.frame(redactor.frame(data)) == redactor.frame(data)
