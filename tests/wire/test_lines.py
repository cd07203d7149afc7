from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcptest.wire import Lines


def lines_of(*chunks: bytes) -> tuple[list[bytes], bytes]:
    """All lines, and what was left without a newline."""
    framing = Lines()
    got: list[bytes] = []
    for chunk in chunks:
        begun, block = framing.feed(chunk)
        got += [] if begun is None else [begun]
        got += [] if block is None else block.split(b"\n")
    assert framing.pending == len(framing.take())
    framing = Lines()
    for chunk in chunks:
        framing.feed(chunk)
    return got, framing.take()


@given(st.lists(st.one_of(st.binary(max_size=6), st.sampled_from([b"\n", b"\r\n", b"a\nb", b"\n\n"])), max_size=12))
def test_any_chunking_gives_the_lines_between_newlines(chunks):
    *lines, rest = b"".join(chunks).split(b"\n")
    assert lines_of(*chunks) == (lines, rest)


def test_only_the_newline_byte_ends_a_line():
    odd = "a\u2028b\u2029c\u0085d\ve\ff\rg\x1ch\x00i".encode()
    assert lines_of(odd + b"\r\n" + odd) == ([odd + b"\r"], odd)


def test_a_line_in_a_thousand_pieces_is_one_line():
    assert lines_of(*[b"x" * 1000] * 1000, b"\n") == ([b"x" * 1_000_000], b"")


def test_taking_the_rest_leaves_nothing():
    framing = Lines()
    framing.feed(b"begun")
    assert (framing.pending, framing.take(), framing.pending, framing.take()) == (5, b"begun", 0, b"")
    assert framing.feed(b"next\n") == (None, b"next")
