"""Carrying out commands on calls: load, decide, bring the room in line, and hand everything to the one write path."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from services.calls.calls.changes import attempt_of, change_of
from services.calls.calls.commands import CallCommand, PressButton, Staff, Take
from services.calls.calls.decider import decide
from services.calls.calls.events import ProblemWords
from services.calls.calls.repository import NO_CALL, Calls, LoadedCall, stream_of
from services.calls.calls.state import CallState
from services.calls.calls.transitions import OPEN
from services.calls.rooms import repository as rooms
from services.calls.rooms.authority import ruling_authority
from services.calls.rooms.repository import Rooms
from services.calls.rooms.state import RoomState
from services.calls.views.call import call_view, is_stale
from services.calls.views.queues import Queues
from services.moderation.api import Conduct, PolicyHolder
from shared.clock import Clock
from shared.commands import Attempt, CommandReply, Executor
from shared.context import CommandContext
from shared.observability import report_unreadable
from shared.refusal import Refusal, Unavailable
from shared.unreadable import UnreadableEvent

_LOOKS = 5
_PASSED_OVER = frozenset({"call_already_taken", "call_closed", "invalid_transition", "conflict_of_interest", "not_found"})


class _MovedOnError(Exception):
    """The call ended between the reads of the call and of its room: read again."""


class NothingWaitsError(Exception):
    """No call is there to take: 204, and not recorded, so that asking again looks again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed:
    """What POST /v1/calls says."""

    duel_id: str | None
    caller_id: str
    category: str
    origin: str
    words: ProblemWords


class CallHandler:
    """Commands on calls, and one call shown."""

    def __init__(
        self,
        *,
        calls: Calls,
        rooms: Rooms,
        queues: Queues,
        conduct: Conduct,
        executor: Executor,
        policies: PolicyHolder,
        clock: Clock,
        new_id: Callable[[], str],
    ) -> None:
        self._calls = calls
        self._rooms = rooms
        self._queues = queues
        self._conduct = conduct
        self._executor = executor
        self._policies = policies
        self._clock = clock
        self._new_id = new_id

    async def press(self, ctx: CommandContext, pressed: Pressed) -> CommandReply:
        """Open a call, or add a problem to the room's live one (I-41); only while the caller is not banned (N10)."""
        call_id = self._new_id()
        lane = stream_of(call_id) if pressed.duel_id is None else rooms.stream_of(pressed.duel_id)

        async def attempt(now: datetime) -> Attempt:
            room, call = await self._room_and_call(pressed.duel_id)
            checked = await self._conduct.check(pressed.caller_id, now)
            command = PressButton(
                call_id=call_id,
                caller_id=pressed.caller_id,
                category=pressed.category,
                origin=pressed.origin,
                at=now,
                words=pressed.words,
                banned=checked.banned,
                duel_id=pressed.duel_id,
                players=room.players if room is not None else (),
                ruling_authority=ruling_authority(room.format) if room is not None else None,
            )
            change = change_of(call, room, decide(command, call.state), now)
            joined = call.state.exists
            more = {"joined_existing": joined, **await self._waiting(call.state, change.after.state, now)}
            attempted = attempt_of(ctx, change, status=200 if joined else 201, more=more)
            return replace(attempted, changes=(*attempted.changes, checked.guard))

        return await self._executor.run(ctx, lane, attempt)

    async def _room_and_call(self, duel_id: str | None) -> tuple[RoomState | None, LoadedCall]:
        """The room and its live call. They are two reads: when the call ended in between, the room has moved on and is read again."""
        if duel_id is None:
            return None, NO_CALL
        for _ in range(_LOOKS):
            room = await self._rooms.find(duel_id)
            if room.call_id is None:
                return room, NO_CALL
            call = await self._calls.find(room.call_id)
            if call.state.live:
                return room, call
        raise Unavailable("Calls of this room come and go too quickly; try again.")

    async def _waiting(self, before: CallState, state: CallState, now: datetime) -> dict[str, Any]:
        """The place in the queue and the wait to expect, for who waits; `before` is the call as the queues know it."""
        if state.state != OPEN:
            return {}
        if not before.exists:
            place: int | None = await self._queues.waiting(state.category) + 1
        elif before.state != OPEN:
            place = 1  # a call that comes back is at the head (I-45)
        else:
            place = await self._queues.place(state.call_id, state.category)
        estimate = await self._queues.estimate(state.category)
        return {"queue_position": place, "estimated_wait_seconds": estimate, "stale": is_stale(state.state, state.opened_at, now)}

    async def act(self, ctx: CommandContext, call_id: str, command: Callable[[datetime], CallCommand]) -> CommandReply:
        """Carry out a command that needs nothing but the call."""

        async def attempt(now: datetime) -> Attempt:
            call = await self.loaded(ctx, call_id)
            return await self.plan(ctx, call, command(now), now)

        return await self.run(ctx, call_id, attempt)

    async def run(self, ctx: CommandContext, call_id: str, attempt: Callable[[datetime], Awaitable[Attempt]]) -> CommandReply:
        """Run an attempt on this call."""

        async def steady(now: datetime) -> Attempt:
            for _ in range(_LOOKS):
                try:
                    return await attempt(now)
                except _MovedOnError:
                    continue
            raise Unavailable("This call changes too quickly; try again.")

        return await self._executor.run(ctx, stream_of(call_id), steady)

    async def loaded(self, ctx: CommandContext, call_id: str) -> LoadedCall:
        """The call that a command is about. Raises a `Refusal`: `not_found`, `stale_version`."""
        call = await self._calls.find(call_id)
        ctx.check_version(call.state.version)
        return call

    async def plan(
        self, ctx: CommandContext, call: LoadedCall, command: CallCommand, now: datetime, *, along: Attempt | None = None, **reply: Any
    ) -> Attempt:
        """Decide the command and gather what is recorded with it. `reply` may set `status` and members of the answer."""
        events = decide(command, call.state)
        room = await self._rooms.find(call.state.duel_id) if call.state.duel_id is not None else None
        if room is not None and events and room.call_id != call.state.call_id:
            raise _MovedOnError
        change = change_of(call, room, events, now)
        status = reply.pop("status", 200)
        return attempt_of(ctx, change, status=status, more={**await self._waiting(call.state, change.after.state, now), **reply}, along=along)

    async def lease(self) -> timedelta:
        """How long a taken call is held without a sign of life (policy)."""
        return timedelta(seconds=(await self._policies.current()).settings.call_lease_seconds)

    async def take(self, ctx: CommandContext, call_id: str) -> CommandReply:
        """Take this call."""
        lease = await self.lease()
        return await self.act(ctx, call_id, lambda now: Take(by=staff_of(ctx), at=now, lease=lease))

    async def take_next(self, ctx: CommandContext, category: str | None) -> CommandReply:
        """Take the call whose turn it is; whoever loses it to another gets the next one.

        One that can't be read is passed over: it keeps nobody else waiting (E06). Raises `NothingWaitsError`, or `UnreadableEvent` when nothing
        else waits.
        """
        lease, by = await self.lease(), staff_of(ctx)

        async def attempt(now: datetime) -> Attempt:
            unreadable: UnreadableEvent | None = None
            for _ in range(_LOOKS):
                found = await self._queues.candidates(category, staff_id=by.staff_id, player_id=by.player_id, now=now)
                for call_id in found:
                    try:
                        return await self.plan(ctx, await self._calls.find(call_id), Take(by=by, at=now, lease=lease), now)
                    except _MovedOnError:
                        continue
                    except Refusal as refusal:
                        if refusal.code not in _PASSED_OVER:
                            raise
                    except UnreadableEvent as trouble:
                        report_unreadable(trouble)
                        unreadable = trouble
                if not found or unreadable is not None:
                    break
            raise unreadable or NothingWaitsError

        return await self._executor.run(ctx, "call-take-next", attempt)

    async def show(self, call_id: str) -> dict[str, Any]:
        """The call as it is now, with what people wrote. Raises a `Refusal` `not_found`."""
        call = await self._calls.find(call_id, personal=True)
        state = call.state
        room = await self._rooms.load(state.duel_id) if state.duel_id is not None else None
        return {**call_view(call, room, personal=True), **await self._waiting(state, state, self._clock.now())}


def staff_of(ctx: CommandContext) -> Staff:
    """The member of staff who acts."""
    return Staff(staff_id=ctx.principal.id, role=ctx.principal.role.value, player_id=ctx.principal.player_id)
