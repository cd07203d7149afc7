"""Print the path of an addon that records what passes through a mitmproxy of your own.

mitmdump -s "$(mcptest mitm-addon)"
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mcptest.cli.options import CaptureOption


def run(
    capture: CaptureOption = None,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="A name for the sessions.")] = None,
    no_redact: Annotated[bool, typer.Option("--no-redact", help="Keep secrets as they are.")] = False,
) -> None:
    from mcptest.proxy import Options
    from mcptest.proxy.http.mitm import recording, write_loader

    options = Options(str(capture) if capture else None, name, not no_redact)
    print(write_loader({"python": sys.executable, "options": recording(options, None)}))
