"""What mcptest itself can do wrong, or refuse; a peer's faults are data and never raise.

Exit codes are part of the interface: 0 fine, 1 findings, 2 bad use or bad input, 3 the target could not be
reached or died, 4 our own fault, 5 refused by the safety policy.
"""

EXIT_FINE = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_TARGET = 3
EXIT_FAULT = 4
EXIT_REFUSED = 5


class McptestError(Exception):
    """One line for the user: what is wrong, where, and what to do next."""

    exit_code = EXIT_FAULT


class UsageError(McptestError):
    """The command was used wrongly or was given something it cannot read."""

    exit_code = EXIT_USAGE


class CaptureError(McptestError):
    """A capture, journal or export is missing, foreign, newer than this program, or damaged."""

    exit_code = EXIT_USAGE


class TargetError(McptestError):
    """The server under test could not be started or reached, or died."""

    exit_code = EXIT_TARGET
