"""The steps of an OAuth flow, told apart among the exchanges of a session that are not MCP's own.

Steps are known by what they look like, since a recording may hold any part of a flow: documents by their well-known
path, token requests by their grant, authorization requests by their response type, registrations by their redirect
URIs. Secrets are compared by their placeholders, which are the same wherever the same secret stood.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit
from weakref import WeakKeyDictionary

from mcptest.compliance.kit import History, HttpExchange, inside, sessions

RESOURCE = "/.well-known/oauth-protected-resource"
SERVER = "/.well-known/oauth-authorization-server"
OPENID = "/.well-known/openid-configuration"
_PARAMETER = re.compile(r'([A-Za-z_][\w-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))')
_LOOPBACK = re.compile(r"localhost|127(?:\.\d{1,3}){3}|\[?::1\]?")


class Flow:
    """`challenges` are the 401s and 403s of the MCP endpoint; `resources` and `servers` the requests for metadata of
    the protected resource and of authorization servers; the rest are requests of their kind. All as they were sent."""

    def __init__(self, exchanges: Iterable[HttpExchange]) -> None:
        self.challenges: list[HttpExchange] = []
        self.resources: list[HttpExchange] = []
        self.servers: list[HttpExchange] = []
        self.registrations: list[HttpExchange] = []
        self.authorizations: list[HttpExchange] = []
        self.tokens: list[HttpExchange] = []
        for exchange in sorted(exchanges, key=lambda one: one.seq):
            if exchange.mcp:
                self.challenges.append(exchange)
            elif (step := _step(exchange)) is not None:
                getattr(self, step).append(exchange)

    @property
    def uses(self) -> list[HttpExchange]:
        """Requests to an authorization server's endpoints."""
        return sorted([*self.registrations, *self.authorizations, *self.tokens], key=lambda one: one.seq)

    @property
    def shows_scheme(self) -> bool:
        """Does the server take part in this chapter at all? Keys of its own are its own affair."""
        if self.tokens or self.authorizations or any(one.ok for one in (*self.resources, *self.servers)):
            return True
        return any(challenge(one).get("scheme") == "bearer" for one in self.challenges)

    @property
    def issuers(self) -> list[str]:
        """The authorization servers that the protected resource names."""
        found: list[str] = []
        for one in self.resources:
            listed = document(one).get("authorization_servers")
            found += [issuer for issuer in listed if type(issuer) is str] if type(listed) is list else []
        return list(dict.fromkeys(found))

    def metadata_for(self, use: HttpExchange) -> HttpExchange | None:
        """The authorization server's document that names the address of a request, and was there before it."""
        return next((one for one in self.servers if one.seq < use.seq and address(use.url) in named(one)), None)


_FLOWS: WeakKeyDictionary[History, tuple[int, Flow]] = WeakKeyDictionary()


def flow_of(history: History) -> Flow:
    """One for all rules that ask."""
    count, flow = _FLOWS.get(history, (-1, None))
    if flow is None or count != len(history.aside):
        flow = Flow(history.aside)
        _FLOWS[history] = len(history.aside), flow
    return flow


def protected(history: History) -> str | None:
    """For PROVIDED: the server must show the scheme of this chapter."""
    return None if flow_of(history).shows_scheme else "the server shows no OAuth: nothing of this chapter is at work"


def _step(exchange: HttpExchange) -> str | None:
    path, query = exchange.path, exchange.query
    if exchange.verb == "GET":
        if path.startswith(RESOURCE):
            return "resources"
        if path.startswith((SERVER, OPENID)) or path.endswith(OPENID):
            return "servers"
        return "authorizations" if "response_type" in query and "client_id" in query else None
    if exchange.verb == "POST":
        if "grant_type" in exchange.form:
            return "tokens"
        if type(exchange.json) is dict and type(exchange.json.get("redirect_uris")) is list:
            return "registrations"
    return None


def _each(name: str, noun: str, keep: Callable[[HttpExchange], bool]) -> Any:
    def take(history: History) -> Iterator[HttpExchange]:
        return (one for one in getattr(flow_of(history), name) if keep(one))

    return inside(sessions, take, noun)


def _of_client(exchange: HttpExchange) -> bool:
    return not exchange.synthetic


# Selectors: steps of the flow, when the session is over.
unauthorized = _each("challenges", "401 responses", lambda one: one.status == 401)
resource_documents = _each("resources", "metadata documents", lambda one: one.status == 200)
server_documents = _each("servers", "metadata documents", lambda one: one.status == 200)
server_requests = _each("servers", "metadata requests", _of_client)
registrations = _each("registrations", "registrations", _of_client)
authorizations = _each("authorizations", "authorization requests", _of_client)
tokens = _each("tokens", "token requests", _of_client)
uses = _each("uses", "requests", _of_client)


# ---- what stands in them


def challenge(exchange: HttpExchange) -> dict[str, str]:
    """The parameters of WWW-Authenticate, and its `scheme` in lower case; nothing where there is none."""
    text = exchange.answer_header("www-authenticate")
    if text is None:
        return {}
    found = {match[1].lower(): match[2] if match[2] is not None else match[3] for match in _PARAMETER.finditer(text)}
    return {**found, "scheme": text.split(maxsplit=1)[0].rstrip(",").lower() if text.strip() else ""}


def document(exchange: HttpExchange) -> dict[str, Any]:
    """A document that was given; empty where it was not, or is no object."""
    value = exchange.answer_json if exchange.status == 200 else None
    return value if type(value) is dict else {}


def first(values: dict[str, list[str]], name: str) -> str | None:
    found = values.get(name)
    return found[0] if found else None


def parameter(use: HttpExchange, name: str) -> str | None:
    """A parameter of an authorization request's query or of a token request's form."""
    return first(use.form if use.verb == "POST" else use.query, name)


def scopes(text: str | None) -> set[str]:
    return set((text or "").split())


def named(metadata: HttpExchange) -> set[str]:
    """The addresses that an authorization server's document names."""
    found = document(metadata)
    keys = ("authorization_endpoint", "token_endpoint", "registration_endpoint")
    return {address(found[key]) for key in keys if type(found.get(key)) is str}


class Parts(NamedTuple):
    origin: str
    path: str


def parts(url: str) -> Parts:
    try:
        found = urlsplit(url)
        port = found.port
    except ValueError:
        return Parts("", "")
    host = (found.hostname or "").lower()
    if port is not None and (found.scheme, port) not in (("http", 80), ("https", 443)):
        host = f"{host}:{port}"
    return Parts(f"{found.scheme.lower()}://{host}", found.path.rstrip("/"))


def address(url: str) -> str:
    """An address without its query, in one spelling."""
    return "".join(parts(url))


def is_loopback(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return bool(_LOOPBACK.fullmatch(host))


def issuer_of(metadata: HttpExchange) -> str:
    """The issuer that a metadata document's address is made from."""
    origin, path = parts(metadata.url)
    for known in (SERVER, OPENID):
        if path.startswith(known):
            return origin + path[len(known) :]
        if path.endswith(known):
            return origin + path[: -len(known)]
    return origin


class Form(NamedTuple):
    """`name` is what the corpus calls it."""

    name: str
    url: str


def forms(issuer: str) -> list[Form]:
    """Where an issuer's metadata may be, in the order to try."""
    origin, path = parts(issuer)
    found = [Form("oauth", origin + SERVER + path), Form("openid", origin + OPENID + path)]
    return [*found, Form("openid-below", origin + path + OPENID)] if path else found


class Callback(NamedTuple):
    code: str | None
    state: str | None
    iss: str | None


def callback(authorization: HttpExchange) -> Callback | None:
    """What the authorization server sent back by way of the browser; None if the capture does not show it."""
    target = authorization.answer_header("location")
    if target is None or authorization.status not in (302, 303, 307):
        return None
    query = parse_qs(urlsplit(target).query, keep_blank_values=True)
    if "code" not in query:
        return None
    return Callback(first(query, "code"), first(query, "state"), first(query, "iss"))


def redeemed(flow: Flow, authorization: HttpExchange, given: Callback) -> HttpExchange | None:
    """The token request that used what an authorization brought."""
    for token in flow.tokens:
        if token.seq > authorization.seq and first(token.form, "code") == given.code:
            return token
    return None


def credential(exchange: HttpExchange) -> tuple[str, str] | None:
    """Scheme, in lower case, and value of a request's Authorization; None if there is none."""
    text = exchange.header("authorization")
    if text is None:
        return None
    scheme, _, value = text.strip().partition(" ")
    return scheme.lower(), value.strip()
