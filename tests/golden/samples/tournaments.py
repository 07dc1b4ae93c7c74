"""Samples of tournaments and referrals."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from services.moderation.policy.penalties import CellChange
from services.moderation.referrals.events import ReferralClosed, ReferralOpened, ReferralWords
from services.moderation.tournaments import events
from tests.golden.files import Sample

_AT: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_PENALTY: Final = "019ad000-0000-7000-8000-000000000062"
_OTHER: Final = "019ad000-0000-7000-8000-000000000064"
_REFERRAL: Final = "019ad000-0000-7000-8000-000000000061"
_DUTY: Final = "019ad000-0000-7000-8000-000000000063"
_INCIDENT: Final = "019ad000-0000-7000-8000-000000000012"

_GIVEN: Final = events.PenaltyGiven(
    penalty_id=_PENALTY,
    person_id="p1",
    reported="unlisted-minor",
    infraction="unsporting-major",
    rel="competitive",
    round=1,
    game=2,
    standard="game_loss",
    basis="assumed",
    section=142,
    penalty="warning",
    steps=(
        events.Step(rule="30-instruction", before="game_loss", after="game_loss"),
        events.Step(rule="1-deviation", before="game_loss", after="warning"),
    ),
    applies_to=events.Application(round=1, game=2),
    absorbed=False,
    effects=(events.Effect(kind="time_extension", person_id="p1", rule="20-time-extension", round=1, seconds=90),),
    duties=(events.Duty(duty_id=_DUTY, kind="report_to_penalty_database", to="penalty_database", rule="30-penalty-database"),),
    by="senior-1",
    role="senior_admin",
    at=_AT,
    cause="00ff",
    deviation=events.Deviation(penalty="warning", because="exceptional_circumstances"),
    words=events.PenaltyWords(description="A table collapsed.", deviation_reason="The table.", root_cause="the table"),
)
_NO_PENALTY: Final = events.PenaltyGiven(
    penalty_id=_OTHER,
    person_id="p2",
    reported="unlisted-minor",
    infraction="unlisted-minor",
    rel="regular",
    round=1,
    game=1,
    standard="caution",
    basis="stated",
    section=30,
    penalty=None,
    steps=(events.Step(rule="30-instruction", before="caution", after=None),),
    applies_to=None,
    absorbed=False,
    effects=(events.Effect(kind="direct_instruction", person_id="p2", rule="30-instruction", round=1),),
    duties=(),
    by="admin-1",
    role="admin",
    at=_AT,
    remedy="note_missing",
    similar_to=_PENALTY,
    companion_of=_PENALTY,
)
_EVENTS: Final[tuple[object, ...]] = (
    events.TournamentSet(
        tournament_id="t1",
        rel="competitive",
        games_per_match=3,
        decklists=True,
        scoring_version="3.0",
        head_judge_id="senior-1",
        judge_ids=("admin-1",),
        tardiness_grace_seconds=180,
        by="head-1",
        at=_AT,
    ),
    events.TableSet(cells=(CellChange(infraction="unsporting-minor", rel="regular", penalty="warning"),), note="House rules.", by="head-1", at=_AT),
    events.PersonEntered(person_id="p1", kind="player", at=_AT),
    events.RoundBegan(number=1, stage="swiss", games_per_match=3, pairings=(("p1", "p2"), ("p3",)), starts_at=_AT, by="head-1", at=_AT),
    _GIVEN,
    _NO_PENALTY,
    events.PenaltyAbsorbed(penalty_id=_PENALTY, by_penalty_id=_OTHER, at=_AT),
    events.PenaltyMoved(
        penalty_id=_OTHER,
        by_penalty_id=_PENALTY,
        applies_to=events.Application(round=2, game=1),
        effects=(events.Effect(kind="lose_game", person_id="p2", rule="20-game-loss", round=2, game=1, unless="reported", points=1),),
        rule="20-opponent-match-loss",
        at=_AT,
    ),
    events.DutyDischarged(duty_id=_DUTY, by="admin-1", at=_AT),
    events.PenaltyReferred(penalty_id=_PENALTY, referral_id=_REFERRAL, by="senior-1", at=_AT),
    events.LatecomerReported(person_id="p2", round=1, at=_AT),
    events.PersonDropped(person_id="p2", round=1, because="tardiness", at=_AT),
    events.StandingsPut(order=("p1", "p2"), cut=1, advancing=("p1",), by="head-1", at=_AT),
)
_REFERRALS: Final[tuple[object, ...]] = (
    ReferralOpened(
        referral_id=_REFERRAL, tournament_id="t1", penalty_id=_PENALTY, person_id="p1", infraction="fraud", penalty="disqualification", by="senior-1",
        at=_AT,
    ),
    ReferralClosed(by="admin-1", role="admin", at=_AT, incident_id=_INCIDENT, words=ReferralWords(reason="Charged as cheating.")),
)  # fmt: skip
SAMPLES: Final = (
    *(Sample(event=event, stream="tournament-t1", version=version) for version, event in enumerate(_EVENTS, 1)),
    *(Sample(event=event, stream=f"referral-{_REFERRAL}", version=version) for version, event in enumerate(_REFERRALS, 1)),
)
