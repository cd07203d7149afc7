"""Print the JSON Schema of suites, so that editors complete and check them.

Write it into a file, and name that in the first line of a suite:

    mcptest schema -o suite.schema.json

    # yaml-language-server: $schema=suite.schema.json
"""

from __future__ import annotations

import json

from mcptest.cli import output as outputs
from mcptest.cli.options import ForceOption, OutputOption


def run(output: OutputOption = None, force: ForceOption = False) -> None:
    from mcptest import suites

    with outputs.opened(output, force=force) as sink:
        sink.write(json.dumps(suites.schema(), indent=2, ensure_ascii=False) + "\n")
