"""The operations of `calls`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Literal, Unpack

from shared.client.api.calls.bodies import (
    AppealBody,
    CancelBody,
    CategoryBody,
    DecisionBody,
    IdleBody,
    MomentBody,
    PresenceBody,
    PressBody,
    ResolveBody,
    TakeNextBody,
    VerdictBody,
)
from shared.client.api.calls.replies import AppealDecidedReply, Call, CallPage, CallReply, DecidedReply, PressedReply, Queues, ResolvedReply
from shared.client.options import CommandOptions, ReadOptions, VersionedOptions
from shared.client.paged import Paged
from shared.client.transport import Transport, segment


class CallsOperations:
    """The operations of `calls`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def appeal(self, call_id: str, body: AppealBody, **options: Unpack[VersionedOptions]) -> CallReply:
        """Appeal a decision.

        A participant's right; no member of staff can refuse it (I-47). For game_server. Problems of its own: call_closed, invalid_transition,
        not_in_duel, no_decision_yet, decision_final, appeal_exists, incident_overturned.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/appeal", CallReply, command=True, body=body, options=options)

    async def cancel(self, call_id: str, body: CancelBody, **options: Unpack[VersionedOptions]) -> CallReply:
        """Take one's own problems back.

        Cancels the call when no other problem stands (I-41, I-42). For game_server. Problems of its own: call_closed, invalid_transition,
        call_already_taken, not_the_caller.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/cancel", CallReply, command=True, body=body, options=options)

    async def correct_category(self, call_id: str, body: CategoryBody, **options: Unpack[VersionedOptions]) -> CallReply:
        """Correct the category.

        Keeps the call, and its time (I-46). For admin, senior_admin, head_admin. Problems of its own: call_closed, invalid_transition, not_the_taker,
        unknown_category.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/category", CallReply, command=True, body=body, options=options)

    async def decide(self, call_id: str, body: DecisionBody, **options: Unpack[VersionedOptions]) -> DecidedReply:
        """Decide.

        A penalty's incident is decided in the same transaction, or neither is recorded. For admin, senior_admin, head_admin. Problems of its own:
        call_closed, invalid_transition, not_the_taker, irreparable_game_state, ai_ruling_not_accepted, conflict_of_interest, unknown_infraction,
        duplicate_infraction, discretion_required, discretion_not_allowed, discretion_out_of_range, upgrade_not_available, occurred_in_future,
        unknown_variant, invalid_network, duration_too_long, incident_exists, not_evasion, head_admin_required.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/decisions", DecidedReply, command=True, body=body, options=options)

    async def decide_appeal(self, call_id: str, body: VerdictBody, **options: Unpack[VersionedOptions]) -> AppealDecidedReply:
        """Have the last word on a decision.

        By another Senior or Head Admin than had the call; final. The call is then theirs. On a penalty it decides the incident's appeal too (I-34,
        I-47). For senior_admin, head_admin. Problems of its own: call_closed, invalid_transition, conflict_of_interest, senior_admin_required,
        already_decided, stale_version, duration_too_long.
        """
        return await self.transport.fetch(
            "POST", f"/v1/calls/{segment(call_id)}/appeal/decision", AppealDecidedReply, command=True, body=body, options=options
        )

    async def heartbeat(self, call_id: str, **options: Unpack[VersionedOptions]) -> CallReply:
        """Renew the lease.

        For admin, senior_admin, head_admin. Problems of its own: call_closed, invalid_transition, not_the_taker.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/heartbeat", CallReply, command=True, options=options)

    async def idle(self, call_id: str, body: IdleBody, **options: Unpack[VersionedOptions]) -> CallReply:
        """Record that a player was idle.

        Part of what `afk.suggests` rests on (I-50). For game_server. Problems of its own: call_closed, not_in_duel, occurred_in_future.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/idle", CallReply, command=True, body=body, options=options)

    def list_calls(
        self, *, limit: int = 50, state: Literal["appealed", "cancelled", "open", "resolved", "taken"] | None = None, category: str | None = None,
        **options: Unpack[ReadOptions]
    ) -> Paged[Call]:
        """Calls, oldest first.

        Without what people wrote; that is shown with each call. For game_server, admin, senior_admin, head_admin. Problems of its own:
        unknown_category.
        """
        return Paged(self.transport, "/v1/calls", {"limit": limit, "state": state, "category": category}, CallPage, options)

    async def presence(self, call_id: str, body: PresenceBody, **options: Unpack[VersionedOptions]) -> CallReply:
        """Record that a player left or came back.

        Cancels nothing (I-44). For game_server. Problems of its own: call_closed, not_in_duel.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/presence", CallReply, command=True, body=body, options=options)

    async def press(self, body: PressBody, **options: Unpack[CommandOptions]) -> PressedReply:
        """Press the Call Admin button.

        Opens a call, which pauses the duel of a participant (I-43), or adds a problem to the room's live call (200, I-41). For game_server. Problems
        of its own: unknown_category, not_in_duel, banned, not_found.
        """
        return await self.transport.fetch("POST", "/v1/calls", PressedReply, command=True, body=body, options=options)

    async def prompt(self, call_id: str, body: MomentBody, **options: Unpack[VersionedOptions]) -> CallReply:
        """Record that the taker prompted a player.

        For admin, senior_admin, head_admin. Problems of its own: call_closed, invalid_transition, not_the_taker, not_in_duel, occurred_in_future.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/prompts", CallReply, command=True, body=body, options=options)

    async def queues(self, **options: Unpack[ReadOptions]) -> Queues:
        """How many wait, and how long.

        For game_server, admin, senior_admin, head_admin.
        """
        return await self.transport.fetch("GET", "/v1/calls/queues", Queues, options=options)

    async def release(self, call_id: str, **options: Unpack[VersionedOptions]) -> CallReply:
        """Put the call back, to the head of its queue.

        The duel pauses again (I-45). For admin, senior_admin, head_admin. Problems of its own: call_closed, invalid_transition, not_the_taker.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/release", CallReply, command=True, options=options)

    async def reply(self, call_id: str, body: MomentBody, **options: Unpack[VersionedOptions]) -> CallReply:
        """Record a player's reply to a prompt.

        For game_server. Problems of its own: call_closed, not_in_duel, occurred_in_future.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/replies", CallReply, command=True, body=body, options=options)

    async def resolve(self, call_id: str, body: ResolveBody, **options: Unpack[VersionedOptions]) -> ResolvedReply:
        """Close the call.

        With `misuse` the caller is charged with Call Admin Button Misuse in the same transaction (I-46). For admin, senior_admin, head_admin.
        Problems of its own: call_closed, invalid_transition, not_the_taker, conflict_of_interest, unknown_infraction, duplicate_infraction,
        discretion_required, discretion_not_allowed, discretion_out_of_range, upgrade_not_available, occurred_in_future, unknown_variant,
        invalid_network, duration_too_long, incident_exists, not_evasion, head_admin_required.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/resolve", ResolvedReply, command=True, body=body, options=options)

    async def resume_play(self, call_id: str, **options: Unpack[VersionedOptions]) -> CallReply:
        """Let the players go on; the call stays taken.

        The duel is no longer under an admin (I-50). For admin, senior_admin, head_admin. Problems of its own: call_closed, invalid_transition,
        not_the_taker.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/resume-play", CallReply, command=True, options=options)

    async def show(self, call_id: str, **options: Unpack[ReadOptions]) -> Call:
        """One call, with what people wrote.

        For game_server, admin, senior_admin, head_admin. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/calls/{segment(call_id)}", Call, options=options)

    async def take(self, call_id: str, **options: Unpack[VersionedOptions]) -> CallReply:
        """Take this call.

        One winner. Play resumes under the admin. Held for the policy's lease, longer by heartbeats; past it anyone may take it over. For admin,
        senior_admin, head_admin. Problems of its own: call_closed, invalid_transition, call_already_taken, conflict_of_interest.
        """
        return await self.transport.fetch("POST", f"/v1/calls/{segment(call_id)}/take", CallReply, command=True, options=options)

    async def take_next(self, body: TakeNextBody, **options: Unpack[CommandOptions]) -> CallReply | None:
        """Take the call whose turn it is.

        First in, first out within a category; a released call comes first (I-45), and so does one whose taker fell silent. Never a call in a duel of
        one's own (I-51). 204 when none waits. For admin, senior_admin, head_admin. Problems of its own: unknown_category.
        """
        return await self.transport.fetch_optional("POST", "/v1/calls/take-next", CallReply, command=True, body=body, options=options)
