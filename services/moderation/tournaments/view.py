"""A tournament, its people and its penalties as the API shows them."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from services.moderation.policy.penalties import PenaltyGuide
from services.moderation.tournaments.closing import placed, still_advancing
from services.moderation.tournaments.events import Effect, PenaltyGiven
from services.moderation.tournaments.repository import LoadedTournament
from services.moderation.tournaments.setup import overdue
from services.moderation.tournaments.state import OwedDuty, Person, Round, TournamentState

NO_WORDS: Final[dict[str, str | None]] = {"description": None, "deviation_reason": None, "exceptional_reason": None, "root_cause": None}


def tournament_view(state: TournamentState) -> dict[str, Any]:
    """The tournament, its rounds and how many people are in it."""
    return {
        "tournament_id": state.tournament_id,
        "rel": state.rel,
        "games_per_match": state.games_per_match,
        "decklists": state.decklists,
        "scoring_version": state.scoring_version,
        "head_judge_id": state.head_judge_id,
        "judge_ids": list(state.judge_ids),
        "tardiness_grace_seconds": state.grace_seconds,
        "rounds": [round_view(one) for one in state.rounds.values()],
        "playing": sum(person.playing for person in state.people.values()),
        "people": len(state.people),
        "version": state.version,
    }


def round_view(one: Round) -> dict[str, Any]:
    """A round and its pairings."""
    return {
        "number": one.number,
        "stage": one.stage,
        "games_per_match": one.games,
        "pairings": [list(pairing) for pairing in one.pairings],
        "starts_at": one.starts_at,
    }


def person_view(state: TournamentState, person_id: str) -> dict[str, Any]:
    """Somebody at the tournament."""
    return {**_person(state.people[person_id]), "drops_unless_reported": person_id in overdue(state), "version": state.version}


def person_penalties_view(loaded: LoadedTournament, person_id: str, *, words: bool) -> dict[str, Any]:
    """The same with all their penalties; absorbed ones too."""
    penalties = [penalty_view(loaded, event, words=words) for event in loaded.penalties.values() if event.person_id == person_id]
    return {**person_view(loaded.state, person_id), "penalties": penalties}


def _person(person: Person) -> dict[str, Any]:
    return {
        "person_id": person.person_id,
        "kind": person.kind,
        "playing": person.playing,
        "dropped_in": person.dropped_in,
        "left_because": person.left_because,
        "disqualified": person.disqualified,
    }


def penalty_view(loaded: LoadedTournament, event: PenaltyGiven, *, words: bool) -> dict[str, Any]:
    """A penalty as it stands now, each step explained; what the judge wrote only with `words`."""
    now = loaded.state.penalties[event.penalty_id]
    moved = loaded.moves.get(event.penalty_id)
    deviation = event.deviation
    return {
        "penalty_id": event.penalty_id,
        "person_id": event.person_id,
        "infraction": event.infraction,
        "reported_as": event.reported,
        "rel": event.rel,
        "round": event.round,
        "game": event.game,
        "standard": {"penalty": event.standard, "basis": event.basis, "section": event.section},
        "penalty": event.penalty,
        "no_proof": event.no_proof,
        "self_reported": event.self_reported,
        "steps": [{"rule": step.rule, "from": step.before, "to": step.after} for step in event.steps],
        "applies_to": None if now.applies_to is None else {"round": now.applies_to.round, "game": now.applies_to.game},
        "moved_by": None if moved is None or now.absorbed else {"penalty_id": moved.by_penalty_id, "rule": moved.rule},
        "absorbed": now.absorbed,
        "remedy": event.remedy,
        "deviation": None if deviation is None else {"penalty": deviation.penalty, "because": deviation.because},
        "companion_of": event.companion_of,
        "companions": [
            {"penalty_id": other.penalty_id, "person_id": other.person_id, "infraction": other.infraction, "penalty": other.penalty}
            for other in loaded.companions.get(event.penalty_id, ())
        ],
        "similar_to": event.similar_to,
        "effects": [effect_view(effect) for effect in now.effects],
        "duties": [duty_view(loaded.state.duties[duty.duty_id]) for duty in event.duties if duty.duty_id in loaded.state.duties],
        "referral_id": now.referral_id,
        "given_by": event.by,
        "given_at": event.at,
        **_words(event, words=words),
    }


def _words(event: PenaltyGiven, *, words: bool) -> dict[str, Any]:
    if not words or event.words is None:
        return NO_WORDS
    return {**NO_WORDS, **msgspec.to_builtins(event.words)}


def effect_view(effect: Effect) -> dict[str, Any]:
    """Something to be carried out; what does not apply is left out."""
    return {name: value for name, value in msgspec.to_builtins(effect).items() if value is not None}


def duty_view(duty: OwedDuty) -> dict[str, Any]:
    """A report that is owed, or was made."""
    return {
        "duty_id": duty.duty_id,
        "kind": duty.kind,
        "to": duty.to,
        "penalty_id": duty.penalty_id,
        "person_id": duty.person_id,
        "since": duty.since,
        "discharged_by": duty.discharged_by,
    }


def standings_view(state: TournamentState) -> dict[str, Any]:
    """The standings with disqualifications applied (I-79)."""
    order = placed(state)
    advancing = still_advancing(state)
    return {
        "order": list(order),
        "places": [
            {"place": place, "person_id": name, "advances": name in advancing, "disqualified": state.people[name].disqualified is not None}
            for place, name in enumerate(order, 1)
        ],
        "cut": state.cut,
        "advancing": list(advancing),
        "removed": [name for name in state.order if name not in order],
        "version": state.version,
    }


def table_view(guide: PenaltyGuide, *, note: str | None = None) -> dict[str, Any]:
    """The table with the basis of every cell, and the rules that steps and advice cite."""
    return {
        "guide_version": guide.version,
        "note": note,
        "infractions": [
            {
                "id": row.id,
                "name": row.name,
                "section": row.section,
                "category": guide.category(row).name,
                "cells": {rel: {"penalty": cell.penalty, "basis": cell.basis} for rel, cell in row.cells.items()},
                "because": row.because,
                "repeats": row.repeats,
            }
            for row in guide.infractions.values()
        ],
        "rules": [{"id": rule.id, "section": rule.section, "text": rule.text, "basis": rule.basis} for rule in guide.rules.values()],
    }
