"""Game Losses that can't be applied where they were: they are carried to the next game that the player has still to play (I-74; D 20, D 30; T03)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from services.moderation.policy.penalties import MATCH_LOSS
from services.moderation.tournaments.applying import GAME_LOSS_KINDS, game_loss_effects
from services.moderation.tournaments.commands import GivePenalty
from services.moderation.tournaments.events import Application, Effect, PenaltyGiven, PenaltyMoved
from services.moderation.tournaments.placing import MATCH_ENDING, begun, first_free, game_losses, games_to_play, upcoming
from services.moderation.tournaments.state import PLAYER, Given, TournamentState, evolve


def moved_by(command: GivePenalty, state: TournamentState, event: PenaltyGiven) -> Iterator[PenaltyMoved]:
    """What gives way to a match that is lost whole: Game Losses for a game of it that is not played any more, on either side.

    `state` is the tournament after the penalty. Who is disqualified plays no next round, so theirs stay.
    """
    lost = event.applies_to
    if event.penalty not in MATCH_ENDING or lost is None or lost.round == 0 or state.people[event.person_id].kind != PLAYER:
        return
    known = state.rounds.get(lost.round)
    own = (event.person_id,) if event.penalty == MATCH_LOSS else ()
    for person_id in (*own, *(known.opponents_of(event.person_id) if known is not None else ())):
        rule = "30-severest-first" if person_id == event.person_id else "20-opponent-match-loss"
        for one, place in list(game_losses(state, person_id)):
            if place.round == lost.round and _to_be_played(command, state, one, place):
                later = first_free(state, person_id, max(upcoming(state, command.at), lost.round + 1), 1, command.at, but=one.penalty_id)
                moved = _moved(state, one, later, event.at, by=event.penalty_id, rule=rule)
                state = evolve(state, moved)
                yield moved


def _to_be_played(command: GivePenalty, state: TournamentState, one: Given, place: Application) -> bool:
    """Whether the match ends before that game is lost; a game before the one at hand was lost when it was played."""
    if (one.round, one.game) == (command.round, command.game) or not begun(state, place.round, command.at):
        return True
    return place.round == command.round and (command.situation.before_match or (place.game or 0) > command.game)


def moved_by_pairing(state: TournamentState, number: int, at: datetime) -> Iterator[PenaltyMoved]:
    """What is otherwise as this round was paired: a bye has no game to lose, and the matches may be shorter than was thought.

    `state` is the tournament after the round was paired.
    """
    waiting = {one.person_id for one in state.penalties.values() if one.applies_to is not None and one.applies_to.round == number}
    for person_id in [name for pairing in state.rounds[number].pairings for name in pairing if name in waiting]:
        for one, place in list(game_losses(state, person_id)):
            if place.round != number:
                continue
            moved = _carried(state, one, place, at)
            if moved.applies_to != place or _of(moved, person_id) != _of(one, person_id):
                state = evolve(state, moved)
                yield moved


def _carried(state: TournamentState, one: Given, place: Application, at: datetime) -> PenaltyMoved:
    """The Game Loss where it is applied now that the round is paired; it was given before that round."""
    if (place.game or 0) > games_to_play(state, one.person_id, place.round):
        place = first_free(state, one.person_id, place.round + 1, 1, at, but=one.penalty_id)
    return _moved(state, one, place, at, by=one.penalty_id, rule="20-which-game")


def _moved(state: TournamentState, one: Given, place: Application, at: datetime, *, by: str, rule: str) -> PenaltyMoved:
    """The Game Loss at its new place; what else it brought, such as a drop for tardiness, stays."""
    other = tuple(effect for effect in one.effects if effect.kind not in GAME_LOSS_KINDS)
    effects = (*game_loss_effects(state, one.person_id, place, before=True), *other)
    return PenaltyMoved(penalty_id=one.penalty_id, by_penalty_id=by, applies_to=place, effects=effects, rule=rule, at=at)


def _of(one: Given | PenaltyMoved, person_id: str) -> set[Effect]:
    return {effect for effect in one.effects if effect.person_id == person_id}
