"""Let the Linux kernel refuse this process all writing, starting of programs and TCP, whatever its code tries.

Landlock binds the calling thread and the threads it starts afterwards; files that are already open stay usable. Where
the kernel has none (before 5.13, or another system) nothing happens, and the caller has its other means.
"""

from __future__ import annotations

import os
import struct
import sys

# Numbers from the kernel's interface, the same on every architecture that Python knows there.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_FIRST_VERSION = (1 << 13) - 1  # also: removing, and making of every kind
_REFER, _TRUNCATE = 1 << 13, 1 << 14  # since versions 2 and 3
_BIND_AND_CONNECT = 0b11  # TCP, since version 4


def forbid_writing(*, but_into: int | None = None) -> bool:
    """Whether the kernel took the restriction on. `but_into` is an open file that may be opened again for writing."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)

    def call(number: int, *arguments: object) -> int:
        return int(libc.syscall(ctypes.c_long(number), *arguments))

    version = call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))
    if version < 1:
        return False
    rights = _FIRST_VERSION & ~(_READ_FILE | _READ_FOLDER)
    rights |= (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    attributes = struct.pack("=QQ", rights, _BIND_AND_CONNECT) if version >= 4 else struct.pack("=Q", rights)
    ruleset = call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    if ruleset < 0:
        return False
    try:
        if but_into is not None:
            allowed = rights & (_WRITE_FILE | _TRUNCATE)
            rule = struct.pack("=Qi", allowed, but_into)
            if call(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), rule, ctypes.c_uint32(0)) < 0:
                return False
        if libc.prctl(ctypes.c_int(_NO_NEW_PRIVILEGES), *(ctypes.c_ulong(value) for value in (1, 0, 0, 0))) < 0:
            return False
        return call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)) == 0
    finally:
        os.close(ruleset)
