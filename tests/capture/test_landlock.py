from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_SCRIPT = """
import os, sys
from mcptest.capture.landlock import forbid_writing
folder = sys.argv[1]
kept = os.open(folder + "/kept", os.O_WRONLY)
held = os.open(folder + "/held", os.O_WRONLY)
if not forbid_writing(but_into=kept):
    print("no landlock")
    raise SystemExit

def attempt(name, action):
    try:
        action()
    except OSError:
        return
    print(name)

attempt("create", lambda: open(folder + "/new", "w"))
attempt("overwrite", lambda: open(folder + "/old", "w"))
attempt("append", lambda: open(folder + "/old", "a"))
attempt("remove", lambda: os.unlink(folder + "/old"))
attempt("rename", lambda: os.rename(folder + "/old", folder + "/moved"))
attempt("make a folder", lambda: os.mkdir(folder + "/sub"))
attempt("make a link", lambda: os.symlink("/", folder + "/link"))
attempt("start a program", lambda: os.execv("/bin/true", ["true"]))
print("read:", open(folder + "/old").read())
os.write(held, b"through a file that was open")
with open(folder + "/kept", "w") as again:
    again.write("through the file that was named")
"""


def test_only_the_named_file_can_be_written(tmp_path: Path) -> None:
    for name in ("kept", "held", "old"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, str(tmp_path)], capture_output=True, text=True, timeout=60, check=True
    )
    if done.stdout == "no landlock\n":
        pytest.skip("this kernel has no Landlock")
    assert done.stdout == "read: old\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["held", "kept", "old"]
    assert (tmp_path / "kept").read_text(encoding="utf-8") == "through the file that was named"
    assert (tmp_path / "old").read_text(encoding="utf-8") == "old"
