"""What only looks like a secret: a false redaction destroys what the recording is for."""

from __future__ import annotations

import json

import pytest

from mcptest.wire.redaction import Redactor

SALT = b"a salt of thirty-two bytes here."

TOOLS_LIST = {
    "jsonrpc": "2.0",
    "id": 2,
    "result": {
        "tools": [
            {
                "name": "get_secret",
                "title": "Password",
                "description": "Log in. Send `Authorization: Bearer <token>`, or set API_KEY=<key>.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "password": {"type": "string", "format": "password", "description": "The user's password"},
                        "token": {"type": "string", "default": "token-default-1234", "examples": ["abc123def456"]},
                        "api_key": {"$ref": "#/$defs/secret"},
                        "secret": True,
                        "options": {"default": {"password": "changeme-1234", "client_secret": "x"}},
                    },
                    "required": ["password", "token"],
                    "dependentRequired": {"token": ["password", "api_key"]},
                    "$defs": {"secret": {"const": "s3cret-const-99"}},
                },
                "outputSchema": {"type": "object", "properties": {"access_token": {"type": ["string", "null"]}}},
            }
        ],
        "nextCursor": "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
    },
}
FRAMES: list[object] = [
    {
        "jsonrpc": "2.0",
        "id": "secret-token",
        "method": "tools/call",
        "params": {"name": "secret_tool", "arguments": {}},
    },
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "x", "_meta": {"progressToken": "tok-1a2b3c4d5e"}},
    },
    {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 7, "progress": 1, "total": 2}},
    {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": "password", "reason": "token expired"},
    },
    {"method": "sampling/createMessage", "params": {"maxTokens": 100, "max_tokens": 5, "stopSequences": ["token"]}},
    {
        "id": 3,
        "result": {
            "model": "m",
            "stopReason": "maxTokens",
            "usage": {"inputTokens": 3, "outputTokens": 4, "totalTokens": 7},
        },
    },
    {
        "id": 3,
        "result": {
            "usage": {"prompt_tokens": 1, "completion_tokens": 2, "tokens": 512, "token": 3, "cached_tokens": 0}
        },
    },
    {"id": 4, "method": "tools/list", "params": {"cursor": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"}},
    {"id": 4, "result": {"tools": [], "nextCursor": "token=abc123def456&api_key=0123456789abcdef"}},
    {"id": 4, "result": {"requestState": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", "inputRequests": {}}},
    {
        "id": 4,
        "result": {
            "nextToken": "abc123def456",
            "next_page_token": "abc123def456",
            "pageToken": "abc",
            "syncToken": "a1",
        },
    },
    {
        "id": 5,
        "error": {"code": -32602, "message": "Invalid token: missing password", "data": {"code": "E_TOKEN_1234"}},
    },
    {
        "id": 6,
        "result": {
            "code": "print('hello')",
            "state": "ok",
            "token": "",
            "secret": None,
            "password": True,
            "pwd": "/home/me",
        },
    },
    {
        "id": 6,
        "result": {
            "tokenizer": "cl100k_base",
            "token_type": "Bearer",
            "token_count": 5,
            "tokenEndpoint": "https://a/b",
        },
    },
    {
        "id": 6,
        "result": {"eos_token": "</s>", "pad_token": "[PAD]", "bos_token": "<s>", "cancellationToken": "abc123456"},
    },
    {"id": 6, "result": {"tokens": ["Hello", ",", "world"], "top": [{"token": "Hello", "logprob": -0.1}]}},
    {
        "id": 6,
        "result": {"type": "password", "format": "password", "kind": "secret", "name": "token", "field": "api_key"},
    },
    {"id": 6, "result": {"token": {"type": "string"}, "password": {"minLength": 8}, "secrets": [], "credentials": {}}},
    {"id": 6, "result": {"password": "string", "token": "${TOKEN}", "api_key": "<your api key>", "secret": "********"}},
    {"id": 6, "result": {"secretName": "db-secret-1234", "passwordPolicy": "min8chars", "apiKeyId": "id-1234567890"}},
    {
        "id": 6,
        "result": {
            "primary_key": "users_id_123",
            "foreign_key": "a1b2c3d4e5",
            "sort-key": "x1y2z3w4v5",
            "key": "value12345",
        },
    },
    {"id": 6, "result": {"credentials": "include", "cookieEnabled": True, "cookies": [], "authorization": "none"}},
    {
        "id": 7,
        "result": {"serverInfo": {"name": "password-manager", "version": "1.2.3"}, "protocolVersion": "2025-11-25"},
    },
    {
        "issuer": "https://auth.example.com",
        "authorization_endpoint": "https://auth.example.com/authorize",
        "token_endpoint": "https://auth.example.com/token",
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "private_key_jwt"],
        "code_challenge_methods_supported": ["S256"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "bearer_methods_supported": ["header"],
        "client_secret_expires_at": 0,
        "id_token_signing_alg_values_supported": ["RS256"],
    },
    ["--password", "--verbose", "--token", "token", "-H"],
    TOOLS_LIST,
]

TEXTS = [
    "The token has expired; please log in with your password.",
    "Password: ",
    "password: required",
    "Enter your password: it must have at least 8 characters",
    "authorization: the header that carries the Bearer token",
    "Authorization: Bearer YOUR_TOKEN",
    "Bearer authentication is required",
    "Basic authentication is required",
    'WWW-Authenticate: Bearer realm="mcp", error="invalid_token", resource_metadata="https://h/.well-known/x"',
    "Usage: server --token <token> --password PASSWORD [--api-key KEY]",
    "export API_KEY=$OTHER_KEY TOKEN=${TOKEN} PASSWORD={{password}}",
    "def login(token, password=None, *, api_key=os.environ['KEY']):",
    "client = Client(token=token, password=self.password, secret=get_secret('x'))",
    "const token = await getToken();",
    "token = self.next_token()",
    "if token == other_token: pass",
    "max_tokens=512 tokens=12 token=7 total_tokens: 99",
    "Processed 1234 tokens in 5 s (token rate 12.5)",
    "task-0123456789abcdefghijklmn risk-abcdefghijklmnopqrstuvwxyz",
    "Asia/Tokyo msg.subject half_hf_x npm_config_registry=https://registry",
    "-----BEGIN PRIVATE KEY----- is how such a file starts",
    "-----BEGIN CERTIFICATE-----",
    "see https://example.com/a?page=2&key=a#frag, mail me@example.com",
    "https://example.com/@user/repo:tag",
    "git@github.com:owner/repo.git",
    "PWD=/home/me/project OLDPWD=/home/me",
    "code=200 key=value sig=1 status=ok",
    "GET /x?code=404&key=id HTTP/1.1",
    "secret_tool(secret_name='x')",
    "<token> <password>",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    '"password" is a required property',
    "Cookie: none",
]


@pytest.mark.parametrize("frame", FRAMES, ids=range(len(FRAMES)))
@pytest.mark.parametrize("style", ["compact", "spaced", "pretty", "in text"])
def test_a_frame_of_the_protocol_stays_as_it_is(frame: object, style: str) -> None:
    data = {
        "compact": json.dumps(frame, separators=(",", ":")),
        "spaced": json.dumps(frame),
        "pretty": json.dumps(frame, indent=2),
        "in text": json.dumps({"id": 1, "result": {"content": [{"type": "text", "text": json.dumps(frame)}]}}),
    }[style].encode()
    if style == "in text" and frame is TOOLS_LIST:
        pytest.skip("a schema that is quoted in a text is text")
    redactor = Redactor(SALT)
    assert redactor.frame(data) == data
    assert redactor.frame(data) is data


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_without_secrets_stays_as_it_is(text: str) -> None:
    redactor = Redactor(SALT)
    assert redactor.frame(text.encode()) == text.encode()
    in_json = json.dumps({"id": 1, "result": {"content": [{"type": "text", "text": f"{text}\n{text}"}]}}).encode()
    assert redactor.frame(in_json) == in_json


def test_a_schema_still_loses_a_secret_with_a_well_known_shape() -> None:
    key = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
    frame = {"tools": [{"inputSchema": {"properties": {"token": {"default": key, "pattern": "x"}}}}], "password": "abc"}
    shown = json.loads(Redactor(SALT).frame(json.dumps(frame).encode()))
    schema = shown["tools"][0]["inputSchema"]["properties"]["token"]
    assert schema["default"].startswith("redacted-")
    assert schema["pattern"] == "x"
    assert shown["password"].startswith("redacted-"), "behind the schema, names count again"


def test_the_rest_of_a_frame_stays_byte_for_byte() -> None:
    data = b'\t{"b" :1,"a":"\\u00e9\\/","b":2, "password"\n:\t"x\\"y" ,"z":"\xc3\xa9\\ud800","n":1e5 } \r'
    shown = Redactor(SALT).frame(data)
    front, back = data.split(b'x\\"y')
    assert shown.startswith(front)
    assert shown.endswith(back)
    assert shown[len(front) : -len(back)].startswith(b"redacted-")


def test_headers_of_the_protocol_are_kept() -> None:
    pairs = [
        (b"Mcp-Session-Id", b"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"),
        (b"MCP-Protocol-Version", b"2026-07-28"),
        (b"Mcp-Method", b"tools/call"),
        (b"Mcp-Name", b"secret_tool"),
        (b"Mcp-Param-Region", b"=?base64?" + b"4pyT" + b"?="),
        (b"Mcp-Param-Broken", b"=?base64?x?="),
        (b"Last-Event-ID", b"token=abc123def456"),
        (b"Content-Type", b"application/json"),
        (b"Sec-WebSocket-Key", b"dGhlIHNhbXBsZSBub25jZQ=="),
        (b"Idempotency-Key", b"0123456789abcdef"),
        (
            b"WWW-Authenticate",
            b'Bearer resource_metadata="https://h/.well-known/oauth-protected-resource", scope="a b"',
        ),
        (b"Location", b"https://h/next?page=2"),
        (b"ETag", b'"abc"'),
    ]
    assert Redactor(SALT).headers(pairs) == pairs


def test_command_lines_without_secrets_are_kept() -> None:
    words = [
        *("npx", "-y", "@scope/server", "--port", "8080", "--max-tokens=5", "A=b", "https://h/x?q=1", "-", "", "--"),
        *("--token-file", "/run/secrets/token", "--api-key-path=/home/me/key", "--password", "--verbose"),
    ]
    assert Redactor(SALT).argv(words) == words


@pytest.mark.parametrize(
    "url", ["", "/", "http://h", "https://h/?a=b&code=404#top", "/x?", "?#", "mailto:me@h", "a b%zz"]
)
def test_urls_without_secrets_are_kept(url: str) -> None:
    assert Redactor(SALT).url(url) == url


@pytest.mark.parametrize(
    "body", [b"", b"a=1", b"grant_type=client_credentials&client_id=me&scope=a+b", b"code=1&x", b"&&=&"]
)
def test_forms_without_secrets_are_kept(body: bytes) -> None:
    assert Redactor(SALT).form(body) is body
