"""Run a query in its sandbox and write the rows where they were asked for."""

from __future__ import annotations

import sys
from pathlib import Path

from mcptest.capture import Place, sandbox
from mcptest.cli import output, tables
from mcptest.cli.options import warn
from mcptest.cli.terminal import columns_of
from mcptest.errors import UsageError

# The tables that users see, in the order in which they were made.
SCHEMA = """
SELECT table_name AS "table", column_name AS "column", data_type AS "type"
FROM duckdb_columns()
WHERE database_name = 'memory' AND schema_name = 'main'
ORDER BY table_oid, column_index
"""


def answer(
    place: Place,
    sql: str,
    session: str | None,
    form: str,
    target: str | None,
    *,
    force: bool,
    limits: sandbox.Limits,
) -> None:
    if form == "parquet":
        if target is None or target == output.STDOUT:
            raise UsageError("parquet is no text: give a file with -o FILE")
        with output.new_file(Path(target), force=force) as aside:
            warn(sandbox.write_parquet(place, sql, aside, session=session, limits=limits))
        return
    with (
        sandbox.query(place, sql, session=session, limits=limits) as rows,
        output.opened(target, force=force) as sink,
    ):
        warn(rows.problems)
        tables.WRITERS[form](rows.columns, rows, sink, columns_of(sys.stdout) if sink.terminal else None)
