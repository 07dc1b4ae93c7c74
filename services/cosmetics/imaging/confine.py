"""What the kernel still lets a decoder do: read the one file, and nothing else of the file system, the network or other processes.

Landlock (Linux 5.13) bars every file but the one that is named, seccomp every system call by which something is started, reached over a socket or
done to another process. Neither needs rights, and there is no way back. A kernel without one of them goes without: what else bounds a decoder stays.
Loaded by path, as the decoder knows no packages of the service.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from collections.abc import Iterator

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446  # the same everywhere
_ASK_VERSION, _BENEATH, _READ_FILE = 1, 1, 1 << 2
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights to files each version of Landlock knows; 16 since the fifth."""

_PR_SET_SECCOMP, _FILTER = 22, 2
_ALLOW, _REFUSE, _UNKNOWN, _END = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000  # the second answers EPERM, the third ENOSYS
_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_CLONE_THREAD = 0x10000
_CLONE3 = 435
_X32 = 0x40000000

_COMMON = (424, 425, 426, 427, 428, 429, 430, 434, 438)  # pidfd_*, io_uring_*, new mounts
_MACHINES: dict[str, tuple[int, int, tuple[int, ...]]] = {
    # sockets; fork, exec; kill, ptrace; shm, msg, sem; mknod, mounts; modules; keys; unshare, setns; perf, bpf, handles; memory of others; seccomp
    "x86_64": (
        0xC000003E,
        56,
        (41, 42, 43, 49, 50, 53, 288, 57, 58, 59, 322, 62, 129, 101, 29, 30, 68, 64, 133, 259, 155, 161, 165, 166, 175, 313, 248, 249, 250, 272, 308,
         298, 321, 304, 310, 311, 323, 317),
    ),
    "aarch64": (
        0xC00000B7,
        220,
        (198, 199, 200, 201, 202, 203, 242, 221, 281, 129, 138, 117, 194, 196, 186, 190, 33, 41, 51, 40, 39, 105, 273, 217, 218, 219, 97, 268, 241,
         280, 265, 270, 271, 282, 277),
    ),
}  # fmt: skip
"""For each machine the kernel's name of it, the number of `clone`, and the numbers of what is refused."""


def confine(descriptor: int) -> tuple[bool, bool]:
    """Give up everything but reading this open file; whether Landlock, and whether seccomp does it. The process must have one thread yet."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS, without which neither is to be had
    return _landlock(libc, descriptor), _seccomp(libc)


def _landlock(libc: ctypes.CDLL, descriptor: int) -> bool:
    version = libc.syscall(_LANDLOCK_CREATE, None, 0, _ASK_VERSION)
    if version < 1:
        return False
    files = (1 << _FILE_RIGHTS.get(version, 16)) - 1
    attributes = struct.pack("QQQ", files, 0b11 if version >= 4 else 0, 0b11 if version >= 6 else 0)  # binding, connecting; abstract sockets, signals
    known = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = libc.syscall(_LANDLOCK_CREATE, attributes, known, 0)
    if rules < 0:
        return False
    try:  # a file in memory can't be named in a rule, and none bars it
        libc.syscall(_LANDLOCK_ADD, rules, _BENEATH, struct.pack("=Qi", _READ_FILE, descriptor), 0)
        return bool(libc.syscall(_LANDLOCK_RESTRICT, rules, 0) == 0)
    finally:
        os.close(rules)


def _seccomp(libc: ctypes.CDLL) -> bool:
    if platform.machine() not in _MACHINES:
        return False
    program = b"".join(struct.pack("=HBBI", *step) for step in _program(*_MACHINES[platform.machine()]))
    held = ctypes.create_string_buffer(program, len(program))
    fprog = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(held))
    return bool(libc.prctl(_PR_SET_SECCOMP, _FILTER, fprog, 0, 0) == 0)


def _program(machine: int, clone: int, refused: tuple[int, ...]) -> Iterator[tuple[int, int, int, int]]:
    """The filter's steps: code, steps to pass over when it holds, when it doesn't, operand."""
    yield _LOAD, 0, 0, _ARCHITECTURE
    yield _EQUAL, 1, 0, machine
    yield _RETURN, 0, 0, _END  # numbers mean something else there
    yield _LOAD, 0, 0, _NUMBER
    yield _AT_LEAST, 0, 1, _X32
    yield _RETURN, 0, 0, _REFUSE
    for number in (*refused, *_COMMON):
        yield _EQUAL, 0, 1, number
        yield _RETURN, 0, 0, _REFUSE
    yield _EQUAL, 0, 1, _CLONE3  # its arguments can't be seen from here: threads are then made by `clone`
    yield _RETURN, 0, 0, _UNKNOWN
    yield _EQUAL, 0, 3, clone
    yield _LOAD, 0, 0, _FIRST_ARGUMENT
    yield _ANY_OF, 1, 0, _CLONE_THREAD
    yield _RETURN, 0, 0, _REFUSE
    yield _RETURN, 0, 0, _ALLOW
