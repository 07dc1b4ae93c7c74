"""Setting a tournament up, entering people, pairing rounds (contract, Tournaments)."""

from __future__ import annotations

from collections.abc import Sequence

from services.moderation.tournaments.commands import BeginRound, DropPerson, EnterPerson, ReportLatecomer, SetTable, SetTournament
from services.moderation.tournaments.events import (
    LatecomerReported,
    PersonDropped,
    PersonEntered,
    RoundBegan,
    TableSet,
    TournamentEvent,
    TournamentSet,
)
from services.moderation.tournaments.giving_way import moved_by_pairing
from services.moderation.tournaments.officials import check_apart, check_exists, check_head_admin, check_judge, check_organiser
from services.moderation.tournaments.state import PLAYER, Person, TournamentState, evolve_all
from shared.refusal import Refusal


def set_tournament(command: SetTournament, state: TournamentState) -> Sequence[TournamentEvent]:
    """Open the tournament or change it; penalties given before stay as they are. Raises a `Refusal` `head_admin_required`."""
    check_head_admin(command.by)
    judges = tuple(dict.fromkeys(command.judge_ids))
    said = (
        command.rel, command.games_per_match, command.decklists, command.scoring_version, command.head_judge_id, judges,
        command.tardiness_grace_seconds,
    )  # fmt: skip
    known = (
        state.rel, state.games_per_match, state.decklists, state.scoring_version, state.head_judge_id, state.judge_ids, state.grace_seconds,
    )  # fmt: skip
    if state.exists and said == known:
        return []
    return [
        TournamentSet(
            tournament_id=command.tournament_id,
            rel=command.rel,
            games_per_match=command.games_per_match,
            decklists=command.decklists,
            scoring_version=command.scoring_version,
            head_judge_id=command.head_judge_id,
            judge_ids=judges,
            tardiness_grace_seconds=command.tardiness_grace_seconds,
            by=command.by.staff_id,
            at=state.moment(command.at),
        )
    ]


def set_table(command: SetTable, state: TournamentState) -> Sequence[TournamentEvent]:
    """The organiser's own cells (I-70). Raises a `Refusal`: those of `check_changes`, `head_admin_required`."""
    check_exists(state)
    check_head_admin(command.by)
    command.guide.check_changes(command.cells)
    if (command.cells, command.note) == (state.cells, state.note):
        return []
    return [TableSet(cells=command.cells, note=command.note, by=command.by.staff_id, at=state.moment(command.at))]


def enter_person(command: EnterPerson, state: TournamentState) -> Sequence[TournamentEvent]:
    """Enter somebody, as another kind if need be, or again after a drop.

    Who was paired stays a player (T02). Raises a `Refusal`: `person_disqualified`, `not_applicable`.
    """
    check_exists(state)
    check_organiser(command.by, state)
    known = state.people.get(command.person_id)
    if known is not None:
        check_not_disqualified(known)
        if known.kind == command.kind and known.dropped_in is None:
            return []
        if known.kind == PLAYER and command.kind != PLAYER and any(one.match_of(known.person_id) for one in state.rounds.values()):
            raise Refusal("not_applicable", "This person has played, and stays a player; who leaves drops.", field="kind")
    return [PersonEntered(person_id=command.person_id, kind=command.kind, at=state.moment(command.at))]


def drop_person(command: DropPerson, state: TournamentState) -> Sequence[TournamentEvent]:
    """A player leaves; penalties still fall on them (T02). Raises a `Refusal`: `not_found`, `not_applicable` for who does not play."""
    check_exists(state)
    check_organiser(command.by, state)
    person = _known(state, command.person_id)
    if person.kind != PLAYER:
        raise Refusal("not_applicable", "Only players drop from a tournament.", field="person_id")
    if not person.playing:
        return []
    return [PersonDropped(person_id=person.person_id, round=state.current_round, because="asked", at=state.moment(command.at))]


def report_latecomer(command: ReportLatecomer, state: TournamentState) -> Sequence[TournamentEvent]:
    """A latecomer is here before the round is over, and stays in (I-82).

    Raises a `Refusal`: `not_a_judge`, `not_found`, `conflict_of_interest` for one's own account, `person_disqualified`.
    """
    check_exists(state)
    if command.by.role != "head_admin":
        check_judge(command.by, state)
    person = _known(state, command.person_id)
    check_apart(command.by, (person.person_id,))
    check_not_disqualified(person)
    seen = (person.person_id, state.current_round)
    if seen in state.reported or state.current_round == 0:
        return []
    return [LatecomerReported(person_id=person.person_id, round=state.current_round, at=state.moment(command.at))]


def begin_round(command: BeginRound, state: TournamentState) -> Sequence[TournamentEvent]:
    """Pair a round, which ends the one before: who was to report by its end and did not is dropped first (I-82, T04).

    A Game Loss that waited for this round waits on where it brings a bye, or a match too short for it (I-74).

    Raises a `Refusal`: `invalid_request` for a number out of turn or a person paired twice or unknown, `invalid_transition` for a round that was
    paired otherwise, `person_disqualified`, `not_applicable` for who has dropped or watches.
    """
    check_exists(state)
    check_organiser(command.by, state)
    at = state.moment(command.at)
    games = command.games_per_match or state.games_per_match
    began = RoundBegan(
        number=command.number,
        stage=command.stage,
        games_per_match=games,
        pairings=command.pairings,
        starts_at=command.starts_at,
        by=command.by.staff_id,
        at=at,
    )
    known = state.rounds.get(command.number)
    if known is not None:
        if (known.stage, known.games, known.pairings, known.starts_at) == (began.stage, games, began.pairings, began.starts_at):
            return []
        raise Refusal("invalid_transition", "This round was paired otherwise.", current={"round": known.number}, allowed=["the next round"])
    if command.number != state.current_round + 1:
        raise Refusal("invalid_request", "Rounds come one after another.", allowed=[state.current_round + 1], field="number")
    late = overdue(state)
    gone = [PersonDropped(person_id=person_id, round=number, because="tardiness", at=at) for person_id, number in late.items()]
    _check_pairings(command, state, frozenset(late))
    paired = evolve_all(state, [*gone, began])
    return [*gone, began, *moved_by_pairing(paired, began.number, at)]


def overdue(state: TournamentState) -> dict[str, int]:
    """Who has to report by the end of the current round or is dropped, and the round of their tardiness (I-82)."""
    return {
        one.person_id: effect.round or 0
        for one in state.penalties.values()
        if not one.absorbed and state.people[one.person_id].playing
        for effect in one.effects
        if effect.unless is not None and effect.round == state.current_round and (one.person_id, state.current_round) not in state.reported
    }


def _check_pairings(command: BeginRound, state: TournamentState, gone: frozenset[str]) -> None:
    seen: set[str] = set()
    for index, pairing in enumerate(command.pairings):
        for place, person_id in enumerate(pairing):
            field = f"pairings[{index}][{place}]"
            person = state.people.get(person_id)
            if person is None or person_id in seen:
                said = "This person is not in the tournament." if person is None else "This person is paired twice."
                raise Refusal("invalid_request", said, field=field)
            seen.add(person_id)
            check_not_disqualified(person, field)
            if not person.playing or person_id in gone:
                said = "This person has dropped, or watches, and is not paired. Who was too late and is here after all is reported first."
                raise Refusal("not_applicable", said, field=field)


def check_not_disqualified(person: Person, field: str = "person_id") -> None:
    """Raises a `Refusal` `person_disqualified`."""
    if person.disqualified is not None:
        raise Refusal("person_disqualified", "This person is disqualified.", current=person.disqualified, field=field)


def _known(state: TournamentState, person_id: str) -> Person:
    person = state.people.get(person_id)
    if person is None:
        raise Refusal("not_found", "This person is not in the tournament.", field="person_id")
    return person
