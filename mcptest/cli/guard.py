"""The one place where a command's failure becomes a line on stderr and an exit code.

Our own refusals and bad input are McptestErrors and know their code. Wrong use of the command line is 2. A reader
that goes away (`| head`) ends the command quietly, as the signal would. Anything else is our fault: 4.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

from mcptest.cli.terminal import escape
from mcptest.errors import EXIT_FAULT, EXIT_FINE, EXIT_USAGE, McptestError

DEBUG = "MCPTEST_DEBUG"
_COMPLETION = "_MCPTEST_COMPLETE"  # set by the shell when it asks for completions
_READER_GONE = 128 + 13  # as if SIGPIPE had ended us
_INTERRUPTED = 128 + 2


def guarded(arguments: Sequence[str] | None) -> int:
    _occupy_standard_descriptors()
    try:
        code = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_stdout()
        return _READER_GONE
    except KeyboardInterrupt:
        _abandon_stdout()
        return _INTERRUPTED
    except McptestError as error:
        complain(str(error))
        code = error.exit_code
    except OSError as error:
        if os.environ.get(DEBUG):
            raise
        complain(_system_error(error))
        code = EXIT_FAULT
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        complain(f"internal error: {type(error).__name__}: {error} (run with {DEBUG}=1 for the traceback)")
        code = EXIT_FAULT
    return _flushed(code)


def complain(text: str) -> None:
    """One line on stderr, whatever the text holds."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _abandon_stdout()
    line = escape(" ".join(text.split()))
    try:
        print(f"mcptest: {line}", file=sys.stderr, flush=True)
    except OSError:
        pass  # nobody listens


def _run(arguments: list[str]) -> int:
    import typer

    from mcptest.cli.application import build, command_names

    # "-- and a blank" begins a comment of SQL, never an option.
    arguments = [f" {one}" if one[:2] == "--" and one[2:3].isspace() else one for one in arguments] or ["--help"]
    completing = _COMPLETION in os.environ
    known = not completing and arguments[0] in command_names()
    command = typer.main.get_command(build(only=arguments[0] if known else None))
    if completing:
        command.main(args=arguments, prog_name="mcptest")
    try:
        with command.make_context("mcptest", arguments) as context:
            code = command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.TyperException as error:
        complain(_usage(error))
        return EXIT_USAGE
    return code if isinstance(code, int) else EXIT_FINE


def _usage(error: Exception) -> str:
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    message = message[:1].lower() + message[1:].rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "mcptest"
    return f"{message} (see {path} --help)"


def _system_error(error: OSError) -> str:
    what = error.strerror or str(error)
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {what}"
    if error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EBADF):
        return f"cannot write the output: {what}"
    return what


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_stdout()
    except OSError as error:
        _abandon_stdout()
        complain(_system_error(error))
        return code or EXIT_FAULT
    return code


def _abandon_stdout() -> None:
    """What is still buffered has nowhere to go: without this, Python would complain about it at exit."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError, AttributeError):
        pass


def _occupy_standard_descriptors() -> None:
    """Started with stdout closed, the next file opened would take its number, and our output would go into it."""
    while True:
        descriptor = os.open(os.devnull, os.O_RDWR)
        if descriptor > 2:
            os.close(descriptor)
            break
        os.set_inheritable(descriptor, True)
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
