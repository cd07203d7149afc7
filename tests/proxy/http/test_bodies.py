"""Bodies are decoded for the record and never grow beyond their bounds."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.proxy.http.bodies import LARGEST, SAMPLE, Body, Budget, Undecodable, decoder

try:
    from compression import zstd
except ImportError:
    from backports import zstd


def raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return stream.compress(data) + stream.flush()


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate": raw_deflate,
    "br": brotli.compress,
    "zstd": zstd.compress,
    "identity": bytes,
    "": bytes,
    "gzip, br": lambda data: brotli.compress(gzip.compress(data)),
}


@pytest.mark.parametrize("encoding", ENCODERS)
@given(data=st.binary(max_size=3000), step=st.integers(1, 500))
def test_every_encoding_is_decoded_however_it_is_cut(encoding, data, step):
    encoded = ENCODERS[encoding](data)
    body = Body("application/json", encoding, Budget())
    for start in range(0, len(encoded), step):
        body.feed(encoded[start : start + step])
    assert body.take() == data
    assert (body.size, body.length, body.cut, body.fault) == (len(encoded), len(data), False, None)


def test_several_members_are_one_content():
    body = Body("text/plain", "gzip", Budget())
    body.feed(gzip.compress(b"one ") + gzip.compress(b"two"))
    assert body.take() == b"one two"


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_what_is_not_in_its_encoding_is_a_fault_and_no_failure(encoding):
    body = Body("application/json", encoding, Budget())
    body.feed(b"this is not what it says, not at all, and there is quite a bit of it")
    assert body.fault
    assert body.size == 68


def test_an_unknown_encoding_is_a_fault():
    body = Body("application/json", "rot13", Budget())
    body.feed(b"{}")
    assert body.fault == "unknown Content-Encoding"


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
def test_a_bomb_is_kept_in_part(encoding):
    bomb = b"\0" * (LARGEST + (8 << 20))
    for coding in encoding.split(", "):
        bomb = ENCODERS[coding](bomb)
    budget = Budget()
    body = Body("application/json", encoding, budget)
    body.feed(bomb)
    assert body.cut
    assert len(body.take()) <= SAMPLE
    assert budget.left == Budget().left


def test_more_layers_than_anybody_needs_are_not_taken_off():
    with pytest.raises(Undecodable):
        list(decoder("gzip, gzip, gzip, gzip")(b"x"))


def test_unreadable_content_is_kept_in_part():
    body = Body("image/png", "", Budget())
    body.feed(b"\x89PNG" + b"\0" * 200_000)
    assert body.cut
    assert body.size == 200_004
    assert len(body.take()) <= SAMPLE


def test_a_part_ends_between_words():
    body = Body("application/octet-stream", "", Budget())
    body.feed(b"word " * 20_000)
    assert body.take().endswith(b"word")


def test_all_bodies_together_stay_within_the_budget():
    budget = Budget(1 << 20)
    bodies = [Body("application/json", "", budget) for _ in range(40)]
    for _ in range(100):
        for body in bodies:
            body.feed(b"x" * 1000)
    assert any(body.cut for body in bodies)
    assert not all(body.cut for body in bodies)
    for body in bodies:
        body.take()
    assert budget.left == 1 << 20
