"""Appealed bans of networks: the ban's own stream changes together with the appeal (I-30)."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from services.moderation.appeals.overturn import Effects
from services.moderation.network_bans.commands import ExemptAccount, LiftNetworkBan
from services.moderation.network_bans.decider import NetworkBanDecider
from services.moderation.network_bans.repository import NetworkBanStreams, stream_of, subject_of
from services.moderation.network_bans.view import incident_ban, writes_of
from services.moderation.record.acting import decider_of
from services.moderation.views.network_bans import NetworkBans
from shared.commands import StreamChange
from shared.context import CommandContext
from shared.decider import fold
from shared.eventstore.port import TableWrite
from shared.refusal import Refusal

LIFTED = "Decided in an appeal."


class NetworkAppeals(Protocol):
    """What the appeals ask of bans of networks."""

    async def check_exists(self, network_ban_id: str) -> None:
        """Raises a `Refusal` `not_found` when there is no such ban."""
        ...

    async def decided(
        self, ctx: CommandContext, network_ban_id: str | None, effects: Effects, player_id: str, now: datetime, reason: str
    ) -> tuple[tuple[StreamChange, ...], tuple[TableWrite, ...]]:
        """What the decision changes on the ban: lifted for all, or this account exempt from it."""
        ...


class RecordedNetworkBans:
    """Over the bans' own streams."""

    def __init__(self, streams: NetworkBanStreams, rows: NetworkBans) -> None:
        self._streams = streams
        self._rows = rows

    async def check_exists(self, network_ban_id: str) -> None:
        """See `NetworkAppeals.check_exists`."""
        if await self._rows.find(network_ban_id) is None:
            raise Refusal("not_found", "There is no such network ban.")

    async def involved(self, network_ban_id: str | None) -> frozenset[str]:
        """See `BannedNetworks.involved`."""
        if network_ban_id is None:
            return frozenset()
        state = await self._streams.state(network_ban_id)
        return frozenset({*((state.banned.by,) if state.banned else ()), *(exempted.by for exempted in state.exemptions.values())})

    async def incident_of(self, network_ban_id: str) -> tuple[str, str] | None:
        """See `BannedNetworks.incident_of`."""
        imposed = incident_ban(await self._rows.find(network_ban_id))
        return None if imposed is None else (imposed.player_id, imposed.incident_id)

    async def decided(
        self, ctx: CommandContext, network_ban_id: str | None, effects: Effects, player_id: str, now: datetime, reason: str
    ) -> tuple[tuple[StreamChange, ...], tuple[TableWrite, ...]]:
        """See `NetworkAppeals.decided`. A ban that is over already, or an account exempt already, changes nothing.

        The verdict's words are about the player, so the lifted ban, which outlives an erasure of the player, does not repeat them.
        """
        if network_ban_id is None or not (effects.lift_network or effects.exempt):
            return (), ()
        state, incident = await self._streams.state(network_ban_id), incident_ban(await self._rows.find(network_ban_id))
        if effects.lift_network and incident is not None:
            detail = "An incident imposed this ban. Modify the decision to exempt this account; the ban itself falls with its incident."
            raise Refusal("invalid_request", detail, field="outcome")
        by, at = decider_of(ctx), state.moment(now)
        command: LiftNetworkBan | ExemptAccount = LiftNetworkBan(network_ban_id=network_ban_id, at=at, by=by, reason=LIFTED)
        if effects.exempt:
            command = ExemptAccount(network_ban_id=network_ban_id, player_id=player_id, at=at, by=by, reason=reason, incident=incident)
        decider = NetworkBanDecider()
        events = tuple(decider.decide(command, state))
        subject = player_id if effects.exempt else subject_of(network_ban_id)
        change = StreamChange(stream=stream_of(network_ban_id), expected_version=state.version, events=events, subject=subject)
        return (change,), writes_of(network_ban_id, fold(decider, events, state), events, at, in_appeal=True)
