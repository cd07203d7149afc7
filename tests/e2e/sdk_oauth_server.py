"""A protected server, with an authorization server of its own that lets everybody in: `python sdk_oauth_server.py PORT
PUBLIC_URL`. PUBLIC_URL is what it calls itself, since its clients come through a proxy."""

from __future__ import annotations

import secrets
import sys
import time
from typing import Any

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken


class Generous(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    def __init__(self) -> None:
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.given: dict[str, AccessToken] = {}

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        assert client_info.client_id
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        code = AuthorizationCode(
            code=secrets.token_urlsafe(24),
            scopes=params.scopes or ["read"],
            expires_at=time.time() + 300,
            client_id=client.client_id or "",
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(self, client: Any, authorization_code: str) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client: Any, authorization_code: AuthorizationCode) -> OAuthToken:
        token = AccessToken(
            token=secrets.token_urlsafe(32),
            client_id=client.client_id,
            scopes=authorization_code.scopes,
            expires_at=int(time.time()) + 300,
            resource=authorization_code.resource,
        )
        self.given[token.token] = token
        return OAuthToken(access_token=token.token, token_type="Bearer", expires_in=300, scope="read")

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.given.get(token)

    async def load_refresh_token(self, client: Any, refresh_token: str) -> RefreshToken | None:
        return None

    async def exchange_refresh_token(self, client: Any, refresh_token: Any, scopes: list[str]) -> OAuthToken:
        raise NotImplementedError

    async def revoke_token(self, token: Any) -> None:
        raise NotImplementedError


def main() -> None:
    port, public = sys.argv[1:]
    settings = AuthSettings(
        issuer_url=public,
        resource_server_url=f"{public}/mcp",
        required_scopes=["read"],
        client_registration_options=ClientRegistrationOptions(
            enabled=True, valid_scopes=["read"], default_scopes=["read"]
        ),
    )
    server = MCPServer("protected", auth_server_provider=Generous(), auth=settings)

    @server.tool()
    def whisper(text: str) -> str:
        """Says it back in lower case."""
        return text.lower()

    server.run("streamable-http", host="127.0.0.1", port=int(port))


if __name__ == "__main__":
    main()
