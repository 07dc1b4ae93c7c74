"""Ties between a process and its children."""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1


def die_with_parent(number: signal.Signals, parent: int) -> Callable[[], None]:
    """What a child calls between fork and exec, so that the kernel sends it this signal when its parent is gone (`kill -9` included).

    The kernel ties a child to the *thread* that forked it: that thread must live as long as the child may.
    """
    prctl = getattr(ctypes.CDLL(None), "prctl", None)  # resolved before the fork: nothing may be loaded between fork and exec

    def arm() -> None:
        if prctl is None:  # no Linux: an orderly end of the parent still stops the child
            return
        prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:  # it went in the meantime
            os._exit(1)

    return arm
