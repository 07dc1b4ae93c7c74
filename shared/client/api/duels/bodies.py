"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class RoomBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A duel room, whole."""

    format: str
    players: list[str]
    kind: Literal["match", "single"]
