"""The mitmproxy engine: what holds for the built-in one holds here, and a client's own traffic can be recorded."""

from __future__ import annotations

import json
import os
import queue
import signal
import socket
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mcptest.capture import journals
from tests.e2e.http_peers import free_port, is_listening, mitmproxy
from tests.proxy.http.fed import Session
from tests.proxy.http.proxied import (
    ANSWER,
    GET,
    PATIENCE,
    POST,
    STREAM,
    Peer,
    Proxied,
    Server,
    answer_all,
    chunk,
    memory,
)
from tests.proxy.http.test_reverse import certificate, only, tls_server
from tests.proxy.wrapped import MCPTEST, wait_until

assert certificate  # a fixture


@pytest.fixture
def env(tmp_path):
    return mitmproxy(tmp_path / "home")


def reverse(folder: Path, url: str, env: dict[str, str]) -> Proxied:
    return Proxied(folder, url, "--engine", "mitmproxy", env=env)


def test_streams_pass_unbuffered_and_aborts_reach_the_server(tmp_path, env):
    ended = queue.Queue()

    def function(peer: Peer) -> None:
        peer.read_until(b"\r\n\r\n")
        peer.send(STREAM + chunk(b"data: 1\n\n"))
        ended.put(peer.is_over())

    proxied = reverse(tmp_path, Server(function).url, env)
    client = proxied.dial()
    client.send(GET)
    client.read_until(b"data: 1\n\n")
    client.close()
    assert ended.get(timeout=PATIENCE)
    session = only(proxied.stop())
    assert session.header["engine"] == "mitmproxy"
    assert session.of("sse") == [b"data: 1"]
    assert next(event for event in session.events if event["event"] == "stream closed")["by"] == "client"


@pytest.mark.parametrize("begun", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", STREAM + chunk(b"data: 1\n")])
def test_a_servers_crash_is_passed_on_and_nothing_is_sent_twice(tmp_path, env, begun):
    def function(peer: Peer) -> None:
        peer.read_until(b"{}")
        peer.send(begun)
        peer.close()

    server = Server(function)
    proxied = reverse(tmp_path, server.url, env)
    client = proxied.dial()
    client.send(POST)
    try:
        got = client.read_all()
    except ConnectionResetError:
        got = b""
    assert not got.endswith((b"0\r\n\r\n", b"{}"))
    assert server.connections == 1
    session = only(proxied.stop())
    ends = [event for event in session.events if event["event"] in ("aborted", "stream closed")]
    assert [event["by"] for event in ends] == ["server"]


def test_a_connection_that_ends_without_an_answer_is_no_answer(tmp_path, env):
    def function(peer: Peer) -> None:
        peer.read_until(b"{}")
        peer.close()

    proxied = reverse(tmp_path, Server(function).url, env)
    client = proxied.dial()
    client.send(POST)
    assert client.read_all() == b""
    assert "aborted" in [event["event"] for event in only(proxied.stop()).events]


BROKEN_REQUESTS = {
    "both lengths": (POST.replace(b"Content-Type", b"Transfer-Encoding: chunked\r\nContent-Type"), "refused", b"400"),
    "two lengths": (POST.replace(b"Content-Type", b"Content-Length: 3\r\nContent-Type"), "refused", b"400"),
    "no header": (POST.replace(b"Content-Type", b"Token hunter2-x : y\r\nContent-Type"), "refused", b"400"),
    "noise": (b"\x01\x02 Authorization: Bearer hunter2-x\r\n\r\n", "refused", b"400"),
    "another server": (POST.replace(b" /mcp", b" http://evil.example/mcp"), "refused", b"403"),
    "a large head": (POST.replace(b"Content-Type", b"X: " + b"y" * 70_000 + b"\r\nContent-Type"), "refused", b"431"),
    "an endless head": (b"GET /mcp HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 1_200_000, "refused", b"431"),
    "a bad chunk": (
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nhunter2-x\r\n",
        "unreadable",
        b"",
    ),
}


def test_broken_requests_are_refused_and_the_record_says_so(tmp_path, env):
    arrived = []

    def function(peer: Peer) -> None:
        arrived.append(peer.read_until(b"{}"))

    proxied = reverse(tmp_path, Server(function).url, env)
    for kind, (request, _, status) in BROKEN_REQUESTS.items():
        client = proxied.dial()
        client.send(request)
        got = b""
        with suppress(ConnectionResetError):
            while more := client.sock.recv(65536):
                got += more
        assert got[9:12] == status, kind
    happened = failures(proxied.stop())
    assert [event["event"] for event in happened] == [outcome for _, outcome, _ in BROKEN_REQUESTS.values()]
    assert all(event["reason"] for event in happened)
    assert "hunter2-x" not in json.dumps(happened)
    assert arrived == []


BROKEN_ANSWERS = [
    b"\0hunter2-x\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nToken hunter2-x : y\r\nContent-Length: 2\r\n\r\n{}",
    b"HTTP/1.1 200 OK\r\nX: " + b"y" * 1_200_000,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhunter2-x\r\n{}\r\n0\r\n\r\n",
]


def test_broken_answers_are_recorded_with_the_reason(tmp_path, env):
    answers = list(BROKEN_ANSWERS)

    def function(peer: Peer) -> None:
        peer.read_until(b"{}")
        peer.send(answers.pop(0))
        peer.is_over()

    proxied = reverse(tmp_path, Server(function).url, env)
    for _ in BROKEN_ANSWERS:
        client = proxied.dial()
        client.send(POST)
        client.is_over()
    happened = failures(proxied.stop())
    assert [(event["event"], event["by"]) for event in happened] == [("unreadable", "server")] * len(BROKEN_ANSWERS)
    assert all(event["reason"] for event in happened)
    assert "hunter2-x" not in json.dumps(happened)


def failures(sessions: list[Session]) -> list[dict[str, Any]]:
    """What did not end well, in order."""
    frames = sorted((frame for session in sessions for frame in session.frames), key=lambda frame: frame.mono)
    events = [json.loads(frame.data) for frame in frames if frame.channel_name == "event"]
    return [event for event in events if event["event"] in ("refused", "unreadable", "aborted", "unreachable")]


def test_a_killed_recorder_is_one_line_and_traffic_goes_on(tmp_path, env):
    proxied = reverse(tmp_path, Server(answer_all).url, env)
    client = proxied.dial()
    client.send(POST)
    client.read_until(ANSWER)
    os.kill(recorder_of(proxied), signal.SIGKILL)
    for _ in range(10):
        client.send(POST)
        client.read_until(ANSWER)
    proxied.stop()
    assert "mcptest: the recorder ended early: traffic goes on unrecorded\n" in proxied.errors


def recorder_of(proxied: Proxied) -> int:
    """The child of mitmproxy, which is ours."""
    return children(children(proxied.process.pid)[0])[0]


def children(pid: int) -> list[int]:
    found: list[int] = []
    for task in os.listdir(f"/proc/{pid}/task"):
        found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def test_large_bodies_pass_in_bounded_memory(tmp_path, env):
    size, block = 48 << 20, b"x" * (1 << 20)

    def function(peer: Peer) -> None:
        peer.read_until(b"\r\n\r\n")
        peer.read_exactly(size)
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % size)
        for _ in range(size >> 20):
            peer.send(block)
        peer.is_over()

    proxied = reverse(tmp_path, Server(function).url, env)
    client = proxied.dial()
    mitmdump = children(proxied.process.pid)[0]
    before = memory(mitmdump)
    client.send(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % size)
    for _ in range(size >> 20):
        client.send(block)
    client.read_until(b"\r\n\r\n")
    highest = memory(mitmdump)
    client.read_exactly(size)
    assert max(highest, memory(mitmdump)) < before + 30
    client.close()
    bodies = [frame for frame in only(proxied.stop()).frames if frame.channel_name.endswith("body")]
    assert [json.loads(frame.meta)["size"] for frame in bodies] == [size, size]


def test_a_foreign_host_is_refused(tmp_path, env):
    server = Server(answer_all)
    proxied = reverse(tmp_path, server.url, env)
    for request in (
        POST.replace(b"localhost", b"evil.example"),
        POST.replace(b"Content-Type", b"Origin: http://evil.example\r\nContent-Type"),
    ):
        client = proxied.dial()
        client.send(request)
        assert client.read_until(b"\r\n").startswith(b"HTTP/1.1 403 ")
    assert server.connections == 0
    session = only(proxied.stop())
    assert [event["status"] for event in session.events if event["event"] == "refused"] == [403, 403]


def test_a_server_that_is_down_is_a_502_with_the_reason(tmp_path, env):
    port = free_port()
    proxied = reverse(tmp_path, f"http://127.0.0.1:{port}/mcp", env)
    client = proxied.dial()
    client.send(POST)
    assert client.read_until(b"\r\n").startswith(b"HTTP/1.1 502 ")
    session = only(proxied.stop())
    assert "unreachable" in [event["event"] for event in session.events]
    assert f"mcptest: cannot reach http://127.0.0.1:{port}: " in proxied.errors


def test_a_certificate_that_is_not_trusted_is_refused(tmp_path, env, certificate):
    server = tls_server(certificate, answer_all)
    proxied = reverse(tmp_path, f"https://localhost:{server.port}/mcp", env)
    client = proxied.dial()
    client.send(POST)
    assert client.read_until(b"\r\n").startswith(b"HTTP/1.1 502 ")
    proxied.stop()
    assert "certificate" in proxied.errors.lower()


def test_secrets_do_not_reach_the_disk(tmp_path, env):
    proxied = reverse(tmp_path, Server(answer_all).url, env)
    client = proxied.dial()
    secret = b"Bearer a-bearer-token-of-mine"
    client.send(POST.replace(b"Content-Type", b"Authorization: " + secret + b"\r\nContent-Type"))
    client.read_until(ANSWER)
    session = only(proxied.stop())
    assert b"a-bearer-token-of-mine" not in session.text


def test_nothing_outlives_a_killed_mcptest(tmp_path, env):
    proxied = reverse(tmp_path, Server(answer_all).url, env)
    client = proxied.dial()
    client.send(POST)
    client.read_until(ANSWER)
    proxied.process.kill()
    proxied.process.communicate()
    assert wait_until(lambda: not is_listening(proxied.port))
    assert wait_until(lambda: bool(journals.find(tmp_path / "capture.journals")))
    assert only(proxied.sessions()).of("response-body") == [b"{}"]


# ---- a forward proxy


CLIENT = """
import sys, urllib.request
body, headers = b'{"jsonrpc":"2.0","id":1,"method":"initialize"}', {"Content-Type": "application/json"}
for url in sys.argv[1:]:
    request = urllib.request.Request(url, body, headers)
    print(urllib.request.urlopen(request).read().decode())
"""


def forward(folder: Path, env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MCPTEST, "record", "--forward", *arguments],
        env={**os.environ, "MCPTEST_CAPTURE": str(folder / "capture.duckdb"), "NO_PROXY": "localhost", **env},
        capture_output=True,
        text=True,
        timeout=PATIENCE * 2,
        check=False,
    )


def sessions(folder: Path) -> list[Session]:
    found = []
    for path in journals.find(folder / "capture.journals"):
        assert wait_until(lambda path=path: not journals.is_live(path))
        found.append(Session(path))
    return sorted(found, key=lambda session: session.header["started_at"])


def test_a_clients_traffic_is_recorded_over_http_and_https(tmp_path, env, certificate):
    plain, tls = Server(answer_all), tls_server(certificate, answer_all)
    urls = [f"http://127.0.0.1:{plain.port}/mcp", f"https://localhost:{tls.port}/mcp"]
    env["SSL_CERT_FILE"] = str(certificate / "cert.pem")
    result = forward(tmp_path, env, "--", sys.executable, "-c", CLIENT, *urls)
    assert result.stdout == "{}\n{}\n"
    assert result.returncode == 0
    assert result.stderr == f"mcptest: recorded 2 sessions in {tmp_path / 'capture.duckdb'}\n"
    recorded = sessions(tmp_path)
    assert [session.header["target"]["url"] for session in recorded] == urls
    assert [session.methods for session in recorded] == [["initialize"], ["initialize"]]


def test_a_client_that_does_not_trust_us_is_one_line(tmp_path, env, certificate):
    server = tls_server(certificate, answer_all)
    script = "import ssl, sys, urllib.request as u; u.urlopen(sys.argv[1], context=ssl.create_default_context(cafile=sys.argv[2]))"
    env["SSL_CERT_FILE"] = own = str(certificate / "cert.pem")
    result = forward(tmp_path, env, "--", sys.executable, "-c", script, f"https://localhost:{server.port}/", own)
    assert result.returncode == 1
    assert "mcptest: the client does not trust mcptest's certificate for localhost\n" in result.stderr


def test_only_the_hosts_that_were_named_are_intercepted(tmp_path, env, certificate):
    wanted, other = tls_server(certificate, answer_all), tls_server(certificate, answer_all)
    also = Server(answer_all)
    env["SSL_CERT_FILE"] = str(certificate / "cert.pem")
    urls = [f"https://localhost:{wanted.port}/", f"https://localhost:{other.port}/", f"http://127.0.0.1:{also.port}/"]
    result = forward(tmp_path, env, "--only", f"localhost:{wanted.port}", "--", sys.executable, "-c", CLIENT, *urls)
    assert result.stdout == "{}\n{}\n{}\n"
    assert [session.header["target"]["url"] for session in sessions(tmp_path)] == urls[:1]


@pytest.mark.parametrize(
    ("script", "code"), [("import sys; sys.exit(7)", 7), ("import os; os.kill(os.getpid(), 15)", 143)]
)
def test_the_clients_exit_code_is_passed_on(tmp_path, env, script, code):
    assert forward(tmp_path, env, "--", sys.executable, "-c", script).returncode == code


def test_a_client_that_cannot_be_started_is_one_line(tmp_path, env):
    result = forward(tmp_path, env, "--", "no-such-client")
    assert result.returncode == 3
    assert result.stderr == "mcptest: cannot start 'no-such-client': No such file or directory\n"


def test_a_list_of_authorities_that_cannot_be_read_is_one_line(tmp_path, env):
    result = forward(tmp_path, {**env, "SSL_CERT_FILE": "/no/such/file"}, "--", "true")
    assert result.returncode == 2
    assert result.stderr == "mcptest: SSL_CERT_FILE names a file that cannot be read: /no/such/file\n"


def test_the_authority_is_for_its_user_only_and_can_be_taken_away(tmp_path, env):
    forward(tmp_path, env, "--", "true")
    home = tmp_path / "home" / "mcptest" / "mitmproxy"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "authority").stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "authority" / "mitmproxy-ca.pem").stat().st_mode) == 0o600
    environment = {**os.environ, **env}
    command = [*MCPTEST, "setup", "mitmproxy", "--remove"]
    assert subprocess.check_output(command, env=environment) == b"removed\n"
    assert not home.exists()
    assert subprocess.check_output(command, env=environment) == b"nothing to remove\n"


def test_a_forward_proxy_for_any_client(tmp_path, env):
    server = Server(answer_all)
    port = free_port()
    process = subprocess.Popen(
        [*MCPTEST, "record", "--forward", "--listen", f"127.0.0.1:{port}"],
        env={**os.environ, "MCPTEST_CAPTURE": str(tmp_path / "capture.duckdb"), **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == f"http://127.0.0.1:{port}\n"
    client = Peer(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
    client.send(POST.replace(b"/mcp", server.url.encode()).replace(b"localhost", f"127.0.0.1:{server.port}".encode()))
    client.read_until(ANSWER)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "the client has to trust" in errors
    assert only(sessions(tmp_path)).of("response-body") == [b"{}"]


@pytest.mark.skipif(Path(sys.executable).with_name("mitmdump").exists(), reason="mitmproxy is beside the interpreter")
def test_without_mitmproxy_the_command_that_provides_it_is_named(tmp_path):
    env = {"PATH": "/usr/bin:/bin", "XDG_DATA_HOME": str(tmp_path)}
    result = forward(tmp_path, env, "--", "true")
    assert result.returncode == 2
    assert result.stderr == "mcptest: this needs mitmproxy, which is not installed: run `mcptest setup mitmproxy`\n"


def test_any_mitmproxy_can_record_with_the_addon(tmp_path, env):
    environment = {**os.environ, **env, "MCPTEST_CAPTURE": str(tmp_path / "capture.duckdb")}
    command = [*MCPTEST, "mitm-addon", "--name", "by hand"]
    addon = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()
    server, port = Server(answer_all), free_port()
    mode = f"reverse:http://127.0.0.1:{server.port}"
    mitmdump = subprocess.Popen(
        ["mitmdump", "-q", "-s", addon, "--mode", mode, "--listen-port", str(port), "--set", f"confdir={tmp_path}"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert wait_until(lambda: is_listening(port))
        client = Peer(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
        client.send(POST)
        client.read_until(b"\r\n\r\n{}")
    finally:
        mitmdump.terminate()
        mitmdump.wait(PATIENCE)
    assert wait_until(lambda: bool(journals.find(tmp_path / "capture.journals")))
    session = only(sessions(tmp_path))
    assert session.header["name"] == "by hand"
    assert session.header["target"] == {"url": f"http://127.0.0.1:{server.port}/mcp"}
    assert json.loads(session.of("request-body")[0]) == {}
