from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcptest.compliance.ids import Ids
from mcptest.wire import Id

NUMBERS = st.one_of(st.integers(0, 40), st.integers(-5, 1 << 70))
IDS = st.one_of(
    NUMBERS.map(lambda number: Id("number", str(number))), st.text(max_size=3).map(lambda text: Id("string", text))
)


@given(st.lists(IDS), IDS)
def test_it_is_a_set(added, asked):
    ids = Ids()
    for identity in added:
        ids.add(identity)
    assert all(identity in ids for identity in added)
    assert (asked in ids) == (asked in added)


def test_a_million_ids_that_count_upwards_take_one_range():
    ids = Ids()
    for number in range(100_000):
        ids.add(Id("number", str(number)))
    assert len(ids._first) == 1
    assert not ids._others


def test_numbers_without_order_do_not_make_ranges_for_ever():
    ids = Ids()
    for number in range(0, 40_000, 2):
        ids.add(Id("number", str(number)))
    assert len(ids._first) <= 4096
    assert Id("number", "39998") in ids
    assert Id("number", "39999") not in ids
