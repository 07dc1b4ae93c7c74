"""What is to be done for a penalty: by the scorekeeper, and by the judge (I-74, I-79, I-80, I-82, I-85)."""

from __future__ import annotations

from collections.abc import Iterator

from services.moderation.policy.penalties import GAME_LOSS, MATCH_LOSS, MATCH_POINT, WARNING, WITHOUT_PRIZE, PenaltyGuide
from services.moderation.tournaments.assess import Assessment, round_of
from services.moderation.tournaments.commands import GivePenalty
from services.moderation.tournaments.events import Application, Effect
from services.moderation.tournaments.placing import MATCH_ENDING, begun
from services.moderation.tournaments.state import PLAYER, TournamentState

GAME_LOSS_KINDS = frozenset({"lose_game", "chooses_play_or_draw", "no_sideboards_first_game"})


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
            before = command.situation.before_match or not begun(state, place.round, command.at)
            yield from game_loss_effects(state, person, place, before=before)
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
    yield from _time(command, state, guide, assessment)


def game_loss_effects(state: TournamentState, person: str, place: Application, *, before: bool) -> Iterator[Effect]:
    """The game is lost, and the loser chooses to play or draw in the next one of the match, if there is one.

    `before` its match begins, neither side may use sideboards in the first game that they play (D 20); whom the player meets there may not be known
    yet, and is added on the round's sheet.
    """
    game, known = place.game or 1, state.rounds.get(place.round)
    games = state.games_per_match if known is None else known.games
    yield Effect(kind="lose_game", person_id=person, rule="20-game-loss", round=place.round, game=game)
    if game < games:
        yield Effect(kind="chooses_play_or_draw", person_id=person, rule="20-play-or-draw", round=place.round, game=game + 1)
    if before and game == 1 and games > 1:
        for one in (person, *(known.opponents_of(person) if known is not None else ())):
            yield Effect(kind="no_sideboards_first_game", person_id=one, rule="20-no-sideboards", round=place.round, game=2)


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


def _time(command: GivePenalty, state: TournamentState, guide: PenaltyGuide, assessment: Assessment) -> Iterator[Effect]:
    """Time that the ruling, or a single game's tardiness, took from the match that is being played (I-85)."""
    seconds, number = command.ruling_seconds or 0, max(command.round, state.current_round)
    if command.situation.between_rounds or not begun(state, number, command.at) or assessment.penalty in {MATCH_POINT, GAME_LOSS, *MATCH_ENDING}:
        return
    rule = None
    if assessment.row.shuffle and seconds > 0:
        rule = "211-shuffle"
    elif assessment.row.late and round_of(command, state).games == 1:
        rule = "131-extension" if 0 < seconds <= guide.settings.grace_seconds else None
    elif assessment.penalty == WARNING and seconds > guide.settings.extension_after_seconds:
        rule = "20-time-extension"
    if rule is not None:
        yield Effect(kind="time_extension", person_id=command.person_id, rule=rule, round=number, seconds=seconds)
