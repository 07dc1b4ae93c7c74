"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from msgspec import Struct


class State(Struct, frozen=True, kw_only=True):
    """The state of the process, in a word."""

    status: str
