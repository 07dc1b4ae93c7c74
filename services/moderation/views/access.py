"""The access check: may this account come in from this address (contract, access-checks; I-12, I-14, I-15)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from services.moderation.networks import covering, line_of
from services.moderation.views.network_bans import BarredNetwork, NetworkBans
from services.moderation.views.networks_seen import NetworksSeen
from services.moderation.views.standing import Standing, as_reply
from shared.security.keys import KeyedHash


def network_keys(ip: str, digest: Callable[[str], bytes]) -> list[bytes]:
    """The keyed hashes of the address's own network and of every range around it that may be banned. Raises a `Refusal` `invalid_network`."""
    return [digest(network) for network in covering(line_of(ip))]


class AccessChecks:
    """Remembers where an account came from, and finds what bars it."""

    def __init__(self, *, bans: NetworkBans, seen: NetworksSeen, digest: KeyedHash) -> None:
        self._bans = bans
        self._seen = seen
        self._digest = digest

    def keys(self, ip: str) -> list[bytes]:
        """The networks to look for; the first is the address's own."""
        return network_keys(ip, self._digest.digest)

    async def remember(self, player_id: str, keys: Sequence[bytes], at: datetime) -> None:
        """The account came from here (I-14)."""
        await self._seen.remember(player_id, keys[0], at)

    async def barring(self, player_id: str, keys: Sequence[bytes], at: datetime) -> list[BarredNetwork]:
        """The network bans that bar this account here."""
        return await self._bans.barring(player_id, keys, at)


def access_reply(standing: Standing, barred: Sequence[BarredNetwork]) -> dict[str, Any]:
    """Every reason that holds; of several bans the one without an end, or with the latest, first (D06)."""
    latest = sorted(standing.running, key=lambda ban: (ban.ends_at is None, ban.ends_at or ban.starts_at), reverse=True)
    reasons = [{"code": "banned", "ends_at": ban.ends_at, "incident_id": ban.incident_id} for ban in latest]
    reasons += [{"code": "ip_banned", "ends_at": ban.ends_at, "incident_id": ban.incident_id} for ban in barred]
    if standing.proxy_banned:
        reasons.append({"code": "proxy_banned", "ends_at": None, "incident_id": None})
    return {"allowed": not reasons, "reasons": reasons, "standing": as_reply(standing)}
