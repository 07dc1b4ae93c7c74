"""Who had to do with what is appealed, and whose accounts it touches: the facts by which a reviewer is refused (I-31)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from services.moderation.appeals.state import Appeal
from services.moderation.record.entries import Incident
from services.moderation.record.evasion import reached
from services.moderation.record.events import IncidentDecided, IpBanLifted
from services.moderation.record.repository import Records
from services.moderation.record.state import RecordState
from services.moderation.views.timeline import Recorded

Takers = Callable[[str], Awaitable[frozenset[str]]]
"""By the id of a call: everybody who ever had it."""


class BannedNetworks(Protocol):
    """What is asked about bans of networks."""

    async def involved(self, network_ban_id: str | None) -> frozenset[str]:
        """Who imposed the ban or exempted accounts from it."""
        ...

    async def incident_of(self, network_ban_id: str) -> tuple[str, str] | None:
        """The player and the incident that imposed the ban; None for a ban of the network itself."""
        ...


async def _nobody(_: str) -> frozenset[str]:
    return frozenset()


class Involved:
    """Looks up who may not review an appeal. Raises `Unavailable` for a record that can't be read."""

    def __init__(self, records: Records, network_bans: BannedNetworks) -> None:
        self._records = records
        self._network_bans = network_bans
        self._takers: Takers = _nobody

    def ask_calls(self, takers: Takers) -> None:
        """Where to ask who was called to what an incident came of; the calls are opened later than the appeals."""
        self._takers = takers

    async def staff(self, appeal: Appeal, record: Iterable[Recorded], state: RecordState) -> frozenset[str]:
        """Members of staff beside the incident's decider and its adjusters: who was called to it, lifted its IP ban, or banned the network.

        Also who adjusted it on an account that it sanctioned along: overturned, it falls there, too.
        """
        if appeal.target.network_ban_id is not None:
            return await self._of_network(appeal.target.network_ban_id)
        found: set[str] = set()
        for event in (item.event for item in record):
            if isinstance(event, IpBanLifted) and event.incident_id == appeal.incident_id:
                found.add(event.by)
            if isinstance(event, IncidentDecided) and event.incident_id == appeal.incident_id and event.call_id is not None:
                found |= await self._takers(event.call_id)
        return frozenset(found | await self._adjusted_along(state.incidents.get(appeal.incident_id or ""), state))

    async def _adjusted_along(self, incident: Incident | None, state: RecordState) -> set[str]:
        accounts = reached(incident, state) if incident is not None else ()
        states = (await self._records.states(accounts)).values() if accounts else ()
        parts = (other.incidents.get(incident.incident_id) for other in states if incident is not None)
        return {staff_id for part in parts if part is not None for staff_id in part.adjustments.values()}

    async def _of_network(self, network_ban_id: str) -> frozenset[str]:
        found = await self._network_bans.involved(network_ban_id)
        imposed = await self._network_bans.incident_of(network_ban_id)
        if imposed is None:
            return found
        player_id, incident_id = imposed
        incident = (await self._records.state(player_id)).incidents.get(incident_id)
        return found | {incident.decided_by, *incident.adjustments.values()} if incident is not None else found

    async def accounts(self, player_id: str, state: RecordState) -> frozenset[str]:
        """The accounts ever linked with the player's: their alts, and of an alt the main account and its other alts.

        A charge that was overturned counts, too: whoever was once held for the same person does not judge them.
        """
        mains = {incident.main_player_id for incident in state.incidents.values() if incident.main_player_id is not None}
        found = {*_ever_alts(state), *mains}
        for main in (await self._records.states(sorted(mains))).values() if mains else ():
            found.update(_ever_alts(main))
        return frozenset(found - {player_id})


def _ever_alts(state: RecordState) -> set[str]:
    return {alt for incident in state.incidents.values() for alt in incident.alts}
