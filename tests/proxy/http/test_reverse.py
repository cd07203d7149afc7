"""The built-in engine changes nothing that a client or a server can observe, and records all of it."""

from __future__ import annotations

import json
import os
import queue
import random
import signal
import socket
import ssl
import subprocess
import threading
import time

import pytest

from mcptest.capture import journals
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
    descriptors,
    memory,
)
from tests.proxy.wrapped import MCPTEST, wait_until


@pytest.fixture
def serve(tmp_path):
    """Start a server and the proxy in front of it."""
    running = []

    def start(function, *options, **more):
        server = Server(function)
        proxied = Proxied(tmp_path, server.url, *options, **more)
        running.append((server, proxied))
        return server, proxied

    yield start
    for server, proxied in running:
        server.close()
        proxied.stop(signal.SIGKILL)


def only(sessions):
    (session,) = sessions
    return session


def test_the_address_is_the_only_line_on_stdout(serve):
    _, proxied = serve(answer_all)
    assert proxied.url.startswith("http://127.0.0.1:")
    assert proxied.url.endswith("/mcp")
    client = proxied.dial()
    client.send(POST)
    client.read_until(b"{}")
    proxied.process.send_signal(signal.SIGINT)
    out, err = proxied.process.communicate(timeout=PATIENCE)
    assert out == b""
    assert err.decode() == f"mcptest: recorded 1 session in {proxied.folder / 'capture.duckdb'}\n"
    assert proxied.process.returncode == 0


def test_bytes_pass_as_they_are(serve):
    seen = queue.Queue()
    answers = [
        b"HTTP/1.1 202 Accepted\r\n\r\n",
        b'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate:  Bearer  realm="x", error=y \r\nContent-Length: 0\r\n\r\n',
        b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\ntransfer-encoding: Chunked\r\n\r\n"
        b"3;x=y\r\n\x0b\x01\x80\r\n0\r\nT: v\r\n\r\n",
        b"HTTP/1.0 200 fine\r\nX:y\r\n\r\nuntil the end",
    ]

    def function(peer: Peer) -> None:
        seen.put(peer.read_until(b"{}"))
        peer.send(answers.pop(0))
        peer.close()

    server, proxied = serve(function)
    odd = POST.replace(b"Content-Type:", b"mcp-session-id:  a b \r\nMcp-Param-X: =?base64?eA==?=\r\ncONTENT-tYPE:")
    for expected in tuple(answers):
        client = proxied.dial()
        client.send(odd)
        assert client.read_all() == expected
        assert seen.get(timeout=PATIENCE) == odd.replace(b"localhost", f"127.0.0.1:{server.port}".encode())


def test_an_event_passes_while_its_stream_is_open(serve):
    go_on = queue.Queue()

    def function(peer: Peer) -> None:
        peer.read_until(b"\r\n\r\n")
        peer.send(STREAM)
        while (text := go_on.get()) is not None:
            peer.send(chunk(text))
        peer.send(b"0\r\n\r\n")

    _, proxied = serve(function)
    client = proxied.dial()
    client.send(GET)
    client.read_until(b"\r\n\r\n")
    for text in (b": ping\n\n", b"data: 1\n\n", b"data: 2\n\n"):
        go_on.put(text)
        assert client.read_until(text + b"\r\n")
    go_on.put(None)
    client.read_until(b"0\r\n\r\n")
    assert only(proxied.stop()).of("sse") == [b": ping", b"data: 1", b"data: 2"]


@pytest.mark.parametrize("end", ["close", "reset"])
def test_a_clients_abort_reaches_the_server(serve, end):
    ended = queue.Queue()

    def function(peer: Peer) -> None:
        peer.read_until(b"\r\n\r\n")
        peer.send(STREAM + chunk(b"data: 1\n\n"))
        ended.put(peer.is_over())
        peer.close()

    _, proxied = serve(function)
    client = proxied.dial()
    client.send(GET)
    client.read_until(b"data: 1\n\n\r\n")
    getattr(client, end)()
    assert ended.get(timeout=PATIENCE) == {"close": "closed", "reset": "reset"}[end]
    session = only(proxied.stop())
    closed = next(event for event in session.events if event["event"] == "stream closed")
    assert closed["by"] == "client"


def test_an_abort_is_noticed_even_if_the_server_does_not_read(serve):
    """Nothing is read from the client while the server does not take what it sent before."""
    ended = queue.Queue()

    def function(peer: Peer) -> None:
        peer.read_until(b"\r\n\r\n")
        poll_until_hung_up(peer.sock)
        ended.put(True)

    _, proxied = serve(function)
    client = proxied.dial()
    client.send(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n")
    client.sock.settimeout(0.5)
    with pytest.raises(TimeoutError):
        while True:
            client.send(b"x" * 65536)
    client.reset()
    assert ended.get(timeout=PATIENCE)


def poll_until_hung_up(sock: socket.socket) -> None:
    import select

    poller = select.poll()
    poller.register(sock, 0)
    assert poller.poll(PATIENCE * 1000)


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nConte",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{",
        STREAM + b"5\r\nda",
        STREAM + chunk(b"data: 1\n"),
    ],
)
@pytest.mark.parametrize("how", ["close", "reset"])
def test_a_servers_crash_is_passed_on_as_such(serve, begun, how):
    def function(peer: Peer) -> None:
        peer.read_until(b"{}")
        peer.send(begun)
        if how == "reset":
            proceed.get()
            peer.reset()
        else:
            peer.close()

    proceed = queue.Queue()
    server, proxied = serve(function)
    client = proxied.dial()
    client.send(POST)
    if begun:
        client.read_until(begun)
    proceed.put(True)
    assert client.is_over() == {"close": "closed", "reset": "reset"}[how]
    assert server.connections == 1, "a request was sent twice"
    session = only(proxied.stop())
    ends = [event for event in session.events if event["event"] in ("aborted", "stream closed")]
    assert [event["by"] for event in ends] == ["server"]


def test_what_was_sent_before_a_reset_still_arrives(serve):
    size = 3_000_000

    def function(peer: Peer) -> None:
        peer.read_until(b"\r\n\r\n")
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n" + b"x" * size)
        peer.reset()

    _, proxied = serve(function)
    client = proxied.dial()
    client.send(GET)
    client.read_until(b"\r\n\r\n")
    got = len(client.got)
    with pytest.raises(ConnectionResetError):
        while more := client.sock.recv(65536):
            got += len(more)
    # The server's own kernel may drop what had not left it; what reached the proxy reaches the client.
    assert 0 < got <= size


def test_a_server_that_is_down_is_a_502_with_the_reason(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port = sock.getsockname()[1]
    proxied = Proxied(tmp_path, f"http://127.0.0.1:{port}/mcp")
    for _ in range(2):
        client = proxied.dial()
        client.send(POST)
        answer = client.read_all()
        assert answer.startswith(b"HTTP/1.1 502 Bad Gateway\r\n")
        assert b"Connection refused" in answer
    session = only(proxied.stop())
    assert proxied.errors.splitlines()[0] == f"mcptest: cannot reach http://127.0.0.1:{port}/mcp: Connection refused"
    assert proxied.errors.count("cannot reach") == 1
    assert {"event": "unreachable", "reason": "Connection refused", "x": 1} in session.events


def test_an_unknown_host_is_one_line(tmp_path):
    proxied = Proxied(tmp_path, "http://no-such-host.invalid/mcp")
    client = proxied.dial()
    client.send(POST)
    assert client.read_all().startswith(b"HTTP/1.1 502 ")
    proxied.stop()
    assert "cannot reach http://no-such-host.invalid/mcp: unknown host" in proxied.errors


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (POST.replace(b"localhost", b"evil.example"), b"403"),
        (POST.replace(b"Content-Type", b"Origin: http://evil.example\r\nContent-Type"), b"403"),
        (b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"403"),
        (POST.replace(b"/mcp", b"http://evil.example/"), b"403"),
        (POST.replace(b"Content-Type", b"Transfer-Encoding: chunked\r\nContent-Type"), b"400"),
        (POST.replace(b"Content-Type", b"Content-Length: 3\r\nContent-Type"), b"400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"400"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"505"),
        (b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 70_000, b"431"),
    ],
)
def test_what_is_not_passed_on_never_reaches_the_server(serve, request_, status):
    server, proxied = serve(answer_all)
    client = proxied.dial()
    client.send(request_)
    assert client.read_all().startswith(b"HTTP/1.1 " + status)
    assert server.connections == 0
    session = only(proxied.stop())
    assert str(next(event for event in session.events if event["event"] == "refused")["status"]).encode() == status


def test_a_refusal_never_lands_in_the_middle_of_an_answer(serve):
    def function(peer: Peer) -> None:
        peer.read_until(b"{}")
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        peer.is_over()

    _, proxied = serve(function)
    client = proxied.dial()
    client.send(POST + POST.replace(b"localhost", b"evil.example"))
    with pytest.raises((ConnectionResetError, EOFError)):
        client.read_until(b"evil")
    assert b"403" not in client.got


def test_a_bad_chunk_is_refused_although_its_request_was_begun(serve):
    got = queue.Queue()

    def function(peer: Peer) -> None:
        got.put(peer.read_until(b"\r\n\r\n"))
        got.put(peer.is_over())

    _, proxied = serve(function)
    client = proxied.dial()
    client.send(b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")
    assert got.get(timeout=PATIENCE)
    client.send(b"2\r\n{}}\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert client.read_all().startswith(b"HTTP/1.1 400 ")
    assert got.get(timeout=PATIENCE) == "reset"


def test_a_client_that_ends_its_side_still_gets_its_answer(serve):
    def function(peer: Peer) -> None:
        request = peer.read_until(b"{}")
        assert peer.sock.recv(1) == b""
        peer.send(ANSWER if request else b"")
        peer.close()

    _, proxied = serve(function)
    client = proxied.dial()
    client.send(POST)
    client.sock.shutdown(socket.SHUT_WR)
    assert client.read_all() == ANSWER
    assert only(proxied.stop()).of("response-body") == [b"{}"]


def test_a_client_that_waits_to_be_told_to_go_on_is(serve):
    def function(peer: Peer) -> None:
        peer.read_until(b"\r\n\r\n")
        peer.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        peer.read_until(b"{}")
        peer.send(ANSWER)

    _, proxied = serve(function)
    client = proxied.dial()
    client.send(POST.replace(b"Content-Type", b"Expect: 100-continue\r\nContent-Type")[:-2])
    client.read_until(b"100 Continue\r\n\r\n")
    client.send(b"{}")
    client.read_until(b"\r\n\r\n{}")
    assert only(proxied.stop()).of("response")[0] == b"HTTP/1.1 100 Continue"


def test_pipelined_requests_are_answered_in_order(serve):
    def function(peer: Peer) -> None:
        for number in range(5):
            peer.read_until(b"{}")
            peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n%d" % number)

    _, proxied = serve(function)
    client = proxied.dial()
    client.send(POST * 5)
    for number in range(5):
        assert client.read_until(b"\r\n\r\n%d" % number)
    assert only(proxied.stop()).of("response-body") == [b"0", b"1", b"2", b"3", b"4"]


def test_large_bodies_pass_in_bounded_memory(serve):
    """Both ways at once, to a server and a client that take their time."""
    size, block = 64 << 20, b"x" * (1 << 20)
    received = queue.Queue()

    def function(peer: Peer) -> None:
        peer.read_until(b"\r\n\r\n")
        sender = threading.Thread(target=lambda: [peer.send(block) for _ in range(size >> 20)], daemon=True)
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % size)
        sender.start()
        received.put(peer.read_exactly(size))
        sender.join()

    _, proxied = serve(function)
    client = proxied.dial()
    client.send(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % size)
    client.read_until(b"\r\n\r\n")
    highest = 0.0
    for _ in range(size >> 20):
        client.send(block)
        highest = max(highest, memory(proxied.process.pid, proxied.recorder()))
    client.read_exactly(size)
    assert received.get(timeout=PATIENCE) == size
    assert highest < 250
    session = only(proxied.stop())
    for frame in session.frames:
        if frame.channel in (7, 9):
            assert json.loads(frame.meta) == {"x": 1, "c": 1, "size": size, "cut": True}
    assert len(session.text) < 1 << 20


def open_and_abort(proxied: Proxied, count: int, chance: random.Random) -> None:
    for _ in range(count):
        client = proxied.dial()
        client.send(GET.replace(b"Accept", b"Mcp-Session-Id: abc\r\nAccept"))
        if chance.random() < 0.8:
            client.read_until(b"\n\n")
        (client.reset if chance.random() < 0.5 else client.close)()


def streaming(peer: Peer) -> None:
    peer.read_until(b"\r\n\r\n")
    peer.send(STREAM + chunk(b"data: 1\n\n"))
    peer.is_over()
    peer.close()


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.full)])
def test_aborted_streams_leave_nothing_behind(serve, count):
    _, proxied = serve(streaming)
    chance = random.Random(5)
    open_and_abort(proxied, 100, chance)
    pids = proxied.process.pid, proxied.recorder()

    def settled() -> list[int]:
        counts: list[int] = []

        def still() -> bool:
            counts.append(descriptors(pids[0]) + descriptors(pids[1]))
            return len(counts) > 20 and len(set(counts[-20:])) == 1

        assert wait_until(still)
        return [descriptors(pid) for pid in pids]

    before, used = settled(), memory(*pids)
    open_and_abort(proxied, count, chance)
    assert settled() == before
    assert memory(*pids) < used + 15
    session = only(proxied.stop())
    assert len(session.of("request")) == count + 100


@pytest.mark.parametrize(
    ("streams", "events", "pause"), [(40, 25, 0.0), pytest.param(256, 60, 1.0, marks=pytest.mark.full)]
)
def test_many_streams_lose_and_reorder_nothing(serve, streams, events, pause):
    def function(peer: Peer) -> None:
        peer.read_until(b"\r\n\r\n")
        peer.send(STREAM)
        for number in range(events):
            time.sleep(pause)
            peer.send(chunk(b"data: %d\n\n" % number))
        peer.send(b"0\r\n\r\n")

    _, proxied = serve(function)
    clients = [proxied.dial() for _ in range(streams)]
    for client in clients:
        client.send(GET)
    for client in clients:
        body = client.read_until(b"0\r\n\r\n").partition(b"\r\n\r\n")[2]
        assert body == b"".join(chunk(b"data: %d\n\n" % number) for number in range(events)) + b"0\r\n\r\n"
    recorded: dict[tuple[str, int], list[bytes]] = {}
    for session in proxied.stop():
        for frame in session.frames:
            if frame.channel == 10:
                recorded.setdefault((session.path.name, session.meta(frame)["x"]), []).append(frame.data)
    assert len(recorded) == streams
    assert all(found == [b"data: %d" % number for number in range(events)] for found in recorded.values())


@pytest.mark.parametrize("kills", [3, pytest.param(60, marks=pytest.mark.full)])
def test_all_that_was_forwarded_before_a_kill_is_recorded(tmp_path, kills):
    chance = random.Random(3)
    server = Server(answer_all)
    for count in range(kills):
        folder = tmp_path / str(count)
        proxied = Proxied(folder, server.url)
        clients = [proxied.dial() for _ in range(4)]
        clients[0].send(POST)
        clients[0].read_until(ANSWER)
        assert wait_until(lambda folder=folder: bool(journals.find(folder / "capture.journals")))
        moment = time.monotonic() + 0.2 + chance.random() * 0.3
        done: list[tuple[float, int]] = []
        number = 0
        while time.monotonic() < moment or number < 50:
            client = clients[number % 4]
            body = b'{"number":%d}' % number
            client.send(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
            client.read_until(ANSWER)
            done.append((time.monotonic(), number))
            number += 1
        killed = time.monotonic()
        os.killpg(proxied.process.pid, signal.SIGKILL) if count % 2 else proxied.process.kill()
        proxied.process.wait(PATIENCE)
        certain = {number for at, number in done if at < killed - 0.05}
        kept = set()
        for path in journals.find(folder / "capture.journals"):
            assert wait_until(lambda path=path: not journals.is_live(path))
            for stretch in journals.read(path):
                assert all(damage.torn for damage in stretch.damage)
                kept |= {json.loads(frame.data).get("number") for frame in stretch.frames if frame.channel == 7}
        assert certain
        assert not certain - kept
        proxied.process.communicate()


def test_a_killed_recorder_is_one_line_and_traffic_goes_on(serve):
    _, proxied = serve(answer_all)
    client = proxied.dial()
    client.send(POST)
    client.read_until(ANSWER)
    os.kill(proxied.recorder(), signal.SIGKILL)
    for _ in range(50):
        client.send(POST)
        client.read_until(ANSWER)
    proxied.process.send_signal(signal.SIGTERM)
    _, errors = proxied.process.communicate(timeout=PATIENCE)
    assert b"mcptest: the recorder ended early: traffic goes on unrecorded\n" in errors


def test_a_capture_that_cannot_be_written_is_one_line_and_traffic_goes_on(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    server = Server(answer_all)
    proxied = Proxied(tmp_path, server.url, "--capture", str(blocked / "capture.duckdb"))
    client = proxied.dial()
    client.send(POST)
    client.read_until(ANSWER)
    proxied.stop()
    assert proxied.errors.startswith("mcptest: not recording: ")


def test_a_port_that_is_in_use_is_one_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as sock:
        address = f"127.0.0.1:{sock.getsockname()[1]}"
        result = subprocess.run(
            [*MCPTEST, "record", "--url", "http://127.0.0.1:9/mcp", "--listen", address],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == f"mcptest: --listen: {address} is in use: stop what listens there or choose another port\n"


def test_listening_to_the_network_is_warned_of(tmp_path):
    server = Server(answer_all)
    proxied = Proxied(tmp_path, server.url, "--listen", "0.0.0.0:0")
    proxied.stop()
    assert proxied.errors.startswith("mcptest: listening on 0.0.0.0: whoever can reach this machine can use the server")


# ---- TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    )
    subprocess.run(
        [*command.split(), "-keyout", "key.pem", "-out", "cert.pem"], cwd=folder, check=True, capture_output=True
    )
    return folder


def tls_server(certificate, serve) -> Server:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")

    def function(peer: Peer) -> None:
        serve(Peer(context.wrap_socket(peer.sock, server_side=True)))

    return Server(function)


def test_a_server_is_verified_by_what_the_system_trusts(tmp_path, certificate):
    server = tls_server(certificate, answer_all)
    proxied = Proxied(
        tmp_path, f"https://localhost:{server.port}/mcp", env={"SSL_CERT_FILE": str(certificate / "cert.pem")}
    )
    client = proxied.dial()
    for _ in range(3):
        client.send(POST)
        client.read_until(ANSWER)
    client.close()
    assert len(only(proxied.stop()).of("response-body")) == 3


def test_a_certificate_that_is_not_trusted_is_one_line(tmp_path, certificate):
    served = []
    server = tls_server(certificate, served.append)
    proxied = Proxied(tmp_path, f"https://localhost:{server.port}/mcp")
    client = proxied.dial()
    client.send(POST)
    answer = client.read_all()
    assert answer.startswith(b"HTTP/1.1 502 ")
    assert b"its certificate is not trusted: self-signed certificate" in answer
    proxied.stop()
    assert "its certificate is not trusted: self-signed certificate" in proxied.errors
    assert served == []


def test_a_clients_abort_reaches_a_server_behind_tls(tmp_path, certificate):
    ended = queue.Queue()

    def function(peer: Peer) -> None:
        peer.read_until(b"\r\n\r\n")
        peer.send(STREAM + chunk(b"data: 1\n\n"))
        ended.put(peer.is_over())

    server = tls_server(certificate, function)
    proxied = Proxied(
        tmp_path, f"https://localhost:{server.port}/mcp", env={"SSL_CERT_FILE": str(certificate / "cert.pem")}
    )
    client = proxied.dial()
    client.send(GET)
    client.read_until(b"data: 1\n\n")
    client.close()
    assert ended.get(timeout=PATIENCE)
    proxied.stop()
