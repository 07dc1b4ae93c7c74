"""Short ways to say what happens on a player's record: charges, commands, pasts, and what a standing says."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from services.moderation.policy.loader import packaged_policy
from services.moderation.policy.tables import Policy
from services.moderation.record.commands import AdjustSanctions, Charge, DecideIncident, Decider, Facts, ImportIncident, RecordCommand
from services.moderation.record.decider import decide
from services.moderation.record.events import Discretion, IncidentDecided, Outcome, RecordEvent, Sanction
from services.moderation.record.state import INITIAL, RecordState, evolve
from services.moderation.views.standing import Standing, facts_of, standing_at
from tests.support.scenario import Scenario

T0 = datetime(2026, 11, 30, 10, tzinfo=UTC)
DAY, WEEK, TICK = timedelta(hours=24), timedelta(days=7), timedelta(microseconds=1)
POLICY: Policy = packaged_policy()
ADMIN = Decider(staff_id="admin-1", role="admin", player_id="admin-1-player")
SENIOR = Decider(staff_id="senior-1", role="senior_admin", player_id="senior-1-player")
HEAD = Decider(staff_id="head-1", role="head_admin", player_id="head-1-player")
PLAYER = "p1"
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class RecordDecider:
    """The record's functions, as a scenario takes them."""

    def initial(self) -> RecordState:
        return INITIAL

    def decide(self, command: RecordCommand, state: RecordState) -> Sequence[RecordEvent]:
        return decide(command, state)

    def evolve(self, state: RecordState, event: RecordEvent) -> RecordState:
        return evolve(state, event)


Past = Scenario[RecordCommand, RecordState, RecordEvent]
NEW: Past = Scenario(RecordDecider())
"""A player never seen."""


def restart_ids() -> None:
    """Give the same ids again from the first on: for what must be repeatable within one process."""
    global _numbers  # noqa: PLW0603  one counter serves all tests
    _numbers = itertools.count(1)


def ids(count: int = 12) -> tuple[str, ...]:
    """New ids."""
    return tuple(f"id-{next(_numbers)}" for _ in range(count))


def outcomes(*named: str | int) -> tuple[Outcome, ...]:
    """Sanctions by kind; a number is a ban of so many days."""
    return tuple(Outcome(kind="ban", days=name) if isinstance(name, int) else Outcome(kind=name) for name in named)


def charge(infraction: str, **fields: Any) -> Charge:
    """One offense; what belongs to the discretion goes there."""
    chosen = {name: fields.pop(name) for name in tuple(fields) if name in Discretion.__dataclass_fields__}
    return Charge(infraction=infraction, discretion=Discretion(**chosen), **fields)


def incident(*charges: str | Charge, at: datetime = T0, by: Decider = ADMIN, **fields: Any) -> DecideIncident:
    """Handle these offenses as one incident of the player."""
    (incident_id,) = ids(1)
    return DecideIncident(
        incident_id=fields.pop("incident_id", incident_id),
        player_id=fields.pop("player_id", PLAYER),
        at=at,
        by=by,
        policy=fields.pop("policy", POLICY),
        charges=tuple(item if isinstance(item, Charge) else charge(item) for item in charges),
        ids=ids(),
        **fields,
    )


def evading(*alts: str, at: datetime = T0, banned: Mapping[str, bool] | None = None, **fields: Any) -> DecideIncident:
    """Charge these accounts as alts; `banned`: which other accounts are banned now."""
    facts = Facts(banned=banned or {}, networks=fields.pop("networks", ()))
    return incident(charge("multiple-accounts", alts=alts, **fields), at=at, facts=facts)


def imported(*named: str | int, decided_at: datetime, at: datetime = T0, strike: bool = True, **fields: Any) -> ImportIncident:
    """Take over an incident with these sanctions."""
    (incident_id, external_id) = ids(2)
    return ImportIncident(
        incident_id=incident_id,
        player_id=PLAYER,
        at=at,
        by=fields.pop("by", HEAD),
        policy=POLICY,
        infraction=fields.pop("infraction", "spam-major"),
        decided_at=decided_at,
        decided_by="former-admin",
        strike=strike,
        sanctions=outcomes(*named),
        external_id=fields.pop("external_id", external_id),
        ids=ids(),
        **fields,
    )


def struck(count: int, past: Past = NEW) -> Past:
    """The record with so many strikes whose bans were served long ago."""
    long_ago = T0 - timedelta(days=400)
    return past.after(*(imported(1, decided_at=long_ago + n * DAY, at=T0 - DAY) for n in range(count)))


def adjustment(incident_id: str, *named: str | int, at: datetime = T0, strike: bool = True, by: Decider = HEAD, **fields: Any) -> AdjustSanctions:
    """Replace the sanctions of an incident by these."""
    (adjustment_id,) = ids(1)
    return AdjustSanctions(
        adjustment_id=adjustment_id,
        incident_id=incident_id,
        player_id=PLAYER,
        at=at,
        by=by,
        policy=POLICY,
        sanctions=outcomes(*named),
        strike=strike,
        reason="On review.",
        ids=ids(),
        **fields,
    )


def decided(past: Past, command: DecideIncident) -> IncidentDecided:
    """The incident that the command becomes."""
    (event,) = past.when(command).happens()
    assert isinstance(event, IncidentDecided)
    return event


def kinds(sanctions: Iterable[Sanction | Outcome]) -> list[str]:
    """The kinds, sorted."""
    return sorted(sanction.kind for sanction in sanctions)


def ban_days(event: IncidentDecided) -> int | None:
    """The days of its one timed ban, None without one."""
    found = [sanction.days for sanction in event.sanctions if sanction.kind == "ban"]
    assert len(found) <= 1
    return found[0] if found else None


def standing(past: Past, at: datetime = T0) -> Standing:
    """The standing at this moment, from all that has happened."""
    state = past.state()
    return standing_at(PLAYER, facts_of(state), state.version, at)
