from __future__ import annotations

import time
from contextlib import ExitStack

import pytest

from mcptest.capture import locks
from tests.helpers.captures import process

HOLD = """
    import sys
    from pathlib import Path
    from mcptest.capture import locks
    with getattr(locks, sys.argv[2])(Path(sys.argv[1]), 5):
        print("ready", flush=True)
        sys.stdin.read()
"""


@pytest.mark.parametrize(
    ("held", "wanted", "free"),
    [
        ("shared", "shared", True),
        ("shared", "exclusive", False),
        ("exclusive", "shared", False),
        ("exclusive", "exclusive", False),
    ],
)
def test_many_may_read_or_one_may_fold(tmp_path, held, wanted, free):
    path = tmp_path / "x.lock"
    with process(HOLD, path, held):
        if free:
            with getattr(locks, wanted)(path, 0):
                pass
        else:
            with pytest.raises(locks.Busy, match="another mcptest"), getattr(locks, wanted)(path, 0.02):
                pass
    with getattr(locks, wanted)(path, 5):
        assert path.stat().st_mode & 0o777 == 0o600


def test_a_lock_ends_with_its_process(tmp_path):
    path = tmp_path / "x.lock"
    with process(HOLD, path, "exclusive") as child:
        child.kill()
        child.wait()
        with locks.exclusive(path, 0):
            child.returncode = 0


def test_a_link_in_the_place_of_the_lock_is_not_followed(tmp_path):
    (tmp_path / "x.lock").symlink_to(tmp_path / "target")
    with pytest.raises(OSError, match="symbolic links"), locks.exclusive(tmp_path / "x.lock", 0):
        pass
    assert not (tmp_path / "target").exists()


def test_reading_where_no_lock_can_be_made_needs_none(tmp_path):
    with locks.shared(tmp_path / "nowhere" / "x.lock", 0):
        assert not (tmp_path / "nowhere").exists()


def test_who_wants_to_fold_is_not_kept_out_by_readers_that_come_and_go(tmp_path):
    reader = """
        import sys
        from pathlib import Path
        from mcptest.capture import locks
        lock, gate, end = map(Path, sys.argv[1:])
        print("ready", flush=True)
        while not end.exists():
            with locks.shared(lock, 30, gate):
                for _ in range(20000):
                    pass
    """
    lock, gate, end = tmp_path / "x.lock", tmp_path / "gate", tmp_path / "end"
    gate.mkdir()
    with process(reader, lock, gate, end), process(reader, lock, gate, end), process(reader, lock, gate, end):
        try:
            for _ in range(3):
                with locks.exclusive(lock, 20, gate):
                    pass
        finally:
            end.touch()


def test_a_reader_that_stays_does_not_keep_other_readers_at_the_gate(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "_GATE_CLOSED", 0.05)
    lock, gate = tmp_path / "x.lock", tmp_path / "gate"
    gate.mkdir()
    wanting = """
        import sys
        from pathlib import Path
        from mcptest.capture import locks
        locks._GATE_CLOSED = 0.05
        print("ready", flush=True)
        try:
            with locks.exclusive(Path(sys.argv[1]), 1.5, Path(sys.argv[2])):
                pass
        except locks.Busy:
            pass
    """
    with locks.shared(lock, 5, gate), process(wanting, lock, gate):
        for _ in range(3):
            with locks.shared(lock, 5, gate):
                pass


def test_who_folds_sees_whether_anybody_waits(tmp_path):
    lock, gate = tmp_path / "x.lock", tmp_path / "gate"
    gate.mkdir()
    waiting = """
        import sys
        from pathlib import Path
        from mcptest.capture import locks
        print("ready", flush=True)
        with getattr(locks, sys.argv[3])(Path(sys.argv[1]), 30, Path(sys.argv[2])):
            pass
    """
    for kind in ("shared", "exclusive"):
        with ExitStack() as later, locks.exclusive(lock, 5, gate):
            assert not locks.is_wanted(gate)
            later.enter_context(process(waiting, lock, gate, kind))
            deadline = time.monotonic() + 30
            while not locks.is_wanted(gate):
                assert time.monotonic() < deadline
                time.sleep(0.01)
