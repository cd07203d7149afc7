"""`mcptest record` with mitmproxy: start it with our addon, wait for the client or for a signal, and end it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from typing import IO

from mcptest.capture.place import make_private_folder
from mcptest.errors import McptestError, TargetError
from mcptest.proxy.http.address import Listen, parse_listen, parse_url
from mcptest.proxy.http.control import Desk, Status
from mcptest.proxy.http.mitm import home
from mcptest.proxy.http.options import HttpOptions
from mcptest.proxy.http.reverse import bind
from mcptest.proxy.options import Options

_READY = 60.0  # mitmproxy takes its time, and makes a certificate authority when it first runs
_END = 5.0
_LAST_WRITES = 5.0
_ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
_PROXY = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
_TRUST = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "DENO_CERT")


def run_mitmproxy(options: Options, http: HttpOptions, desk: Desk) -> int:
    mitmdump = home.need_mitmdump()
    listen = _free(parse_listen(http.listen))
    make_private_folder(home.authority())
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    with tempfile.TemporaryFile() as log:
        process, status, lifeline = _start(mitmdump, listen, options, http, desk, log)
        try:
            _wait_ready(process, status, log)
            if not listen.is_loopback:
                desk.say(f"listening on {listen.host}: whoever can reach this machine can use it as a proxy")
            if http.command:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
                code = _run_client(http.command, listen)
                if process.poll() is not None:
                    desk.say(f"mitmproxy ended before the client: {_last_line(process, log)}")
                return code
            _announce(listen, http, desk)
            return _wait_for_signal(process, status, log)
        finally:
            os.close(lifeline)
            _stop(process)
            if status.address is not None:
                status.wait_done(_LAST_WRITES)


def _free(listen: Listen) -> Listen:
    """The address, checked to be free: mitmproxy would say that less clearly."""
    sock, found = bind(listen)
    sock.close()
    return found


def _start(
    mitmdump: str, listen: Listen, options: Options, http: HttpOptions, desk: Desk, log: IO[bytes]
) -> tuple[subprocess.Popen[bytes], Status, int]:
    status_reader, status_writer = os.pipe()
    lifeline_reader, lifeline_writer = os.pipe()
    settings: dict[str, object] = {
        "python": sys.executable,
        "options": recording(options, http.url),
        "status": status_writer,
        "lifeline": lifeline_reader,
        "only": http.only,
    }
    mode = "regular"
    if http.url is not None:
        upstream = parse_url(http.url)
        scheme = "https" if upstream.tls else "http"
        host = f"[{upstream.host}]" if ":" in upstream.host else upstream.host
        mode = f"reverse:{scheme}://{host}:{upstream.port}"
        settings |= {"upstream": upstream.authority, "listen": listen.host}
    process = subprocess.Popen(
        [
            *(mitmdump, "-q", "-s", str(home.addon()), "--mode", mode),
            *("--listen-host", listen.host, "--listen-port", str(listen.port)),
            *_settings(http.only),
        ],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        pass_fds=(status_writer, lifeline_reader),
        env={**os.environ, "MCPTEST_MITMPROXY": json.dumps(settings)},
        start_new_session=True,  # Ctrl-C is for the client first
    )
    os.close(status_writer)
    os.close(lifeline_reader)
    return process, Status(status_reader, desk), lifeline_writer


def recording(options: Options, url: str | None) -> dict[str, object]:
    """What the recorder has to know, as JSON."""
    return {
        "capture": options.capture,
        "name": options.name,
        "redact": options.redact,
        "keys": options.redact_keys,
        "url": url or "",
    }


def _settings(only: tuple[str, ...]) -> list[str]:
    values = {
        "confdir": str(home.authority()),
        "connection_strategy": "lazy",  # otherwise a server that is down leaves no trace
        "keep_host_header": "true",  # the addon checks it, and puts the server's name there
        "flow_detail": "0",
        "termlog_verbosity": "error",
    }
    trusted = home.system_authorities()
    if trusted is not None:
        values["ssl_verify_upstream_trusted_ca"] = str(trusted)
    words = [word for name, value in values.items() for word in ("--set", f"{name}={value}")]
    for host in only:
        words += ["--allow-hosts", _pattern(host)]
    return words


def _pattern(host: str) -> str:
    """What mitmproxy compares with `host:port`."""
    name, colon, port = host.partition(":")
    pattern = r"(.+\.)" + re.escape(name[2:]) if name.startswith("*.") else re.escape(name)
    return f"^{pattern}:{port if colon else '[0-9]+'}$"


def _wait_ready(process: subprocess.Popen[bytes], status: Status, log: IO[bytes]) -> None:
    if not status.wait(lambda: status.address is not None, _READY):
        raise McptestError(f"mitmproxy did not start: {_last_line(process, log)}")


def _last_line(process: subprocess.Popen[bytes], log: IO[bytes]) -> str:
    log.seek(0)
    lines = log.read()[-4096:].decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else f"exit code {process.poll()}"


def _announce(listen: Listen, http: HttpOptions, desk: Desk) -> None:
    if http.url is not None:
        desk.ready(listen.url(parse_url(http.url).target))
        return
    desk.say(f"for https, the client has to trust {home.certificate()}")
    desk.ready(listen.url(""))


def _wait_for_signal(process: subprocess.Popen[bytes], status: Status, log: IO[bytes]) -> int:
    while True:
        if signal.sigtimedwait(_ENDING, 0.25) is not None:
            return 0
        status.read()
        if process.poll() is not None:
            raise McptestError(f"mitmproxy ended: {_last_line(process, log)}")


def _run_client(command: tuple[str, ...], listen: Listen) -> int:
    """The client with our proxy and our authority in its environment; its exit code."""
    environment = client_environment(listen)
    try:
        client = subprocess.Popen(command, env=environment)
    except OSError as error:
        raise TargetError(f"cannot start {command[0]!r}: {error.strerror}") from error
    for signum in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, lambda signum, _: client.send_signal(signum))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to the client as well, which decides
    code = client.wait()
    return code if code >= 0 else 128 - code


def client_environment(listen: Listen) -> dict[str, str]:
    bundle = str(home.write_bundle())
    return {
        **os.environ,
        **dict.fromkeys(_PROXY, listen.url("")),
        **dict.fromkeys(_TRUST, bundle),
        "NO_PROXY": "",  # servers on this machine are recorded, too
        "no_proxy": "",
        "NODE_USE_ENV_PROXY": "1",
    }


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
