"""Carrying out commands on bans of networks: look up, decide, and hand it all to the one write path; and listing them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec

from services.moderation.network_bans.commands import BanNetwork, ExemptAccount, IncidentBan, LiftNetworkBan, OtherBan
from services.moderation.network_bans.decider import NetworkBanDecider, duplicate_of, entry_of
from services.moderation.network_bans.events import AccountExempted, NetworkBanEvent, NetworkBanned
from services.moderation.network_bans.repository import NetworkBanStreams, register_of, stream_of, subject_of
from services.moderation.network_bans.state import NetworkBanState, standing_of
from services.moderation.network_bans.view import ban_view, incident_ban, with_words, without_words, writes_of
from services.moderation.policy.holder import PolicyHolder
from services.moderation.record.acting import decider_of
from services.moderation.views.network_bans import NetworkBans
from shared.clock import Clock
from shared.commands import Attempt, CommandReply, Executor, StreamChange
from shared.context import CommandContext
from shared.decider import fold
from shared.security.keys import KeyedHash

_DECIDER = NetworkBanDecider()
_encode = msgspec.json.Encoder().encode


class NetworkBanHandler:
    """Commands on bans of networks, and the list of them."""

    def __init__(
        self,
        *,
        streams: NetworkBanStreams,
        rows: NetworkBans,
        executor: Executor,
        policies: PolicyHolder,
        digest: KeyedHash,
        clock: Clock,
        new_id: Callable[[], str],
    ) -> None:
        self._streams = streams
        self._rows = rows
        self._executor = executor
        self._policies = policies
        self._digest = digest
        self._clock = clock
        self._new_id = new_id

    async def ban(self, ctx: CommandContext, network: str, reason: str, ends_at: datetime | None) -> CommandReply:
        """Ban a network, given in its canonical form: 201; or 200 with the ban that says the same already (N04).

        Raises a `Refusal` `invalid_request` or `duration_too_long` for its end.
        """
        max_days = (await self._policies.current()).settings.max_ban_days
        network_hash = self._digest.digest(network).hex()
        network_ban_id = self._new_id()

        async def attempt(now: datetime) -> Attempt:
            entered, register_version = await self._streams.entered(network_hash)
            others = await self._streams.states(entered)
            command = BanNetwork(
                network_ban_id=network_ban_id,
                network=network,
                network_hash=network_hash,
                at=now,
                by=decider_of(ctx),
                reason=reason,
                max_days=max_days,
                ends_at=ends_at,
                others=tuple(_other(ban_id, other, now) for ban_id, other in others.items()),
            )
            events = tuple(_DECIDER.decide(command, _DECIDER.initial()))
            register = StreamChange(stream=register_of(network_hash), expected_version=register_version)
            known = duplicate_of(command)
            if known is not None:
                return self._attempt(ctx, known.network_ban_id, others[known.network_ban_id], (), now=now, status=200, also=(register,))
            register = replace(register, events=tuple(entry_of(event) for event in events if isinstance(event, NetworkBanned)))
            return self._attempt(ctx, network_ban_id, _DECIDER.initial(), events, now=now, status=201, also=(register,))

        return await self._filled(await self._executor.run(ctx, register_of(network_hash), attempt))

    async def lift(self, ctx: CommandContext, network_ban_id: str, reason: str) -> CommandReply:
        """Lift this ban and no other; nothing is recorded when it is over already.

        Raises a `Refusal` `not_found`, or `invalid_transition` for an incident's IP ban, which is lifted on its incident.
        """

        async def attempt(now: datetime) -> Attempt:
            state, incident = await self._load(network_ban_id)
            ctx.check_version(state.version)
            command = LiftNetworkBan(network_ban_id=network_ban_id, at=now, by=decider_of(ctx), reason=reason, incident=incident)
            events = tuple(_DECIDER.decide(command, state))
            return self._attempt(ctx, network_ban_id, state, events, now=now, status=200)

        return await self._filled(await self._executor.run(ctx, stream_of(network_ban_id), attempt))

    async def exempt(self, ctx: CommandContext, network_ban_id: str, player_id: str, reason: str) -> CommandReply:
        """Free one account from this ban, be it of a network or an incident's: 201, or 200 when it is exempt already (N06).

        Raises a `Refusal` `not_found`, `invalid_transition` for a ban that is over, `conflict_of_interest` for one's own account.
        """

        async def attempt(now: datetime) -> Attempt:
            state, incident = await self._load(network_ban_id)
            ctx.check_version(state.version)
            command = ExemptAccount(
                network_ban_id=network_ban_id, player_id=player_id, at=now, by=decider_of(ctx), reason=reason, incident=incident
            )
            events = tuple(_DECIDER.decide(command, state))
            return self._attempt(ctx, network_ban_id, state, events, now=now, status=201 if events else 200, incident=incident)

        return await self._filled(await self._executor.run(ctx, stream_of(network_ban_id), attempt))

    async def listed(self, after: tuple[datetime, str] | None, limit: int) -> list[tuple[dict[str, Any], datetime, str]]:
        """At most `limit` bans after the one with this moment and id, newest first, as they stand now; each with its sort key."""
        rows = await self._rows.listed(after, limit)
        states = await self._streams.states([ban_id for _, _, ban_id in rows], personal=True)
        now = self._clock.now()
        return [
            (ban_view(ban_id, states[ban_id], incident_ban(body), states[ban_id].moment(now)), created_at, ban_id)
            for body, created_at, ban_id in rows
        ]

    async def _load(self, network_ban_id: str) -> tuple[NetworkBanState, IncidentBan | None]:
        """The ban as its stream has it, and the incident's IP ban when the id is the one of that."""
        state = await self._streams.state(network_ban_id)
        return state, incident_ban(await self._rows.find(network_ban_id)) if state.banned is None else None

    def _attempt(
        self,
        ctx: CommandContext,
        network_ban_id: str,
        state: NetworkBanState,
        events: tuple[NetworkBanEvent, ...],
        *,
        now: datetime,
        status: int,
        incident: IncidentBan | None = None,
        also: tuple[StreamChange, ...] = (),
    ) -> Attempt:
        after = fold(_DECIDER, events, state)
        at = after.moment(now)
        exempted = next((event.player_id for event in events if isinstance(event, AccountExempted)), None)
        change = StreamChange(
            stream=stream_of(network_ban_id), expected_version=state.version, events=events, subject=exempted or subject_of(network_ban_id)
        )
        return Attempt(
            changes=(change, *also),
            meta=ctx.meta(),
            status=status,
            reply=without_words(ban_view(network_ban_id, after, incident, at)),
            writes=writes_of(network_ban_id, after, events, at),
        )

    async def _filled(self, reply: CommandReply) -> CommandReply:
        """The reply, first or replayed, with the network and the reasons as far as they can be read still."""
        body: dict[str, Any] = msgspec.json.decode(reply.body)
        state = await self._streams.state(body["network_ban_id"], personal=True)
        return replace(reply, body=_encode(with_words(body, state)))


def _other(network_ban_id: str, state: NetworkBanState, now: datetime) -> OtherBan:
    ends_at = state.banned.ends_at if state.banned is not None else None
    return OtherBan(network_ban_id=network_ban_id, ends_at=ends_at, active=standing_of(state, state.moment(now)) == "active")
