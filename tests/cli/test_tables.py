from __future__ import annotations

import csv
import io
import json

import pytest

from mcptest.capture.sandbox import BOOLEAN, JSON, NUMBER, Column
from mcptest.cli import tables
from mcptest.cli.output import Sink

COLUMNS = [Column("tool"), Column("calls", NUMBER), Column("ok", BOOLEAN), Column("arguments", JSON)]
ROWS = [["add", "12", "true", '{"a": 1}'], ["weather", "3.5", "false", None]]


def write(form: str, columns: list[Column], rows: object, *, terminal: bool = False, width: int | None = None) -> str:
    file = io.BytesIO()
    tables.WRITERS[form](columns, rows, Sink(file, terminal=terminal), width)  # type: ignore[arg-type]
    return file.getvalue().decode("utf-8")


def test_a_table_aligns_its_columns_numbers_to_the_right() -> None:
    assert write("table", COLUMNS, ROWS).splitlines() == [
        "tool     calls  ok     arguments",
        "───────  ─────  ─────  ─────────",
        'add         12  true   {"a": 1}',
        "weather    3.5  false",
    ]


def test_a_table_on_a_terminal_is_not_wider_than_it() -> None:
    columns = [Column("a"), Column("b"), Column("n", NUMBER)]
    lines = write("table", columns, [["x" * 200, "y" * 20, "7"]], terminal=True, width=60).splitlines()
    assert [len(line) for line in lines] == [60, 60, 60]
    assert lines[2].count("…") == 1  # only the widest column gives way
    assert lines[2].endswith("7")


def test_a_table_in_a_pipe_is_not_cut() -> None:
    assert "x" * 200 in write("table", [Column("a")], [["x" * 200]])


def test_a_table_goes_on_behind_the_rows_that_decided_its_widths() -> None:
    rows = ([str(number)] for number in range(3000))
    lines = write("table", [Column("n", NUMBER)], rows).splitlines()
    assert len(lines) == 3002
    assert lines[-1] == "2999"


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_captured_text_in_cells_and_names_is_escaped(form: str) -> None:
    written = write(form, [Column("\x1b[31m")], [["a\nb\x9b\u202e"]])
    assert "\x1b" not in written
    assert "\x9b" not in written
    assert "\u202e" not in written
    assert len(written.splitlines()) == 3


def test_json_is_one_array_of_row_objects() -> None:
    assert json.loads(write("json", COLUMNS, ROWS)) == [
        {"tool": "add", "calls": 12, "ok": True, "arguments": {"a": 1}},
        {"tool": "weather", "calls": 3.5, "ok": False, "arguments": None},
    ]


def test_json_without_rows_is_an_empty_array() -> None:
    assert json.loads(write("json", COLUMNS, [])) == []


def test_numbers_keep_their_digits_in_json() -> None:
    written = write("json", [Column("n", NUMBER)], [["170141183460469231731687303715884105727"], ["1.50"]])
    assert "170141183460469231731687303715884105727" in written
    assert "1.50" in written


@pytest.mark.parametrize("text", ["nan", "inf", "-inf"])
def test_what_is_no_number_in_json_is_null(text: str) -> None:
    assert json.loads(write("json", [Column("n", NUMBER)], [[text]])) == [{"n": None}]


def test_a_document_that_is_no_json_stays_text() -> None:
    assert json.loads(write("json", [Column("d", JSON)], [["{broken"]])) == [{"d": "{broken"}]


def test_columns_of_the_same_name_all_arrive_in_json() -> None:
    columns = [Column("a", NUMBER), Column("a", NUMBER), Column("a_1", NUMBER)]
    assert json.loads(write("json", columns, [["1", "2", "3"]])) == [{"a": 1, "a_2": 2, "a_1": 3}]


def test_json_on_a_terminal_is_ascii_and_the_same_value() -> None:
    rows = [["\x9b31m \u202e 🎉"]]
    shown = write("json", [Column("t")], rows, terminal=True)
    assert shown.isascii()
    assert json.loads(shown) == json.loads(write("json", [Column("t")], rows))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"])
def test_a_cell_that_a_spreadsheet_would_run_is_disarmed(text: str) -> None:
    [_, [cell]] = csv.reader(io.StringIO(write("csv", [Column("t")], [[text]]), newline=""))
    assert cell == "'" + text


def test_a_column_name_that_a_spreadsheet_would_run_is_disarmed() -> None:
    assert write("csv", [Column("=1")], []) == "'=1\n"


def test_csv_leaves_numbers_and_other_text_alone() -> None:
    written = write("csv", [Column("n", NUMBER), Column("t")], [["-1.5", 'say "hi", you\nthere'], [None, ""]])
    assert list(csv.reader(io.StringIO(written, newline=""))) == [
        ["n", "t"],
        ["-1.5", 'say "hi", you\nthere'],
        ["", ""],
    ]


def test_csv_on_a_terminal_is_escaped() -> None:
    assert "\x1b" not in write("csv", [Column("t")], [["\x1b[2J"]], terminal=True)


def test_markdown_cells_cannot_become_markup() -> None:
    written = write("markdown", [Column("t"), Column("n", NUMBER)], [["a|b <img> ![x](http://y) `c` *d*", "1"]])
    assert written.splitlines() == [
        "| t | n |",
        "| --- | ---: |",
        r"| a\|b \<img\> !\[x\](http://y) \`c\` \*d\* | 1 |",
    ]
