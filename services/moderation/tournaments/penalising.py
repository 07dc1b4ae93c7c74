"""Giving a penalty: the penalty itself, what it does to earlier ones (I-74, I-75), and what falls on the opponents (I-76)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.moderation.policy.penalties import GAME_LOSS, MATCH_LOSS, REGULAR, WARNING, WITHOUT_PRIZE, Infraction, PenaltyGuide, severity
from services.moderation.tournaments.applying import effects_of
from services.moderation.tournaments.assess import Assessment, assess, round_of
from services.moderation.tournaments.commands import GivePenalty
from services.moderation.tournaments.events import Deviation, Duty, PenaltyAbsorbed, PenaltyGiven, TournamentEvent
from services.moderation.tournaments.giving_way import moved_by
from services.moderation.tournaments.officials import check_apart, check_authority, check_exists, check_judge, check_powers
from services.moderation.tournaments.placing import MATCH_ENDING, place_of
from services.moderation.tournaments.state import SPECTATOR, Given, TournamentState, evolve, evolve_all
from shared.refusal import Refusal

DISQUALIFIED = MATCH_ENDING - {MATCH_LOSS}


def give_penalty(command: GivePenalty, state: TournamentState) -> Sequence[TournamentEvent]:
    """Penalise the offense. Raises a `Refusal`.

    `not_found`, `not_a_judge`, `head_judge_required`, `conflict_of_interest`, `person_disqualified`, `charge_as_cheating`, and those of `assess`.
    """
    guide = command.guide.with_changes(state.cells)
    _check(command, state, guide)
    ids = iter(command.ids)
    event, assessment = _given(command, state, guide, ids)
    siblings = _siblings(command, state)
    event, absorbed = _absorb(event, siblings)
    events: list[TournamentEvent] = [event, *absorbed]
    after = evolve_all(state, events)
    moved = [] if event.absorbed else list(moved_by(command, after, event))
    events += moved
    after = evolve_all(after, moved)
    for companion in _companions(command, after, event, assessment.row, ids):
        given, _ = _given(companion, after, guide, ids)
        events.append(given)
        after = evolve(after, given)
    return events


def _check(command: GivePenalty, state: TournamentState, guide: PenaltyGuide) -> None:
    check_exists(state)
    check_judge(command.by, state)
    check_powers(command, state)
    person = state.people.get(command.person_id)
    if person is None:
        raise Refusal("not_found", "This person is not in the tournament; who is to be penalised is entered first.", field="person_id")
    if person.disqualified is not None:
        raise Refusal("person_disqualified", "This person is disqualified already.", current=person.disqualified, field="person_id")
    row = guide.infraction(command.infraction)
    if command.intentional and guide.category(row).error:
        said = "What was done on purpose is no error, also without knowing that it is illegal (D 1, D 150)."
        raise Refusal("charge_as_cheating", said, allowed=guide.for_intent(), field="intentional")
    if command.round > state.current_round:
        raise Refusal("invalid_request", "There is no such round yet.", allowed=list(range(state.current_round + 1)), field="round")
    check_apart(command.by, (command.person_id, *round_of(command, state).opponents_of(command.person_id)))
    if guide.category(row).players and person.kind == SPECTATOR:
        raise Refusal("not_applicable", "Only a player commits this.", field="infraction")
    if row.lists is not None and (row.lists == "needed") is not state.decklists:
        said = "needs decklists, and this tournament has none" if row.lists == "needed" else "is for tournaments without decklists"
        raise Refusal("not_applicable", f"This infraction {said}.", field="infraction")


def _given(command: GivePenalty, state: TournamentState, guide: PenaltyGuide, ids: Iterator[str]) -> tuple[PenaltyGiven, Assessment]:
    found = assess(command, state, guide)
    check_authority(command, state, guide, found.row, found.penalty)
    if command.no_proof and found.penalty not in DISQUALIFIED:
        raise Refusal("not_applicable", "Only a disqualification goes without proof.", field="no_proof")
    place = place_of(command, state, found.penalty)
    known = None if place is None else state.rounds.get(place.round)
    check_apart(command.by, () if known is None else known.opponents_of(command.person_id))
    wanted = command.deviation
    event = PenaltyGiven(
        penalty_id=command.penalty_id,
        person_id=command.person_id,
        reported=command.infraction,
        infraction=found.row.id,
        rel=state.rel,
        round=command.round,
        game=command.game,
        standard=found.standard.penalty,
        basis=found.standard.basis,
        section=found.row.section,
        penalty=found.penalty,
        steps=found.steps,
        applies_to=place,
        absorbed=False,
        effects=effects_of(command, state, guide, found, place),
        duties=_duties(state, guide, found, ids),
        by=command.by.staff_id,
        role=command.by.role,
        at=state.moment(command.at),
        no_proof=command.no_proof,
        self_reported=command.self_reported,
        remedy=_remedy(command, state, found.row),
        similar_to=command.similar_to,
        cause=command.cause,
        deviation=None if wanted is None else Deviation(penalty=wanted.penalty, because=wanted.because),
        companion_of=command.companion_of,
        words=command.words,
    )
    return event, found


def _remedy(command: GivePenalty, state: TournamentState, row: Infraction) -> str | None:
    """What is done about the deck (I-84)."""
    if command.told_at_once:
        return "note_missing"
    listed = row.remedy if state.decklists else None
    if command.clerical:
        if listed is None:
            raise Refusal("not_applicable", "There is no decklist to alter.", field="clerical")
        return "list_to_deck"
    return listed


def _duties(state: TournamentState, guide: PenaltyGuide, found: Assessment, ids: Iterator[str]) -> tuple[Duty, ...]:
    """Who is to be told (I-78)."""
    told: list[tuple[str, str]] = []
    if severity(found.penalty) >= severity(WARNING):
        told.append(("penalty_database", "30-penalty-database"))
    if severity(found.penalty) >= severity(GAME_LOSS):
        told.append(("head_judge", "30-head-judge"))
    if found.penalty == WITHOUT_PRIZE and state.rel != REGULAR:
        told.append(("investigations", "20-investigations"))
    elif found.penalty == WITHOUT_PRIZE and guide.category(found.row).unsporting:
        told.append(("investigations", "20-investigations-regular"))
    return tuple(Duty(duty_id=next(ids), kind=f"report_to_{to}", to=to, rule=rule) for to, rule in told)


def _siblings(command: GivePenalty, state: TournamentState) -> list[Given]:
    """The person's other offenses with the same root cause."""
    return [one for one in state.of_person(command.person_id) if command.cause is not None and one.cause == command.cause]


def _absorb(event: PenaltyGiven, siblings: list[Given]) -> tuple[PenaltyGiven, list[PenaltyAbsorbed]]:
    """Of offenses with one root cause only the gravest is applied; of equal ones the first (D 30)."""
    if not siblings or event.penalty is None:
        return event, []
    if severity(event.penalty) <= max(severity(one.penalty) for one in siblings):
        return replace(event, absorbed=True, applies_to=None, effects=(), duties=()), []
    return event, [PenaltyAbsorbed(penalty_id=one.penalty_id, by_penalty_id=event.penalty_id, at=event.at) for one in siblings]


def _companions(command: GivePenalty, state: TournamentState, event: PenaltyGiven, row: Infraction, ids: Iterator[str]) -> Iterator[GivePenalty]:
    """What the opponents are charged with who noticed nothing; who could not notice is not charged (I-76, I-83)."""
    if row.opponents_get is None or command.opponents_noticed or command.unnoticeable or event.absorbed or event.penalty is None:
        return
    for person_id in round_of(command, state).opponents_of(command.person_id):
        if state.people[person_id].disqualified is None:
            yield GivePenalty(
                penalty_id=next(ids),
                person_id=person_id,
                infraction=row.opponents_get,
                round=command.round,
                game=command.game,
                guide=command.guide,
                by=command.by,
                at=command.at,
                ids=(),
                situation=command.situation,
                companion_of=event.penalty_id,
            )
