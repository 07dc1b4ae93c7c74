"""Loading bans of networks, and the register of the bans that one network has had."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from services.moderation.network_bans.events import AccountExempted, NetworkBanEntered, NetworkBanEvent
from services.moderation.network_bans.state import INITIAL, NetworkBanState, evolve
from shared.eventstore.codec import Codec
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.port import EventStore
from shared.security.data_keys import DataKeys


def stream_of(network_ban_id: str) -> str:
    """The stream of one ban."""
    return f"network-ban-{network_ban_id}"


def register_of(network_hash: str) -> str:
    """The stream in which the bans of one network are entered."""
    return f"network-line-{network_hash}"


def subject_of(network_ban_id: str) -> str:
    """Whose data key seals a ban's network and reasons; with the slash it is never the id of a player."""
    return f"network-ban/{network_ban_id}"


class NetworkBanStreams:
    """Reads bans of networks. What can't be decoded raises `Unavailable` (E06)."""

    def __init__(self, store: EventStore, codec: Codec, data_keys: DataKeys) -> None:
        self._store = store
        self._codec = codec
        self._data_keys = data_keys

    async def state(self, network_ban_id: str, *, personal: bool = False) -> NetworkBanState:
        """One ban; nothing is known of it at version 0. With `personal` its network and reasons too, as far as they can be read still."""
        return (await self.states([network_ban_id], personal=personal))[network_ban_id]

    async def states(self, network_ban_ids: Sequence[str], *, personal: bool = False) -> dict[str, NetworkBanState]:
        """These bans, from one snapshot."""
        if not network_ban_ids:
            return {}
        found = await self._store.read_many([stream_of(ban_id) for ban_id in network_ban_ids])
        stored = {ban_id: found[stream_of(ban_id)] for ban_id in network_ban_ids}
        keys = await self._keys(stored) if personal else {}
        return {ban_id: self._fold(ban_id, events, keys) for ban_id, events in stored.items()}

    async def entered(self, network_hash: str) -> tuple[list[str], int]:
        """The ids of the bans that this network has had, oldest first, and the version of its register."""
        events = [cast("NetworkBanEntered", self._codec.decode(item)) for item in await self._store.read(register_of(network_hash))]
        return [event.network_ban_id for event in events], len(events)

    async def _keys(self, stored: dict[str, list[StoredEvent]]) -> dict[str, bytes]:
        """The data keys of the bans and of the accounts exempt from them. Who is exempt is read first, without any key."""
        subjects = {subject_of(ban_id) for ban_id, events in stored.items() if events}
        subjects |= {player_id for ban_id, events in stored.items() for player_id in self._fold(ban_id, events, {}).exemptions}
        return await self._data_keys.of(sorted(subjects))

    def _fold(self, ban_id: str, events: Sequence[StoredEvent], keys: dict[str, bytes]) -> NetworkBanState:
        state = INITIAL
        for item in events:
            event = cast("NetworkBanEvent", self._codec.decode(item))
            subject = event.player_id if isinstance(event, AccountExempted) else subject_of(ban_id)
            if subject in keys:
                event = cast("NetworkBanEvent", self._codec.decode(item, data_key=keys[subject]))
            state = evolve(state, event)
        return state
