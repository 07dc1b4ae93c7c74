"""Where a penalty is applied and what is to be done for it (I-74, I-79, I-82, I-85).

A game is lost once, and so is a match: what comes on top of that waits for the next one.
"""

from __future__ import annotations

from collections.abc import Iterator

from services.moderation.policy.penalties import DISQUALIFICATION, GAME_LOSS, MATCH_LOSS, MATCH_POINT, WARNING, WITHOUT_PRIZE, PenaltyGuide
from services.moderation.tournaments.assess import Assessment, round_of
from services.moderation.tournaments.commands import GivePenalty
from services.moderation.tournaments.events import Application, Effect
from services.moderation.tournaments.state import PLAYER, Given, TournamentState

MATCH_ENDING = frozenset({MATCH_LOSS, DISQUALIFICATION, WITHOUT_PRIZE})


def upcoming(command: GivePenalty, state: TournamentState) -> int:
    """The number of the next round that has not begun: one that is paired ahead of its start, or the one after the last."""
    last = state.rounds.get(state.current_round)
    return last.number if last is not None and last.starts_at > command.at else state.current_round + 1


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
    later = max(upcoming(command, state), command.round + 1)
    if situation.opponent_match_loss or _match_over(command, state):
        return _free(command, state, later, 1)
    if situation.between_rounds or command.round == 0:
        return _free(command, state, upcoming(command, state), 1)
    if command.round < state.current_round:
        running = state.rounds[state.current_round]
        if running.starts_at > command.at:
            return _free(command, state, running.number, 1)
        return _free(command, state, running.number, 2)
    if situation.before_match:
        return _free(command, state, command.round, 1)
    if situation.new_game_began:
        next_game = command.game + 2  # the new game has begun, so it is not the next one
        return _free(command, state, command.round, next_game) if next_game <= here.games else _free(command, state, later, 1)
    return _free(command, state, command.round, command.game, extended=True)


def _match_over(command: GivePenalty, state: TournamentState) -> bool:
    """Whether the match of the offense was lost whole already, by this player or an opponent."""
    people = {command.person_id, *round_of(command, state).opponents_of(command.person_id)}
    return any(
        one.penalty in MATCH_ENDING and one.applies_to is not None and one.applies_to.round == command.round
        for person_id in people
        for one in state.of_person(person_id)
    )


def _free(command: GivePenalty, state: TournamentState, number: int, game: int, *, extended: bool = False) -> Application:
    """This game, or the first after it that the player has not lost by a penalty already.

    `extended`: the game is being played, though it is past the usual number.
    """
    lost = {(one.applies_to.round, one.applies_to.game) for one in state.of_person(command.person_id) if _is_game_loss(one) and one.applies_to}
    games = _games(state, number)
    if (number, game) not in lost and (extended or game <= games):
        return Application(round=number, game=game)
    while (number, game) in lost or game > games:
        game += 1
        if game > games:
            number, game = max(number + 1, upcoming(command, state)), 1
            games = _games(state, number)
    return Application(round=number, game=game)


def _is_game_loss(one: Given) -> bool:
    return one.penalty == GAME_LOSS and one.applies_to is not None


def _games(state: TournamentState, number: int) -> int:
    known = state.rounds.get(number)
    return known.games if known is not None else state.games_per_match


def _match(command: GivePenalty, state: TournamentState) -> Application:
    """The match of the offense, or that of the current round if a new one began."""
    number = command.round
    current = state.rounds.get(state.current_round)
    if number == 0:
        number = upcoming(command, state)
    elif current is not None and number < current.number and current.starts_at <= command.at:
        number = current.number
    taken = {one.applies_to.round for one in state.of_person(command.person_id) if one.penalty == MATCH_LOSS and one.applies_to is not None}
    while number in taken:
        number += 1
    return Application(round=number)


def effects_of(
    command: GivePenalty, state: TournamentState, guide: PenaltyGuide, assessment: Assessment, place: Application | None
) -> tuple[Effect, ...]:
    """What the scorekeeper enters and the judge sees to."""
    return tuple(_effects(command, state, guide, assessment, place))


def _effects(
    command: GivePenalty, state: TournamentState, guide: PenaltyGuide, assessment: Assessment, place: Application | None
) -> Iterator[Effect]:
    person = command.person_id
    if assessment.instruction:
        yield Effect(kind="direct_instruction", person_id=person, rule="30-instruction", round=command.round)
    if place is None:
        return
    player = state.people[person].kind == PLAYER
    match assessment.penalty:
        case "game_loss" if player and place.game is not None:
            yield from game_loss_effects(state, person, place.round, place.game)
            yield from _sideboards(command, state, place)
        case "match_loss" if player:
            yield Effect(kind="lose_match", person_id=person, rule="20-which-match", round=place.round)
        case "match_point" if player:
            yield Effect(kind="match_point_penalty", person_id=person, rule="20-match-point", round=place.round, points=1)
        case "disqualification" | "disqualification_without_prize":
            kind = "lose_current_match_and_drop" if player else "drop"
            yield Effect(kind=kind, person_id=person, rule="20-disqualified", round=place.round)
            if player and assessment.penalty == WITHOUT_PRIZE:
                yield Effect(kind="removed_from_standings", person_id=person, rule="20-standings", round=place.round)
        case _:
            pass
    yield from _late(command, state, assessment)
    yield from _time(command, guide, assessment)


def game_loss_effects(state: TournamentState, person: str, number: int, game: int) -> Iterator[Effect]:
    """The game is lost, and the loser chooses to play or draw in the next one of the match, if there is one."""
    yield Effect(kind="lose_game", person_id=person, rule="20-game-loss", round=number, game=game)
    if game < _games(state, number):
        yield Effect(kind="chooses_play_or_draw", person_id=person, rule="20-play-or-draw", round=number, game=game + 1)


def _sideboards(command: GivePenalty, state: TournamentState, place: Application) -> Iterator[Effect]:
    here = round_of(command, state)
    if not command.situation.before_match or place != Application(round=command.round, game=1) or here.games == 1:
        return
    for person in (command.person_id, *here.opponents_of(command.person_id)):
        yield Effect(kind="no_sideboards_first_game", person_id=person, rule="20-no-sideboards", round=place.round, game=2)


def _late(command: GivePenalty, state: TournamentState, assessment: Assessment) -> Iterator[Effect]:
    """The second Game Loss for Tardiness in a round, or the first in a single-game match, drops whoever does not report in time (I-82)."""
    if not assessment.row.late or assessment.penalty not in {GAME_LOSS, MATCH_LOSS} or (command.person_id, command.round) in state.reported:
        return
    before = [
        one
        for one in state.of_person(command.person_id)
        if one.infraction == assessment.row.id and one.round == command.round and one.penalty in {GAME_LOSS, MATCH_LOSS}
    ]
    if round_of(command, state).games == 1 or before:
        yield Effect(kind="drop", person_id=command.person_id, rule="131-drop", round=command.round, unless="reported")


def _time(command: GivePenalty, guide: PenaltyGuide, assessment: Assessment) -> Iterator[Effect]:
    """Time that the ruling took from the match (I-85)."""
    seconds = command.ruling_seconds
    if seconds is None or command.situation.between_rounds or command.round == 0 or assessment.penalty in {MATCH_POINT, GAME_LOSS, *MATCH_ENDING}:
        return
    if assessment.row.shuffle and seconds > 0:
        yield Effect(kind="time_extension", person_id=command.person_id, rule="211-shuffle", round=command.round, seconds=seconds)
    elif assessment.penalty == WARNING and seconds > guide.settings.extension_after_seconds:
        yield Effect(kind="time_extension", person_id=command.person_id, rule="20-time-extension", round=command.round, seconds=seconds)
