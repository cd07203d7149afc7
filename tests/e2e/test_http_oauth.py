"""A server that asks for authorization, behind `mcptest record --forward`: all of it is recorded, without the secrets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from mcptest.capture import journals
from tests.e2e.http_peers import free_port, mitmproxy, running
from tests.proxy.wrapped import MCPTEST, PATIENCE, wait_until

HERE = Path(__file__).parent
REQUESTS = "select method, split_part(target, '?', 1) path, status, challenge from http order by session, x"


def test_authorization_is_recorded_without_its_secrets(tmp_path):
    port = free_port()
    url = f"http://127.0.0.1:{port}/mcp"
    env = {**os.environ, **mitmproxy(tmp_path / "home"), "MCPTEST_CAPTURE": str(tmp_path / "capture.duckdb")}
    with running([sys.executable, str(HERE / "oauth_server.py"), str(port)], port):
        result = subprocess.run(
            [*MCPTEST, "record", "--forward", "--", sys.executable, str(HERE / "oauth_client.py"), url],
            env=env,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert result.returncode == 0, result.stderr
    said, *found = result.stdout.split()
    assert said == "psst"
    assert len(found) == 4
    for path in journals.find(tmp_path / "capture.journals"):
        assert wait_until(lambda path=path: not journals.is_live(path))
    rows = json.loads(subprocess.check_output([*MCPTEST, "sql", REQUESTS, "--format", "json"], env=env))
    seen = [(row["method"], row["path"], row["status"]) for row in rows]
    assert seen[0] == ("POST", "/mcp", 401)
    assert rows[0]["challenge"].startswith("Bearer ")
    assert ("GET", "/.well-known/oauth-protected-resource/mcp", 200) in seen
    assert ("POST", "/register", 201) in seen
    assert ("GET", "/authorize", 302) in seen
    assert ("POST", "/token", 200) in seen
    assert ("POST", "/mcp", 200) in seen
    for path in (path for path in tmp_path.glob("capture*/**/*") if path.is_file()):
        assert [secret for secret in found if secret.encode() in path.read_bytes()] == []
    assert not [secret for secret in found if secret.encode() in (tmp_path / "capture.duckdb").read_bytes()]
