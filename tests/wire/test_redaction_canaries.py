"""Canaries: secrets of many kinds in every place of the traffic, none of which may survive redaction."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest

from mcptest.wire.redaction import Redactor

SALT = b"a salt of thirty-two bytes here."
ALNUM = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ2bD4fG6hJ8kL0nP2rS4tV6xY8z"
HEX = "0123456789abcdef0123456789abcdef0123456789abcdef"


def part(data: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()


JSON_WEB_TOKEN = f"{part({'alg': 'HS256'})}.{part({'sub': 'canary'})}.{ALNUM[:43]}"
PRIVATE_KEY = f"-----BEGIN RSA PRIVATE KEY-----\nMIIE{ALNUM}\n{ALNUM[::-1]}\nabc=\n-----END RSA PRIVATE KEY-----"

# Secrets that say what they are, wherever they stand.
SELF_DESCRIBING = {
    "github personal": "ghp_" + ALNUM[:36],
    "github oauth": "gho_" + ALNUM[:36],
    "github user": "ghu_" + ALNUM[:36],
    "github server": "ghs_" + ALNUM[:36],
    "github refresh": "ghr_" + ALNUM[:36],
    "github fine-grained": "github_pat_" + ALNUM[:22] + "_" + ALNUM,
    "gitlab": "glpat-" + ALNUM[:20],
    "openai": "sk-proj-" + ALNUM,
    "openai old": "sk-" + ALNUM[:48],
    "anthropic": "sk-ant-api03-" + ALNUM + "-AA",
    "openrouter": "sk-or-v1-" + HEX,
    "stripe": "sk_live_" + ALNUM[:24],
    "stripe test": "sk_test_" + ALNUM[:24],
    "stripe restricted": "rk_live_" + ALNUM[:24],
    "stripe webhook": "whsec_" + ALNUM[:32],
    "aws": "AKIA" + "Q3EGRZ7ABCDEFGH2",
    "aws temporary": "ASIA" + "Q3EGRZ7ABCDEFGH2",
    "slack bot": "xoxb-123456789012-123456789012-" + ALNUM[:24],
    "slack user": "xoxp-123456789012-123456789012-" + ALNUM[:24],
    "slack app": "xapp-1-A01234567-1234567890123-" + HEX,
    "jwt": JSON_WEB_TOKEN,
    "google api": "AIza" + ALNUM[:35],
    "google oauth": "ya29." + ALNUM,
    "google client secret": "GOCSPX-" + ALNUM[:28],
    "hugging face": "hf_" + ALNUM[:34],
    "npm": "npm_" + ALNUM[:36],
    "pypi": "pypi-AgEIcHlwaS5vcmc" + ALNUM,
    "sendgrid": "SG." + ALNUM[:22] + "." + ALNUM[:43],
    "digitalocean": "dop_v1_" + HEX + HEX[:16],
    "shopify": "shpat_" + HEX[:32],
    "linear": "lin_api_" + ALNUM[:40],
    "notion": "ntn_" + ALNUM[:46],
    "figma": "figd_" + ALNUM[:40],
    "sentry": "sntrys_" + ALNUM[:50],
    "vault": "hvs." + ALNUM[:24],
    "groq": "gsk_" + ALNUM,
    "xai": "xai-" + ALNUM,
    "nvidia": "nvapi-" + ALNUM,
    "perplexity": "pplx-" + ALNUM[:48],
    "tavily": "tvly-dev-" + ALNUM[:32],
    "supabase": "sbp_" + HEX[:40],
    "grafana": "glsa_" + ALNUM[:32] + "_" + HEX[:8],
    "databricks": "dapi" + HEX[:32],
    "tailscale": "tskey-auth-" + ALNUM[:32],
    "langsmith": "lsv2_pt_" + HEX[:32] + "_" + HEX[:10],
    "atlassian": "ATATT3" + ALNUM + "=1A2B3C4D",
    "docker": "dckr_pat_" + ALNUM[:27],
    "alibaba": "LTAI" + ALNUM[:20],
    "basic": "Basic " + base64.b64encode(b"alice:correct-horse-9").decode(),
    "bearer": "Bearer " + ALNUM[:24],
    "url password": "https://alice:" + ALNUM[:20] + "@example.com/x",
    "slack webhook": "https://hooks.slack.com/services/T01234567/B01234567/" + ALNUM[:24],
}

# Secrets that only their name gives away: a password can be any word.
NAMED = (
    *(
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "user_password",
        "newPassword",
        "PASSWORD",
        "db-password",
        "password2",
    ),
    *("secret", "client_secret", "clientSecret", "app-secret", "token", "access_token", "accessToken", "refresh_token"),
    *("id_token", "auth_token", "authToken", "session_token", "bearer", "api_key", "apiKey", "apikey", "x-api-key"),
    *("X-Auth-Token", "private_key", "privateKey", "secret_access_key", "accessKey", "credential", "credentials"),
    *("connection_string", "connectionString", "code_verifier", "client_assertion", "device_code", "jwt", "bot_token"),
    *("GITHUB_TOKEN", "STRIPE_API_KEY", "csrf_token", "signing_key", "encryptionKey", "AccountKey", "xsrfToken"),
)
PASSWORD = "hunter-Zwei9"


def in_argument(name: str, value: str) -> bytes:
    call = {"name": "connect", "arguments": {name: value, "verbose": True}}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()


def nested(times: int, value: object) -> bytes:
    for _ in range(times):
        text = json.dumps(value, indent=2 if times == 2 else None)
        value = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": text}]}}
    return json.dumps(value).encode()


def lines_through(redactor: Redactor, text: str) -> bytes:
    return b"\n".join(redactor.frame(line) for line in text.encode().split(b"\n"))


PLACES: dict[str, Callable[[Redactor, str], object]] = {
    "argument": lambda redactor, value: redactor.frame(in_argument("note", value)),
    "result text": lambda redactor, value: redactor.frame(
        json.dumps({"id": 1, "result": {"content": [{"type": "text", "text": f"Here:\n{value}\nis it."}]}}).encode()
    ),
    "nested once": lambda redactor, value: redactor.frame(nested(1, {"note": value})),
    "nested twice": lambda redactor, value: redactor.frame(nested(2, {"note": f"a\t{value}"})),
    "nested three times": lambda redactor, value: redactor.frame(nested(3, {"note": [value]})),
    "structured content": lambda redactor, value: redactor.frame(
        json.dumps({"id": 1, "result": {"structuredContent": {"rows": [[1, value]]}}}, separators=(",", ":")).encode()
    ),
    "json key": lambda redactor, value: redactor.frame(json.dumps({"result": {value: 1}}).encode()),
    "server-sent event": lambda redactor, value: redactor.frame(
        b"event: message\nid: 7\ndata: " + in_argument("x", value)
    ),
    "stderr": lambda redactor, value: lines_through(redactor, f"2026-11-18 DEBUG using {value} for this"),
    "stderr with colours": lambda redactor, value: lines_through(redactor, f"\x1b[31m{value}\x1b[0m failed"),
    "not UTF-8": lambda redactor, value: (
        lines_through(redactor, "x") + redactor.frame(b"\xff\xfe " + value.encode() + b" \xff")
    ),
    "word of a command": lambda redactor, value: " ".join(redactor.argv(["server", "--log", "x", value])),
    "header": lambda redactor, value: redactor.headers([(b"X-Note", value.replace("\n", " ").encode())])[0][1],
    "Authorization": lambda redactor, value: redactor.headers([(b"authorization", b"Bearer " + value.encode())])[0][1],
    "Cookie": lambda redactor, value: redactor.headers([(b"Cookie", b"a=1; sid=" + value.encode())])[0][1],
    "query": lambda redactor, value: redactor.url("https://example.com/x?a=1&note=" + value.replace("\n", "") + "&b=2"),
    "form": lambda redactor, value: redactor.form(b"a=1&note=" + value.replace("\n", "").encode() + b"&b=2"),
}


def shown(output: object) -> str:
    return output.decode("utf-8", "replace") if isinstance(output, bytes) else str(output)


def core(value: str) -> str:
    """The part of a canary that must not be seen: without the words around it."""
    for front in ("Basic ", "Bearer ", "https://alice:", "https://hooks.slack.com/services/"):
        value = value.removeprefix(front)
    return value.removesuffix("@example.com/x")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", SELF_DESCRIBING)
def test_a_secret_with_a_well_known_shape_is_gone_from(place: str, kind: str) -> None:
    value = SELF_DESCRIBING[kind]
    output = shown(PLACES[place](Redactor(SALT), value))
    assert core(value) not in output
    assert core(value)[8:] not in output
    assert "redacted-" in output


@pytest.mark.parametrize("place", [place for place in PLACES if place not in ("query", "form", "header")])
def test_a_private_key_is_gone_with_all_its_lines_from(place: str) -> None:
    output = shown(PLACES[place](Redactor(SALT), PRIVATE_KEY))
    for line in PRIVATE_KEY.split("\n")[1:3]:
        assert line not in output
        assert line[20:] not in output


def test_a_private_key_that_comes_line_by_line_is_gone() -> None:
    redactor = Redactor(SALT)
    lines = f"loading\n{PRIVATE_KEY}\nloaded abc=".encode().split(b"\n")
    shown_lines = []
    for line in lines:
        shown_lines.append(redactor.frame(line))
        # Another stream's frames pass in between, untouched.
        assert redactor.frame(b'{"id":1,"result":{}}') == b'{"id":1,"result":{}}'
    assert shown_lines[:2] == lines[:2]
    assert all(line.startswith(b"redacted-") for line in shown_lines[2:5])
    assert shown_lines[5:] == lines[5:]


NAMED_PLACES: dict[str, Callable[[Redactor, str, str], object]] = {
    "argument": lambda redactor, name, value: redactor.frame(in_argument(name, value)),
    "compact JSON": lambda redactor, name, value: redactor.frame(b'{"%s":"%s"}' % (name.encode(), value.encode())),
    "array": lambda redactor, name, value: redactor.frame(json.dumps({name: [value, value + "x"]}).encode()),
    "nested once": lambda redactor, name, value: redactor.frame(nested(1, {name: value})),
    "nested twice": lambda redactor, name, value: redactor.frame(nested(2, {name: value})),
    "nested three times": lambda redactor, name, value: redactor.frame(nested(3, {name: value})),
    "nested in a batch": lambda redactor, name, value: redactor.frame(
        b"[%s,%s]" % (nested(1, {name: value}), nested(2, {name: value}))
    ),
    "cut in the middle": lambda redactor, name, value: redactor.frame(
        b'{"a":{"%s": "%s' % (name.encode(), value.encode())
    ),
    "cut inside text": lambda redactor, name, value: redactor.frame(
        rb'{"text":"{\"%s\":\"%s"}' % (name.encode(), value.encode())
    ),
    "escaped key": lambda redactor, name, value: redactor.frame(
        b'{"%s":"%s"}' % ("".join(f"\\u{ord(letter):04x}" for letter in name).encode(), value.encode())
    ),
    "escaped key in text": lambda redactor, name, value: redactor.frame(
        json.dumps({"text": f'{{"\\u{ord(name[0]):04x}{name[1:]}":"{value}"}}'}).encode()
    ),
    "not UTF-8": lambda redactor, name, value: redactor.frame(b'\xff{"%s":"%s"}' % (name.encode(), value.encode())),
    "python dictionary": lambda redactor, name, value: redactor.frame(f"env: {{'{name}': '{value}'}}".encode()),
    "python dictionary in text": lambda redactor, name, value: redactor.frame(
        json.dumps({"text": f"{{'{name}': '{value}', 'x': 1}}"}).encode()
    ),
    "assignment on stderr": lambda redactor, name, value: redactor.frame(f"INFO {name}={value} ok".encode()),
    "assignment in text": lambda redactor, name, value: redactor.frame(
        json.dumps({"text": f"x\n{name}={value}\ny"}).encode()
    ),
    "quoted assignment": lambda redactor, name, value: redactor.frame(f'{name} = "{value}"'.encode()),
    "quoted assignment in text": lambda redactor, name, value: redactor.frame(
        json.dumps({"text": f'{name}="{value}"'}).encode()
    ),
    "yaml": lambda redactor, name, value: redactor.frame(json.dumps({"text": f"a: 1\n{name}: {value}\nb: 2"}).encode()),
    "xml": lambda redactor, name, value: redactor.frame(f"<{name}>{value}</{name}>".encode()),
    "url in text": lambda redactor, name, value: redactor.frame(f"GET http://h/x?a=1&{name}={value}&b=2 200".encode()),
    "list of arguments": lambda redactor, name, value: redactor.frame(
        json.dumps({"args": ["--x", f"--{name}", value]}).encode()
    ),
    "name and value": lambda redactor, name, value: redactor.frame(
        json.dumps([{"name": name, "value": value}]).encode()
    ),
    "header": lambda redactor, name, value: redactor.headers([(name.encode(), value.encode())])[0][1],
    "mirrored parameter": lambda redactor, name, value: redactor.headers(
        [(b"Mcp-Param-" + name.encode(), value.encode())]
    )[0][1],
    "query": lambda redactor, name, value: redactor.url(f"/callback?a=1&{name}={quote(value)}"),
    "fragment": lambda redactor, name, value: redactor.url(f"https://h/callback#a=1&{name}={value}"),
    "form": lambda redactor, name, value: redactor.form(f"a=1&{name}={quote_plus(value)}&b=2".encode()),
    "flag": lambda redactor, name, value: " ".join(redactor.argv(["server", f"--{name}", value, "--x"])),
    "flag with =": lambda redactor, name, value: " ".join(redactor.argv(["server", f"--{name}={value}", "--x"])),
    "variable": lambda redactor, name, value: " ".join(redactor.argv(["env", f"{name}={value}", "server"])),
    "flag in text": lambda redactor, name, value: redactor.frame(f"+ server --{name} {value} --x".encode()),
}


@pytest.mark.parametrize("place", NAMED_PLACES)
@pytest.mark.parametrize("name", NAMED)
def test_the_value_of_a_secret_name_is_gone_from(place: str, name: str) -> None:
    output = shown(NAMED_PLACES[place](Redactor(SALT), name, PASSWORD))
    assert PASSWORD not in output
    assert "Zwei9" not in output
    assert "redacted-" in output


@pytest.mark.parametrize(
    "value", ["pä$$ wörd\t9", 'quo"te\\back/9', "🔑 emoji 9", "line\nbreak 9", "a,b}c]d:e 9", "'single' 9", "%25+& 9"]
)
@pytest.mark.parametrize(
    "place", ["argument", "nested once", "nested twice", "nested three times", "query", "form", "header"]
)
def test_odd_characters_do_not_let_a_password_through(place: str, value: str) -> None:
    plain = Redactor(SALT).frame(json.dumps({"password": value}).encode())
    placeholder = json.loads(plain)["password"]
    output = shown(NAMED_PLACES[place](Redactor(SALT), "password", value))
    assert placeholder in output, "the same secret has the same placeholder at any depth of escaping"
    for piece in (value, json.dumps(value)[1:-1], quote(value), quote_plus(value)):
        assert piece not in output


@pytest.mark.parametrize(
    "header",
    [
        (b"Authorization", b"Bearer %s"),
        (b"authorization", b"Basic %s"),
        (b"Authorization", b"%s"),
        (b"Proxy-Authorization", b"Digest username=x, response=%s"),
        (b"Cookie", b"theme=dark; session=%s"),
        (b"Set-Cookie", b"session=%s; Path=/; HttpOnly"),
        (b"X-Api-Key", b"%s"),
        (b"x-goog-api-key", b"%s"),
        (b"X-Auth-Token", b"%s"),
        (b"X-Amz-Security-Token", b"%s"),
        (b"Private-Token", b"%s"),
        (b"Ocp-Apim-Subscription-Key", b"%s"),
        (b"Location", b"https://h/cb?code=%s&state=1"),
        (b"Referer", b"https://u:%s@h/"),
        (b"Mcp-Param-Api-Key", b"%s"),
        (b"Mcp-Param-Password", b"=?base64?" + base64.b64encode(PASSWORD.encode()) + b"?="),
    ],
)
def test_a_secret_is_gone_from_the_header(header: tuple[bytes, bytes]) -> None:
    name, template = header
    value = template % PASSWORD.encode() if b"%s" in template else template
    [(shown_name, output)] = Redactor(SALT).headers([(name, value)])
    assert shown_name == name
    assert PASSWORD.encode() not in output
    assert base64.b64encode(PASSWORD.encode()) not in output
    assert b"redacted-" in output
