"""The client launches the server and talks to it over its stdin and stdout.

The specification states this as a fact, and whoever records stdio stands in the server's place. So all there is to
say is whether the capture shows the launch.
"""

from mcptest.compliance.kit import History, Remarks, info, sessions

ID = "TRANSPORT-STDIO-004"
ON = sessions


def check(history: History) -> Remarks:
    if history.event("spawn") is None:
        yield info("The capture does not show that the server was launched")
