"""Samples of bans of networks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from services.moderation.network_bans.events import AccountExempted, BanDetails, NetworkBanEntered, NetworkBanLifted, NetworkBanned
from services.moderation.record.events import Words
from tests.golden.files import Sample

_NOW: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_BAN_ID: Final = "019ad000-0000-7000-8000-000000000011"
_STREAM: Final = f"network-ban-{_BAN_ID}"
_HASH: Final = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

SAMPLES: Final = (
    Sample(
        event=NetworkBanned(
            network_ban_id=_BAN_ID,
            network_hash=_HASH,
            at=_NOW,
            ends_at=_NOW + timedelta(days=30),
            details=BanDetails(network="203.0.113.0/24", reason="A farm of throwaway accounts."),
            by="head-1", role="head_admin",
        ),
        stream=_STREAM,
    ),
    Sample(event=NetworkBanned(network_ban_id=_BAN_ID, network_hash=_HASH, at=_NOW, by="head-1", role="head_admin"), stream=_STREAM),
    Sample(
        event=AccountExempted(network_ban_id=_BAN_ID, player_id="p2", at=_NOW, words=Words(reason="A roommate."), by="head-1", role="head_admin"),
        stream=_STREAM,
        version=2,
    ),
    Sample(
        event=NetworkBanLifted(network_ban_id=_BAN_ID, at=_NOW, words=Words(reason="Given to others."), by="head-1", role="head_admin"),
        stream=_STREAM,
        version=3,
    ),
    Sample(event=NetworkBanEntered(network_hash=_HASH, network_ban_id=_BAN_ID, at=_NOW), stream=f"network-line-{_HASH}"),
)
