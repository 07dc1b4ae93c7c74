"""What every call may be given besides its own arguments."""

from __future__ import annotations

from typing import TypedDict


class PublicOptions(TypedDict, total=False):
    """`timeout`: seconds that one try may take."""

    timeout: float


class ReadOptions(PublicOptions, total=False):
    """`acting_staff`: the member of staff for whom a game server asks, instead of the client's own setting."""

    acting_staff: str


class CommandOptions(ReadOptions, total=False):
    """`idempotency_key`: the command's name, 1 to 255 printable ASCII characters; one is made when none is given, and kept over all tries."""

    idempotency_key: str


class VersionedOptions(CommandOptions, total=False):
    """`if_match`: the version of the stream that the decision rests on; another one now is `Problem` `stale_version`."""

    if_match: int
