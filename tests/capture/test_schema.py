from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from mcptest.capture import VIEWS, Summary
from mcptest.capture.schema import TABLES, bare, create_tables, create_views
from mcptest.wire import Exchange
from mcptest.wire.catalogue import Listed
from mcptest.wire.http import HttpRow
from mcptest.wire.rows import DamageRow, ErrorRow, FrameRow, GapRow, MessageRow

DOCS = Path(__file__).parents[2] / "docs" / "capture.md"


@pytest.fixture(scope="module")
def columns() -> dict[str, list[tuple[str, str]]]:
    with duckdb.connect() as connection:
        for statement in create_tables("data") + create_views("main", "data"):
            connection.execute(statement)
        return {view: [row[:2] for row in connection.execute(f"DESCRIBE {view}").fetchall()] for view in VIEWS}


def test_every_column_is_documented_in_order_with_its_type(columns):
    documented = {}
    for section in DOCS.read_text(encoding="utf-8").split("\n## ")[1:]:
        rows = re.findall(r"^\| `(\w+)` \| ([A-Z ]+) \| ?.*\|$", section, re.MULTILINE)
        documented[section.split("\n")[0]] = rows
    assert documented == columns


def test_a_summary_is_a_row_of_sessions(columns):
    assert set(Summary._fields) == {name for name, _ in columns["sessions"]}


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("frames", FrameRow),
        ("messages", MessageRow),
        ("exchanges", Exchange),
        ("errors", ErrorRow),
        ("gaps", GapRow),
        ("damage", DamageRow),
        ("items", Listed),
        ("http", HttpRow),
    ],
)
def test_a_table_has_the_fields_of_its_rows(table, row):
    fields = ["lag" if field == "mono" else field for field in row._fields]
    assert list(TABLES[table]) == ["session", *fields]


def test_compression_is_no_part_of_a_type():
    assert bare(TABLES["messages"]["raw"]) == "VARCHAR"
