"""`mcptest record --url`: the built-in engine from start to end."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from mcptest.errors import UsageError
from mcptest.proxy.http.address import Listen, Upstream, parse_listen, parse_url
from mcptest.proxy.http.control import ENDED_EARLY, NEWS, Desk, Status
from mcptest.proxy.http.local import local_names
from mcptest.proxy.http.options import BUILT_IN, HttpOptions
from mcptest.proxy.http.relay import Relay
from mcptest.proxy.http.requests import Heads
from mcptest.proxy.link import Link, Pulse, open_pipe
from mcptest.proxy.options import Options

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_BACKLOG = 1024
_FINISH = 2.0  # for the recorder to take the last bytes
_LAST_WRITES = 5.0  # and to have them on disk


def run_reverse(options: Options, http: HttpOptions, desk: Desk) -> int:
    """Stand in front of a server until a signal ends it; returns the exit code."""
    assert http.url is not None
    upstream, listen = parse_url(http.url), parse_listen(http.listen)
    sock, listen = bind(listen)
    _allow_many_files()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, set(_ENDING))
    link, status = _start_recorder(upstream, options, mask, desk)
    try:
        asyncio.run(_serve(upstream, listen, sock, link, status, mask, desk))
    finally:
        _finish(link, status, desk)
    return 0


def bind(listen: Listen) -> tuple[socket.socket, Listen]:
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((listen.host, listen.port))
        sock.listen(_BACKLOG)
    except OSError as error:
        sock.close()
        where = f"{listen.host}:{listen.port}"
        if error.errno == errno.EADDRINUSE:
            raise UsageError(f"--listen: {where} is in use: stop what listens there or choose another port") from error
        raise UsageError(f"--listen: cannot listen on {where}: {error.strerror}") from error
    return sock, Listen(listen.host, sock.getsockname()[1])


def _start_recorder(
    upstream: Upstream, options: Options, mask: set[int | signal.Signals], desk: Desk
) -> tuple[Link, Status]:
    pulse = Pulse()
    link_reader, link_writer = open_pipe()
    status_reader, status_writer = os.pipe()
    if os.fork() == 0:
        try:
            from mcptest.proxy.recorder import Recorder, serve, tell

            def start(complain: Callable[[str], None]) -> Recorder:
                from mcptest.proxy.http.recorder import HttpRecorder

                def report(news: dict[str, int]) -> None:
                    tell(status_writer, NEWS, json.dumps(news).encode())

                return HttpRecorder(options, upstream.url, BUILT_IN, pulse, complain, report)

            serve(link_reader, status_writer, start, mask)
        finally:
            os._exit(0)
    os.close(link_reader)
    os.close(status_writer)
    return Link(link_writer, pulse), Status(status_reader, desk)


async def _serve(
    upstream: Upstream,
    listen: Listen,
    sock: socket.socket,
    link: Link,
    status: Status,
    mask: set[int | signal.Signals],
    desk: Desk,
) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: _report(context, desk))
    stop = asyncio.Event()
    for signum in _ENDING:
        loop.add_signal_handler(signum, stop.set)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    relay = Relay(upstream, Heads(upstream.authority.encode(), local_names(listen.host)), link, desk.say)
    server = await loop.create_server(relay.accept, sock=sock)
    loop.add_reader(status.descriptor, _read_status, loop, status, desk)
    if not listen.is_loopback:
        desk.say(f"listening on {listen.host}: whoever can reach this machine can use the server through it")
    desk.ready(listen.url(upstream.target))
    watch = loop.create_task(relay.watch_unread())
    try:
        await stop.wait()
    finally:
        loop.remove_reader(status.descriptor)
        watch.cancel()
        server.close()
        relay.close()
        await asyncio.sleep(0)  # the connections learn of their end, and note it
    for signum in _ENDING:
        loop.remove_signal_handler(signum)


def _read_status(loop: asyncio.AbstractEventLoop, status: Status, desk: Desk) -> None:
    if not status.read():
        loop.remove_reader(status.descriptor)
        desk.say(ENDED_EARLY)


def _report(context: dict[str, Any], desk: Desk) -> None:
    error = context.get("exception")
    if not isinstance(error, OSError):
        desk.say(f"a connection failed here: {error or context.get('message')}")


def _allow_many_files() -> None:
    """Each client's connection takes two descriptors, and each session one."""
    with suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _finish(link: Link, status: Status, desk: Desk) -> None:
    link.finish(_FINISH)
    if status.wait_done(_LAST_WRITES) and link.dropped_frames:
        desk.say("the disk made no progress for a while: some traffic is not recorded (see the gaps)")
