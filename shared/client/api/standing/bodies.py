"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from msgspec import Struct


class AccessBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who comes in, from which address, and whether through a proxy."""

    player_id: str
    ip: str
    proxy: bool = False


class StandingsBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whose standings."""

    player_ids: list[str]
