"""Short ways to say what happens with appeals on one record: file, withdraw, decide; what a decision did, and who may not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import pytest

from services.moderation.appeals.commands import DecideAppeal, Facts, OpenAppeal, WithdrawAppeal
from services.moderation.appeals.decider import decide_appeal, open_appeal, withdraw_appeal
from services.moderation.appeals.events import Target
from services.moderation.appeals.overturn import Effects
from services.moderation.policy.tables import Policy
from services.moderation.record.commands import Decider
from services.moderation.record.entries import Incident
from services.moderation.record.events import IncidentDecided, IncidentReassessed, RecordEvent, SanctionsAdjusted
from services.moderation.record.state import RecordState
from services.moderation.views.timeline import Recorded
from shared.refusal import Refusal
from tests.support.record import PLAYER, POLICY, SENIOR, TICK, Past, ids, kinds

HEAD_B = Decider(staff_id="head-2", role="head_admin", player_id="head-2-player")
SENIOR_B = Decider(staff_id="senior-2", role="senior_admin", player_id="senior-2-player")


def recorded(events: Iterable[RecordEvent]) -> list[Recorded]:
    """The events as the log gives them back."""
    return [Recorded(event=event, version=number, position=number, recorded_at=event.at) for number, event in enumerate(events, 1)]


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of an appeal: what it did, the record before it and after it."""

    before: Past
    past: Past
    effects: Effects

    def incident(self, incident_id: str) -> Incident:
        return self.past.state().incidents[incident_id]

    def reread(self) -> list[tuple[str, int, int, list[str], list[str]]]:
        """What was read again: incident, columns, kinds of sanctions before and after."""
        return [
            (item.incident_id, item.column_before, item.column_after, kinds(item.sanctions_before), kinds(item.sanctions_after))
            for item in self.effects.reassessed
        ]

    def kept(self) -> dict[str, str]:
        """What was kept, and why."""
        return {item.incident_id: item.why for item in self.effects.kept}


def now(past: Past) -> datetime:
    """A moment after all of the record."""
    last = past.state().last_at
    assert last is not None
    return last + TICK


def target(incident_id: str | None = None, **other: str) -> Target:
    return Target(incident_id=incident_id, **other)


def filing(past: Past, what: Target | str, *, incident_id: str | None = None, at: datetime | None = None, appeal_id: str | None = None) -> OpenAppeal:
    """The player appeals this."""
    aim = target(what) if isinstance(what, str) else what
    return OpenAppeal(
        appeal_id=appeal_id or ids(1)[0],
        player_id=PLAYER,
        at=at or now(past),
        filed_by="game",
        target=aim,
        incident_id=incident_id or aim.incident_id,
        grounds="It was my cat.",
    )


def filed(past: Past, what: Target | str, **fields: Any) -> tuple[Past, str]:
    """The record with the appeal, and its id."""
    command = filing(past, what, **fields)
    return past.given(*open_appeal(command, past.state())), command.appeal_id


def withdrawn(past: Past, appeal_id: str) -> Past:
    command = WithdrawAppeal(appeal_id=appeal_id, player_id=PLAYER, at=now(past), by="game")
    return past.given(*withdraw_appeal(command, past.state()))


def decision(
    past: Past, appeal_id: str, outcome: str = "overturned", *, by: Decider = SENIOR, facts: Facts | None = None, **fields: Any
) -> DecideAppeal:
    """Decide it so; every policy that the record names is at hand."""
    known = facts or Facts(policies={POLICY.version: POLICY})
    return DecideAppeal(
        appeal_id=appeal_id, player_id=fields.pop("player_id", PLAYER), at=fields.pop("at", None) or now(past), by=by, outcome=outcome, reason="r",
        reply=None, ids=ids(80), policy=fields.pop("policy", POLICY), facts=known, **fields,
    )  # fmt: skip


def decide(past: Past, appeal_id: str, outcome: str = "overturned", **fields: Any) -> Decided:
    """Decide the appeal."""
    command = decision(past, appeal_id, outcome, **fields)
    effects = decide_appeal(command, past.state(), recorded(past.past))
    return Decided(before=past, past=past.given(*effects.events), effects=effects)


def overturn(past: Past, incident_id: str, **fields: Any) -> Decided:
    """The player appeals the incident and it is overturned."""
    return appealed(past, incident_id, "overturned", **fields)


def appealed(past: Past, what: Target | str, outcome: str, *, incident_id: str | None = None, **fields: Any) -> Decided:
    """The player appeals this and it is decided so."""
    open_, appeal_id = filed(past, what, incident_id=incident_id)
    return decide(open_, appeal_id, outcome, **fields)


def refused(code: str, past: Past, appeal_id: str, outcome: str = "overturned", **fields: Any) -> Refusal:
    """The decision is refused with this code."""
    with pytest.raises(Refusal) as caught:
        decide(past, appeal_id, outcome, **fields)
    assert caught.value.code == code
    return caught.value


def filing_refused(code: str, past: Past, what: Target | str, *, incident_id: str | None = None) -> Refusal:
    """Filing it is refused with this code."""
    with pytest.raises(Refusal) as caught:
        open_appeal(filing(past, what, incident_id=incident_id), past.state())
    assert caught.value.code == code
    return caught.value


def issued(past: Past) -> list[str]:
    """The incidents that the record decided, oldest first."""
    return [event.incident_id for event in past.past if isinstance(event, IncidentDecided)]


def adjusted(past: Past) -> str:
    """The id of the last adjustment."""
    return [event.adjustment_id for event in past.past if isinstance(event, SanctionsAdjusted)][-1]


def active(state: RecordState, incident_id: str) -> list[tuple[str, int | None]]:
    """Kind and days of what is in force of the incident."""
    return sorted((held.sanction.kind, held.sanction.days) for held in state.incidents[incident_id].sanctions if held.state == "active")


def rereads(events: Sequence[RecordEvent]) -> list[IncidentReassessed]:
    return [event for event in events if isinstance(event, IncidentReassessed)]


def changed(policy: Policy, version: str, **settings: Any) -> Policy:
    """Another version of the rule table, with these settings."""
    return replace(policy, version=version, settings=replace(policy.settings, **settings))
