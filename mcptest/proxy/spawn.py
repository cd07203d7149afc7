"""Start the server as its client would have started it."""

import errno
import os
import signal


class Server:
    """The started process and our ends of its standard streams."""

    __slots__ = ("pid", "stderr", "stdin", "stdout")

    def __init__(self, pid: int, stdin: int, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr


def spawn(command: list[str], mask: "set[int | signal.Signals]") -> Server:
    """Fork and exec, with this signal mask. OSError if the command cannot be started."""
    server_in, to_server = os.pipe()
    from_server, server_out = os.pipe()
    errors_from_server, server_err = os.pipe()
    failure, report = os.pipe()
    pid = os.fork()  # not posix_spawn, which leaves traces in the server: ignored signals
    if pid == 0:
        try:
            for number, stream in enumerate((server_in, server_out, server_err)):
                os.dup2(stream, number)
            for signum in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these; the server must not inherit that
                signal.signal(signum, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            os.execvpe(command[0], command, _environment())
        except OSError as error:
            os.write(report, b"%d" % (error.errno or 0))
        except ValueError:  # a name that no command can have: empty
            os.write(report, b"%d" % errno.ENOENT)
        finally:
            os._exit(127)
    for descriptor in (server_in, server_out, server_err, report):
        os.close(descriptor)
    reason = os.read(failure, 16)
    os.close(failure)
    if reason:
        os.waitpid(pid, 0)
        raise OSError(int(reason), os.strerror(int(reason)))
    return Server(pid, to_server, from_server, errors_from_server)


def _environment() -> dict[str, str]:
    """The environment as it was given to us: in the C locale, Python adds LC_CTYPE of its own accord."""
    environ = dict(os.environ)
    if environ.get("LC_CTYPE") == "C.UTF-8":
        try:
            with open("/proc/self/environ", "rb") as file:
                if not any(entry.startswith(b"LC_CTYPE=") for entry in file.read().split(b"\0")):
                    del environ["LC_CTYPE"]
        except OSError:
            pass
    return environ


def keep_standard_streams() -> None:
    """A closed standard stream must not be taken by one of our own pipes."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
