from __future__ import annotations

import random
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptest.errors import CaptureError
from mcptest.wire import Damage, Frame, journal
from mcptest.wire.frame import CHANNELS, CONTINUED, LINES, PARTIAL, REDACTED, STDIN, STDOUT

SEED = 0x5F1C09AA


def written(frames: list[Frame], seed: int = SEED) -> bytes:
    return b"".join(part for frame in frames for part in journal.encode(frame, seed))


def line(seq: int, data: bytes, channel: int = STDIN) -> Frame:
    return Frame(seq, 1_700_000_000_000_000_000 + seq, 5_000 + seq, 0, channel, 0, data)


def ends(frames: list[Frame]) -> list[int]:
    """The offset behind each record."""
    return [len(written(frames[: count + 1])) for count in range(len(frames))]


FEW = [line(0, b'{"session":"x"}', 0), line(1, b'{"id":1}'), line(2, b"", STDOUT), line(3, b"last \x00\xff line")]

frames = st.builds(
    Frame,
    seq=st.integers(0, 2**64 - 1),
    at=st.integers(0, 2**64 - 1),
    mono=st.integers(0, 2**64 - 1),
    conn=st.integers(0, 2**32 - 1),
    channel=st.sampled_from(sorted(CHANNELS)),
    flags=st.sampled_from([0, REDACTED, PARTIAL, CONTINUED, REDACTED | PARTIAL]),
    data=st.binary(max_size=200),
    meta=st.binary(max_size=30),
)


@given(st.lists(frames, max_size=8), st.integers(0, 2**32 - 1))
def test_what_was_encoded_comes_back(kept, seed):
    buffer = written(kept, seed)
    assert journal.decode(buffer, seed, final=True) == (kept, [], len(buffer))


@given(st.lists(frames, max_size=6), st.data())
@settings(max_examples=50)
def test_any_cutting_of_the_same_bytes_gives_the_same_frames(kept, data):
    buffer = written(kept)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(buffer)), max_size=6)))
    got, rest, position = [], b"", 0
    for start, end in zip([0, *cuts], [*cuts, len(buffer)], strict=True):
        rest += buffer[start:end]
        decoded = journal.decode(rest, SEED, base=position, final=end == len(buffer))
        got += decoded.frames
        assert not decoded.damage
        position += decoded.consumed
        rest = rest[decoded.consumed :]
    assert (got, rest) == (kept, b"")


@pytest.mark.parametrize("meta", [b"", b'{"http":1}'])
def test_lines_that_share_a_record_come_back_as_frames_of_their_own(meta):
    record = Frame(7, 10, 20, 3, STDOUT, LINES | REDACTED, b"one\n\nthree", meta)
    got = journal.decode(written([record]), SEED, final=True).frames
    assert got == [
        Frame(7, 10, 20, 3, STDOUT, REDACTED, b"one"),
        Frame(8, 10, 20, 3, STDOUT, REDACTED, b""),
        Frame(9, 10, 20, 3, STDOUT, REDACTED, b"three"),
    ]


def test_a_journal_cut_at_any_byte_gives_the_whole_records_before_the_cut():
    buffer = written(FEW)
    for cut in range(len(buffer) + 1):
        whole = [end for end in ends(FEW) if end <= cut]
        good = whole[-1] if whole else 0
        torn = [Damage(good, cut - good, torn=True)] if cut > good else []
        assert journal.decode(buffer[:cut], SEED, final=True) == (FEW[: len(whole)], torn, cut)
        growing = journal.decode(buffer[:cut], SEED)
        assert growing == (FEW[: len(whole)], [], good), "what may still be written is left for later"


def test_a_flipped_bit_never_gives_a_wrong_frame_and_costs_one_record():
    whole, places = written(FEW), [0, *ends(FEW)]
    for bit in range(8 * places[2]):
        buffer = bytearray(whole)
        buffer[bit // 8] ^= 1 << bit % 8
        hit = 0 if bit // 8 < places[1] else 1
        decoded = journal.decode(bytes(buffer), SEED, final=True)
        assert decoded.frames == FEW[:hit] + FEW[hit + 1 :]
        assert decoded.damage == [Damage(places[hit], places[hit + 1] - places[hit], torn=False)]


def test_damage_is_placed_by_its_offset_in_the_file():
    buffer = bytearray(written(FEW))
    buffer[ends(FEW)[0] + 2] ^= 0xFF
    decoded = journal.decode(bytes(buffer), SEED, base=1000, final=True)
    assert decoded.damage == [Damage(1000 + ends(FEW)[0], ends(FEW)[1] - ends(FEW)[0], torn=False)]


def test_bytes_overwritten_anywhere_never_give_a_wrong_frame():
    chance = random.Random(1)
    whole = written([line(seq, chance.randbytes(chance.randrange(60))) for seq in range(30)])
    original = journal.decode(whole, SEED, final=True).frames
    for _ in range(300):
        buffer = bytearray(whole)
        start = chance.randrange(len(buffer))
        buffer[start : start + chance.randrange(1, 90)] = chance.randbytes(chance.randrange(90))
        decoded = journal.decode(bytes(buffer), SEED, final=True)
        assert set(decoded.frames) <= set(original)
        assert decoded.consumed == len(buffer)
        assert decoded.damage or decoded.frames == original


def test_a_record_forged_inside_a_payload_is_not_taken_for_one():
    forged = b"".join(journal.encode(line(99, b"evil"), 0))
    guessed = b"".join(journal.encode(line(98, b"evil"), SEED ^ 1))
    talk = [line(0, b"head"), line(1, forged + guessed + forged), line(2, b"tail")]
    buffer = bytearray(written(talk))
    assert journal.decode(bytes(buffer), SEED, final=True).frames == talk
    buffer[ends(talk)[0] + 10] ^= 1
    decoded = journal.decode(bytes(buffer), SEED, final=True)
    assert decoded.frames == [talk[0], talk[2]]
    assert [found.torn for found in decoded.damage] == [False]


def test_a_journal_of_nothing_but_forged_heads_is_given_up_in_time():
    count = 100_000
    heads = b"".join(
        journal._RECORD.pack(journal._MAGIC, STDIN, 0, 0, 0, n, 0, 0, 44 * (count - n - 1), 0) for n in range(count)
    )
    decoded = journal.decode(heads, SEED, final=True)
    assert decoded == ([], [Damage(0, len(heads), torn=True)], len(heads))


def test_a_damaged_length_does_not_hide_the_records_behind_it():
    talk = [line(seq, b"x" * 50) for seq in range(5)]
    buffer = bytearray(written(talk))
    length_at = ends(talk)[1] + 36
    buffer[length_at : length_at + 4] = (journal.MAX_DATA - 1).to_bytes(4, "little")
    assert journal.decode(bytes(buffer), SEED).frames == talk[:2] + talk[3:]


def test_the_seed_is_read_from_either_of_the_two_first_lines():
    preamble = journal.preamble(SEED)
    assert len(preamble) == journal.PREAMBLE_SIZE
    assert journal.read_seed(preamble, "x") == SEED
    for place in range(len(preamble)):
        for bit in range(8):
            damaged = bytearray(preamble)
            damaged[place] ^= 1 << bit
            try:
                assert journal.read_seed(bytes(damaged), "x") == SEED
            except CaptureError as error:
                assert "upgrade" in str(error), "only the first line's major version can say so"
                assert place == len("mcptest-journal ")


def test_a_newer_major_version_is_refused_politely():
    text = b"mcptest-journal 2.0 seed=5f1c09aa"
    newer = (b"%s crc=%08x\n" % (text, zlib.crc32(text))) * 2
    with pytest.raises(CaptureError, match=r"^some/file is in journal format 2, this mcptest reads up to 1: upgrade"):
        journal.read_seed(newer, "some/file")
    with pytest.raises(CaptureError, match="format 12"):
        journal.read_seed(b"mcptest-journal 12.3 whatever", "some/file")


def test_a_newer_minor_version_is_read():
    text = b"mcptest-journal 1.7 seed=5f1c09aa"
    assert journal.read_seed((b"%s crc=%08x\n" % (text, zlib.crc32(text))) * 2, "x") == SEED


@pytest.mark.parametrize(
    "start", [b"", b"hello", b"\x00" * 200, journal.preamble(SEED)[:46], b"SQLite format 3\x00" * 9]
)
def test_another_kind_of_file_is_refused(start):
    with pytest.raises(CaptureError, match="not an mcptest journal"):
        journal.read_seed(start, "some/file")
