"""Where a penalty is applied (I-74).

A game is lost once, and so is a match: what comes on top of that waits for the next one that the player has still to play.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from services.moderation.policy.penalties import DISQUALIFICATION, GAME_LOSS, MATCH_LOSS, WITHOUT_PRIZE
from services.moderation.tournaments.assess import round_of
from services.moderation.tournaments.commands import GivePenalty
from services.moderation.tournaments.events import Application
from services.moderation.tournaments.state import Given, TournamentState

MATCH_ENDING = frozenset({MATCH_LOSS, DISQUALIFICATION, WITHOUT_PRIZE})


def begun(state: TournamentState, number: int, at: datetime) -> bool:
    """Whether this round's first games are being played or over."""
    known = state.rounds.get(number)
    return known is not None and known.starts_at <= at


def upcoming(state: TournamentState, at: datetime) -> int:
    """The number of the next round that has not begun: one that is paired ahead of its start, or the one after the last."""
    last = state.current_round
    return last if last > 0 and not begun(state, last, at) else last + 1


def place_of(command: GivePenalty, state: TournamentState, penalty: str | None) -> Application | None:
    """The game or match that the penalty is applied to; None without a penalty."""
    if penalty is None:
        return None
    if penalty == GAME_LOSS:
        return _game(command, state)
    if penalty == MATCH_LOSS:
        return _match(command, state)
    if penalty in MATCH_ENDING:
        return Application(round=state.current_round)
    return Application(round=command.round, game=command.game)


def _game(command: GivePenalty, state: TournamentState) -> Application:
    """The game of the offense, or the player's next one: the first not begun."""
    situation, here = command.situation, round_of(command, state)
    later = max(upcoming(state, command.at), command.round + 1)
    if situation.opponent_match_loss or match_over(state, command.person_id, command.round):
        return _free(command, state, later, 1)
    if situation.between_rounds or command.round == 0:
        return _free(command, state, upcoming(state, command.at), 1)
    if command.round < state.current_round:
        return _free(command, state, state.current_round, 2 if begun(state, state.current_round, command.at) else 1)
    if situation.before_match:
        return _free(command, state, command.round, 1)
    if situation.new_game_began:
        next_game = command.game + 2  # the new game has begun, so it is not the next one
        return _free(command, state, command.round, next_game) if next_game <= here.games else _free(command, state, later, 1)
    if games_to_play(state, command.person_id, command.round) and (command.round, command.game) not in set(_lost(state, command.person_id)):
        return Application(round=command.round, game=command.game)  # though it may be past the usual number of games
    return _free(command, state, command.round, command.game)


def _free(command: GivePenalty, state: TournamentState, number: int, game: int) -> Application:
    return first_free(state, command.person_id, number, game, command.at)


def first_free(state: TournamentState, person_id: str, number: int, game: int, at: datetime, *, but: str | None = None) -> Application:
    """This game, or the first after it that the player has still to play and has not lost by a penalty; `but` is a penalty that is on its way."""
    lost = set(_lost(state, person_id, but))
    while True:
        for one in range(game, games_to_play(state, person_id, number) + 1):
            if (number, one) not in lost:
                return Application(round=number, game=one)
        number, game = max(number + 1, upcoming(state, at)), 1


def games_to_play(state: TournamentState, person_id: str, number: int) -> int:
    """How many games this person's match of that round has: none with a bye, or when the match is lost whole."""
    known = state.rounds.get(number)
    if match_over(state, person_id, number) or (known is not None and len(known.match_of(person_id)) == 1):
        return 0
    return state.games_per_match if known is None else known.games


def match_over(state: TournamentState, person_id: str, number: int) -> bool:
    """Whether this person's match of that round was lost whole by a penalty, by them or an opponent."""
    known = state.rounds.get(number)
    people = {person_id, *(known.opponents_of(person_id) if known is not None else ())}
    return any(
        one.penalty in MATCH_ENDING and one.applies_to is not None and one.applies_to.round == number
        for name in people
        for one in state.of_person(name)
    )


def game_losses(state: TournamentState, person_id: str) -> Iterator[tuple[Given, Application]]:
    """The person's Game Losses that hold, and where."""
    for one in state.of_person(person_id):
        if one.penalty == GAME_LOSS and one.applies_to is not None:
            yield one, one.applies_to


def _lost(state: TournamentState, person_id: str, but: str | None = None) -> Iterator[tuple[int, int | None]]:
    return ((place.round, place.game) for one, place in game_losses(state, person_id) if one.penalty_id != but)


def _match(command: GivePenalty, state: TournamentState) -> Application:
    """The match of the offense, or that of the current round if a new one began."""
    number, current = command.round, state.current_round
    if number == 0:
        number = upcoming(state, command.at)
    elif number < current and begun(state, current, command.at):
        number = current
    taken = {one.applies_to.round for one in state.of_person(command.person_id) if one.penalty == MATCH_LOSS and one.applies_to is not None}
    while number in taken:
        number += 1
    return Application(round=number)
