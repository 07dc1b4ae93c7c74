"""The staff register over the store: load, decide, record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from services.moderation.staff.commands import PutStaff
from services.moderation.staff.decider import StaffDecider, StaffEvent
from services.moderation.staff.state import StaffState
from shared.commands import Attempt, CommandReply, Executor, StreamChange
from shared.context import CommandContext
from shared.decider import fold
from shared.eventstore.codec import Codec
from shared.eventstore.port import EventStore, TableWrite
from shared.refusal import Refusal
from shared.security.roles import Role

_DECIDER = StaffDecider()


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffEntry:
    """An entry of the register at version `version` of its stream."""

    staff_id: str
    level: Role
    player_id: str | None
    active: bool
    version: int


class StaffRegister:
    """The register of who is staff."""

    def __init__(self, store: EventStore, codec: Codec, executor: Executor) -> None:
        self._store = store
        self._codec = codec
        self._executor = executor

    async def put(self, ctx: CommandContext, command: PutStaff) -> CommandReply:
        """Make the entry say what the command says: 201 for a new one, 200 else; nothing is recorded when it says so already.

        Raises a `Refusal` `conflict_of_interest` for one's own entry, `stale_version` for an `If-Match` of another version.
        """

        async def attempt(now: datetime) -> Attempt:  # noqa: ARG001  the register knows no time
            state, version = await load_staff(self._store, self._codec, command.staff_id)
            ctx.check_version(version)
            events = tuple(_DECIDER.decide(command, state))
            after = fold(_DECIDER, events, state)
            return Attempt(
                changes=(StreamChange(stream=staff_stream(command.staff_id), expected_version=version, events=events),),
                meta=ctx.meta(),
                status=200 if state.registered else 201,
                reply=_as_reply(entry_of(command.staff_id, after, version + len(events))),
                writes=(staff_row(command.staff_id, after, version + len(events)),) if events else (),
            )

        return await self._executor.run(ctx, staff_stream(command.staff_id), attempt)

    async def get(self, staff_id: str) -> StaffEntry:
        """The entry as it is now; raises a `Refusal` `not_found`."""
        state, version = await load_staff(self._store, self._codec, staff_id)
        if not state.registered:
            raise Refusal("not_found", "There is no such member of staff.")
        return entry_of(staff_id, state, version)


def staff_stream(staff_id: str) -> str:
    """The stream of one member of staff."""
    return f"staff-{staff_id}"


async def load_staff(store: EventStore, codec: Codec, staff_id: str) -> tuple[StaffState, int]:
    """The member's entry and the version of its stream (0: nobody yet)."""
    stored = await store.read(staff_stream(staff_id))
    events = cast("Sequence[StaffEvent]", [codec.decode(event) for event in stored])
    return fold(_DECIDER, events), len(stored)


def entry_of(staff_id: str, state: StaffState, version: int) -> StaffEntry:
    """The state as it is shown."""
    return StaffEntry(staff_id=staff_id, level=state.level, player_id=state.player_id, active=state.active, version=version)


def staff_row(staff_id: str, state: StaffState, version: int) -> TableWrite:
    """The row of the `staff` table, from which principals are read."""
    return TableWrite(table="staff", row=(staff_id, version, state.level.value, state.player_id, state.active))


def _as_reply(entry: StaffEntry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in ("staff_id", "level", "player_id", "active", "version")}
