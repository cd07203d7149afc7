from __future__ import annotations

import random
from pathlib import Path

import duckdb
import pytest

from mcptest.capture import Capture, Place, fold
from mcptest.capture.schema import FORMAT
from mcptest.errors import CaptureError
from tests.helpers.journals import sample


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path / "capture.duckdb")
    sample().write(place)
    return place


def refusal(place: Place) -> str:
    """What opening says, and that it changes nothing."""
    before = place.database.read_bytes()
    with pytest.raises(CaptureError) as caught:
        Capture.open(place)
    with pytest.raises(CaptureError):
        fold(place)
    assert place.database.read_bytes() == before, "nothing is overwritten"
    assert "\n" not in str(caught.value)
    assert str(place.database) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\x00" + b"\x00" * 5000, b"x" * 100_000])
def test_a_file_that_is_no_database_is_refused(place, content):
    place.database.write_bytes(content)
    assert "is not a DuckDB database" in refusal(place)


def test_a_database_that_is_no_capture_is_refused(place):
    with duckdb.connect(str(place.database)) as connection:
        connection.execute("CREATE TABLE mine AS SELECT 42 AS answer")
    assert "is a DuckDB database, but not an mcptest capture" in refusal(place)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            f"UPDATE data.meta SET format = {FORMAT + 1}",
            f"format {FORMAT + 1}, this mcptest reads up to {FORMAT}: upgrade",
        ),
        ("UPDATE data.meta SET format = 0", "run `mcptest capture rebuild`"),
        ("UPDATE data.meta SET application = 'another'", "not an mcptest capture"),
        ("INSERT INTO data.meta FROM data.meta", "not an mcptest capture"),
        ("DROP TABLE data.meta", "not an mcptest capture"),
        ("ALTER TABLE data.messages DROP COLUMN raw", "run `mcptest capture rebuild`"),
        ("ALTER TABLE data.messages ALTER seq TYPE VARCHAR", "run `mcptest capture rebuild`"),
        ("ALTER TABLE data.gaps ADD COLUMN more VARCHAR", "run `mcptest capture rebuild`"),
    ],
)
def test_a_capture_of_another_shape_is_refused(place, change, text):
    fold(place)
    with duckdb.connect(str(place.database)) as connection:
        connection.execute(change)
    assert text in refusal(place)


def test_a_table_that_is_really_a_view_is_not_read(place, tmp_path):
    fold(place)
    secret = tmp_path / "secret.txt"
    secret.write_text("do not read me", encoding="utf-8")
    with duckdb.connect(str(place.database)) as connection:
        columns = connection.execute("SELECT * FROM data.errors LIMIT 0").description
        names = ", ".join(f'content AS "{column[0]}"' for column in columns)
        connection.execute("DROP VIEW errors; DROP TABLE data.errors")
        connection.execute(f"CREATE VIEW data.errors AS SELECT {names} FROM read_text('{secret}')")
    assert "run `mcptest capture rebuild`" in refusal(place)


def test_macros_and_views_in_the_file_cannot_lie(place):
    fold(place)
    with duckdb.connect(str(place.database)) as connection:
        for lie in ("count(x) AS 42", "sum(x) AS 42", "make_timestamptz(x) AS now()", "coalesce(x, y) AS 42"):
            connection.execute(f"CREATE OR REPLACE MACRO main.{lie}")
            connection.execute(f"CREATE OR REPLACE MACRO data.{lie}")
        connection.execute("CREATE OR REPLACE VIEW messages AS SELECT 'a lie' AS raw")
        assert connection.execute("SELECT DISTINCT count(seq) FROM data.messages").fetchall() == [(42,)]
    with Capture.open(place) as capture:
        rows = capture.connection.execute(
            "SELECT count(seq), sum(size) > 100, min(year(\"at\")), max(raw) LIKE '{%' FROM messages"
        ).fetchall()
        assert rows == [(13, True, 2025, True)]
        assert capture.sessions()[0].messages == 13


def test_a_file_damaged_anywhere_is_refused_or_right(place):
    fold(place)
    with Capture.open(place) as capture:
        expected = capture.connection.execute("FROM messages ORDER BY seq").fetchall()
    whole = place.database.read_bytes()
    chance = random.Random(5)
    refused = 0
    for _ in range(12):
        raw = bytearray(whole)
        for _ in range(chance.choice([1, 5, 200])):
            raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        place.database.write_bytes(raw)
        try:
            with Capture.open(place) as capture:
                assert capture.connection.execute("FROM messages ORDER BY seq").fetchall() == expected
        except (CaptureError, duckdb.Error) as error:
            refused += 1
            assert str(error)
    assert refused > 2
    for cut in (1, 4096, 12288, len(whole) // 2, len(whole) - 1):
        place.database.write_bytes(whole[:cut])
        try:
            with Capture.open(place) as capture:
                assert capture.connection.execute("FROM messages ORDER BY seq").fetchall() == expected
        except (CaptureError, duckdb.Error) as error:
            assert str(error)


def test_a_folder_in_the_place_of_the_file_is_refused(place):
    place.database.mkdir()
    with pytest.raises(CaptureError, match=r"cannot open .*: Is a directory"):
        Capture.open(place)


def test_a_path_with_quotes_is_only_a_path(tmp_path):
    place = Place(tmp_path / 'it\'s; DROP "x" (READ_ONLY) --' / "capture.duckdb")
    sample().write(place)
    with Capture.open(place) as capture:
        assert len(capture.sessions()) == 1
    assert place.database.exists()


def test_sql_over_a_capture_sees_no_python_and_loads_nothing(place):
    outside = [(1,)]
    with Capture.open(place) as capture:
        with pytest.raises(duckdb.Error):
            capture.connection.execute("FROM outside")
        settings = dict(
            capture.connection.execute(
                "SELECT name, value FROM duckdb_settings() WHERE name LIKE 'auto%extensions' OR name = 'memory_limit'"
            ).fetchall()
        )
    assert outside
    assert settings["autoload_known_extensions"] == "false"
    assert settings["autoinstall_known_extensions"] == "false"
    assert settings["memory_limit"] == "953.6 MiB"


def test_an_empty_database_left_by_a_killed_process_becomes_a_capture(place):
    duckdb.connect(str(place.database)).close()
    with Capture.open(place) as capture:
        assert len(capture.sessions()) == 1
