"""Decisions on calls that reach into conduct records: penalties, their appeals, and misuse of the button, each in one transaction with its call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from services.calls.calls.commands import AppealDecision, Decide, DecideCallAppeal, Resolve
from services.calls.calls.events import Words
from services.calls.calls.handler import CallHandler, staff_of
from services.calls.calls.judging import appeal as decide_open
from services.calls.calls.judging import charged, check_decide, check_resolve, check_reviewer
from services.calls.calls.ports import PenaltyAppeals, PenaltyVerdict
from services.calls.calls.state import CallState, Decision
from services.moderation.api import Charge, NewIncident, RecordHandler
from shared.commands import Attempt, CommandReply
from shared.context import CommandContext
from shared.refusal import Refusal, Unavailable

MISUSE = "call-admin-misuse"  # the row that is Call Admin's own (I-46)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDecision:
    """What POST /v1/calls/{call_id}/decisions says; a penalty comes with its incident."""

    kind: str
    words: Words
    sources: tuple[str, ...]
    incident: NewIncident | None
    possible_in_paper: bool | None
    from_history: bool | None


class Judgements:
    """The taker's and the reviewer's words."""

    def __init__(self, *, calls: CallHandler, record: RecordHandler, appeals: PenaltyAppeals, new_id: Callable[[], str]) -> None:
        self._calls = calls
        self._record = record
        self._appeals = appeals
        self._new_id = new_id

    async def decide(self, ctx: CommandContext, call_id: str, new: NewDecision) -> CommandReply:
        """Record a decision; a penalty's incident is decided along with it, or neither is."""
        decision_id, incident_id = self._new_id(), self._new_id()

        async def attempt(now: datetime) -> Attempt:
            call = await self._calls.loaded(ctx, call_id)
            command = Decide(
                decision_id=decision_id,
                kind=new.kind,
                by=staff_of(ctx),
                at=now,
                words=new.words,
                sources=new.sources,
                incident_id=incident_id if new.incident is not None else None,
                player_id=new.incident.player_id if new.incident is not None else None,
                possible_in_paper=new.possible_in_paper,
                from_history=new.from_history,
            )
            check_decide(command, call.state)
            along = None
            if new.incident is not None:
                along = await self._record.plan_incident(ctx, _placed(new.incident, call.state), incident_id, now)
            incident = along.reply if along is not None else None
            return await self._calls.plan(ctx, call, command, now, along=along, status=201, decision_id=decision_id, incident=incident)

        return await self._calls.run(ctx, call_id, attempt)

    async def appeal(self, ctx: CommandContext, call_id: str, decision_id: str, player_id: str) -> CommandReply:
        """A participant appeals a decision; that of a penalty is an appeal of its incident as well."""
        record_appeal_id = self._new_id()

        async def attempt(now: datetime) -> Attempt:
            call = await self._calls.loaded(ctx, call_id)
            command = AppealDecision(decision_id=decision_id, player_id=player_id, at=now)
            decide_open(command, call.state)
            decision = call.state.decisions[decision_id]
            along = None
            if decision.incident_id is not None and decision.player_id is not None:
                along = await self._appeals.plan_open(ctx, record_appeal_id, decision.player_id, decision.incident_id, now)
                command = replace(command, record_appeal_id=record_appeal_id)
            return await self._calls.plan(ctx, call, command, now, along=along)

        return await self._calls.run(ctx, call_id, attempt)

    async def decide_appeal(self, ctx: CommandContext, call_id: str, verdict: PenaltyVerdict) -> CommandReply:
        """The last word; that on a penalty decides its incident too (I-34, I-47)."""
        lease = await self._calls.lease()

        async def attempt(now: datetime) -> Attempt:
            call = await self._calls.loaded(ctx, call_id)
            command = DecideCallAppeal(outcome=verdict.outcome, by=staff_of(ctx), at=now, lease=lease, words=Words(text=verdict.text))
            check_reviewer(command, call.state)
            decision = call.state.decisions[call.state.appealed or ""]
            along = await self._incident_decided(ctx, decision, verdict, now)
            reply: dict[str, Any] = {"incident_appeal": along.reply} if along is not None else {}
            return await self._calls.plan(ctx, call, command, now, along=along, **reply)

        return await self._calls.run(ctx, call_id, attempt)

    async def _incident_decided(self, ctx: CommandContext, decision: Decision, verdict: PenaltyVerdict, now: datetime) -> Attempt | None:
        if decision.incident_id is None:
            if verdict.details:
                raise Refusal("invalid_request", "Only a penalty has sanctions to decide on.", field="sanctions")
            return None
        if decision.record_appeal_id is None or decision.player_id is None:
            raise Unavailable("The appeal of this penalty's incident can't be found.")
        return await self._appeals.plan_decision(ctx, decision.record_appeal_id, decision.player_id, verdict, now)

    async def resolve(self, ctx: CommandContext, call_id: str, words: Words, *, misuse: bool) -> CommandReply:
        """Close the call; with `misuse` the caller is charged in the same transaction (I-46)."""
        incident_id = self._new_id()

        async def attempt(now: datetime) -> Attempt:
            call = await self._calls.loaded(ctx, call_id)
            command = Resolve(by=staff_of(ctx), at=now, words=words, misuse=misuse, incident_id=incident_id if misuse else None)
            check_resolve(command, call.state)
            along = await self._record.plan_incident(ctx, _misuse(call.state), incident_id, now) if misuse else None
            return await self._calls.plan(ctx, call, command, now, along=along, incident=along.reply if along is not None else None)

        return await self._calls.run(ctx, call_id, attempt)


def _placed(incident: NewIncident, state: CallState) -> NewIncident:
    """The incident as one of this call and its duel. Raises a `Refusal` `invalid_request` when it names others."""
    if incident.call_id not in (None, state.call_id):
        raise Refusal("invalid_request", "The incident names another call.", field="incident.call_id")
    if state.duel_id is not None and incident.duel_id not in (None, state.duel_id):
        raise Refusal("invalid_request", "The incident names another duel.", field="incident.duel_id")
    return replace(incident, call_id=state.call_id, duel_id=state.duel_id or incident.duel_id)


def _misuse(state: CallState) -> NewIncident:
    return NewIncident(
        player_id=charged(state),
        charges=(Charge(infraction=MISUSE),),
        occurred_at=None,
        duel_id=state.duel_id,
        call_id=state.call_id,
        external_id=None,
        notify=True,
        details=None,
        evidence_kinds=(),
    )
