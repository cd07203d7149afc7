"""Set up, or take away, what mcptest can use but does not bring along."""

from __future__ import annotations

import sys
from typing import Annotated

import typer


def mitmproxy(
    remove: Annotated[
        bool, typer.Option("--remove", help="Take it away again, with the certificate authority that it made.")
    ] = False,
) -> None:
    """Install mitmproxy into an environment of its own, for `mcptest record --forward`."""
    from mcptest.proxy.http.mitm import find_mitmdump, install
    from mcptest.proxy.http.mitm import remove as take_away

    if remove:
        print("removed" if take_away() else "nothing to remove")
        return
    found = find_mitmdump()
    if found:
        print(f"mitmproxy is there: {found}")
        return
    print("installing mitmproxy, which takes a while", file=sys.stderr)
    print(f"installed: {install()}")


COMMANDS = [mitmproxy]
