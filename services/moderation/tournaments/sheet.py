"""What the scorekeeper enters for a round (issue's "sheet"), and the event's report: both from the penalties as they stand now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from services.moderation.policy.penalties import PENALTIES, WARNING, WITHOUT_PRIZE, severity
from services.moderation.tournaments.events import Effect
from services.moderation.tournaments.placing import MATCH_ENDING
from services.moderation.tournaments.repository import LoadedTournament
from services.moderation.tournaments.setup import overdue
from services.moderation.tournaments.state import Given, Round, TournamentState
from services.moderation.tournaments.view import duty_view, penalty_view, tournament_view
from shared.refusal import Refusal

Found = tuple[Given, Effect]
_LOSSES = ("lose_game", "lose_match", "lose_current_match_and_drop")


def sheet_view(state: TournamentState, number: int) -> dict[str, Any]:
    """The round's sheet. Raises a `Refusal` `not_found`."""
    round_ = state.rounds.get(number)
    if round_ is None:
        raise Refusal("not_found", "There is no such round.")
    found = [(one, effect) for one in state.penalties.values() for effect in one.effects if effect.round == number]
    paired = {name for pairing in round_.pairings for name in pairing}
    return {
        "tournament_id": state.tournament_id,
        "round": number,
        "stage": round_.stage,
        "games_per_match": round_.games,
        "starts_at": round_.starts_at,
        "matches": [_match(table, round_, pairing, found) for table, pairing in enumerate(round_.pairings, 1)],
        "game_losses": [_line(one, effect, "game") for one, effect in _of(found, "lose_game")],
        "match_losses": [_line(one, effect) for one, effect in _of(found, "lose_match", "lose_current_match_and_drop")],
        "match_points": [_line(one, effect, "points") for one, effect in _of(found, "match_point_penalty")],
        "play_or_draw": [_line(one, effect, "game") for one, effect in _of(found, "chooses_play_or_draw")],
        "sideboard_bans": _bans(round_, found),
        "time_extensions": [_line(one, effect, "seconds") for one, effect in _of(found, "time_extension")],
        "drops": _drops(state, number),
        "drop_unless_reported": [name for name, late in overdue(state).items() if late == number],
        "carried_over": [
            {**_line(one, effect, "game"), "from_round": one.round} for one, effect in _of(found, "lose_game", "lose_match") if one.round != number
        ],
        "not_paired": sorted({effect.person_id for _, effect in _of(found, *_LOSSES) if effect.person_id not in paired}),
        "version": state.version,
    }


def _of(found: Iterable[Found], *kinds: str) -> list[Found]:
    return [(one, effect) for one, effect in found if effect.kind in kinds]


def _bans(round_: Round, found: list[Found]) -> list[dict[str, Any]]:
    """Neither side of the match; whom the player meets was not known when a penalty was given between rounds."""
    bans: dict[tuple[str, int | None], dict[str, Any]] = {}
    for one, effect in _of(found, "no_sideboards_first_game"):
        for name in (effect.person_id, *round_.opponents_of(effect.person_id)):
            bans.setdefault((name, effect.game), {**_line(one, effect, "game"), "person_id": name})
    return list(bans.values())


def _line(one: Given, effect: Effect, *names: str) -> dict[str, Any]:
    return {
        "person_id": effect.person_id,
        **{name: getattr(effect, name) for name in names},
        "penalty": one.penalty,
        "penalty_id": one.penalty_id,
    }


def _match(table: int, round_: Round, pairing: tuple[str, ...], found: list[Found]) -> dict[str, Any]:
    """One match with one consistent result, as far as penalties decide it (T03): games both lost count for both, a lost match is lost whole."""
    games: dict[int, list[str]] = {}
    for _, effect in _of(found, "lose_game"):
        if effect.person_id in pairing and effect.game is not None:
            games.setdefault(effect.game, []).append(effect.person_id)
    lost = {effect.person_id for _, effect in _of(found, "lose_match", "lose_current_match_and_drop") if effect.person_id in pairing}
    counts = {name: sum(name in losers for losers in games.values()) for name in pairing}
    most = max(counts.values(), default=0)
    clinched = {name for name, count in counts.items() if count > round_.games // 2}
    if not lost and len(clinched) == 1 and list(counts.values()).count(most) == 1:
        lost = clinched
    left = [name for name in pairing if name not in lost]
    return {
        "table": table,
        "players": list(pairing),
        "games_lost": [{"game": game, "lost_by": losers} for game, losers in sorted(games.items())],
        "match_lost_by": [name for name in pairing if name in lost],
        "winner": left[0] if lost and len(left) == 1 else None,
        "time_extension_seconds": sum(effect.seconds or 0 for _, effect in _of(found, "time_extension") if effect.person_id in pairing),
    }


def _drops(state: TournamentState, number: int) -> list[dict[str, Any]]:
    drops = [
        {"person_id": person.person_id, "because": person.left_because}
        for person in state.people.values()
        if person.dropped_in == number and person.disqualified is None
    ]
    kinds = {"lose_current_match_and_drop", "drop"}
    for one in state.penalties.values():
        drops += [
            {"person_id": effect.person_id, "because": one.penalty or ""}
            for effect in one.effects
            if effect.kind in kinds and effect.unless is None and effect.round == number
        ]
    return drops


def report_view(loaded: LoadedTournament, *, words: bool) -> dict[str, Any]:
    """The event's report: what goes out from Warning up, deviations with their reasons, disqualifications, and what is still owed (D 30)."""
    shown = [penalty_view(loaded, event, words=words) for event in loaded.penalties.values()]
    held = [one for one in shown if not one["absorbed"]]
    state = loaded.state
    return {
        "tournament": tournament_view(state),
        "counts": _counts(held),
        "penalties": [one for one in held if severity(one["penalty"]) >= severity(WARNING)],
        "deviations": [one for one in held if one["deviation"] is not None],
        "disqualifications": [_disqualification(one) for one in held if one["penalty"] in MATCH_ENDING - {"match_loss"}],
        "instructions": [one for one in held if any(effect["kind"] == "direct_instruction" for effect in one["effects"])],
        "absorbed": [one for one in shown if one["absorbed"]],
        "duties": [duty_view(duty) for duty in state.duties.values() if duty.discharged_by is None],
        "table_changes": [{"infraction": cell.infraction, "rel": cell.rel, "penalty": cell.penalty} for cell in state.cells],
        "version": state.version,
    }


def _counts(held: list[dict[str, Any]]) -> dict[str, int]:
    return {penalty: sum(one["penalty"] == penalty for one in held) for penalty in PENALTIES}


def _disqualification(one: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "person_id": one["person_id"],
        "penalty_id": one["penalty_id"],
        "infraction": one["infraction"],
        "round": one["applies_to"]["round"],
        "with_prize": one["penalty"] != WITHOUT_PRIZE,
        "no_proof": one["no_proof"],
    }
