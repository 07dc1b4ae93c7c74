"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from shared.client.api.common.bodies import NamedSanction


class AdjustmentBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The sanctions that replace the incident's, whether it stays a strike, and why (I-20).

    `player_id` names an account that the incident sanctioned along, as an alt: then that one's sanctions are replaced, and it is no strike.
    """

    sanctions: list[NamedSanction]
    strike: bool
    reason: str
    player_id: str | None = None


class ImportBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Up to 500 incidents."""

    incidents: list[ImportRow]


class ImportRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An incident decided before this service existed (I-22); `external_id` makes the import repeatable."""

    player_id: str
    infraction: str
    decided_at: datetime
    decided_by: str
    strike: bool
    sanctions: list[NamedSanction]
    external_id: str
