"""Two questions that D answers by a table: what to do about a missed trigger (I-81), and what tardiness costs (I-82). Nothing is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from services.moderation.policy.penalties import GAME_LOSS, REGULAR, PenaltyGuide
from services.moderation.tournaments.state import Round, TournamentState


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """The answers that D asks for about a forgotten trigger."""

    optional: bool
    choices: bool
    visible_effect: bool
    default_action: bool
    within_turn_cycle: bool


_ANY: Final = None
_TRIGGERS: Final[tuple[tuple[tuple[bool | None, ...], str, str], ...]] = (
    # optional, choices, visible effect, default action, within a turn cycle -> remedy, rule; the first line that fits
    ((True, _ANY, _ANY, False, _ANY), "no_penalty", "123-optional"),
    ((False, False, False, _ANY, _ANY), "assume_resolved", "123-invisible"),
    ((_ANY, _ANY, _ANY, True, _ANY), "resolve_default", "123-default"),
    ((_ANY, _ANY, _ANY, _ANY, True), "put_on_stack", "123-turn-cycle"),
    ((_ANY, _ANY, _ANY, _ANY, False), "continue_without", "123-too-late"),
)


def missed_trigger(trigger: Trigger) -> tuple[str, str]:
    """The remedy and the rule that says so. An optional trigger with a consequence ("if you don't ...") has a default action."""
    asked = (trigger.optional, trigger.choices, trigger.visible_effect, trigger.default_action, trigger.within_turn_cycle)
    for pattern, remedy, rule in _TRIGGERS:
        if all(wanted is None or wanted is given for wanted, given in zip(pattern, asked, strict=True)):
            return remedy, rule
    raise AssertionError("the last two lines fit everything")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tardiness:
    """When a round began and when the player sat down (None: not yet), and whether they reported before its end."""

    began_at: datetime
    seated_at: datetime | None
    reported: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TardinessAdvice:
    """The penalties in order, whether the player is dropped, the time to give back in seconds, and the rules that say so."""

    penalties: tuple[str, ...]
    dropped: bool
    time_extension_seconds: int
    rules: tuple[str, ...]


def tardiness(asked: Tardiness, round_: Round, state: TournamentState, guide: PenaltyGuide) -> TardinessAdvice:
    """What this tardiness costs at this tournament (D 131); `guide` is the tournament's own table."""
    late = None if asked.seated_at is None else asked.seated_at - asked.began_at
    if asked.seated_at is not None and asked.seated_at <= asked.began_at:
        return _free(())
    if asked.seated_at is not None and asked.began_at < round_.starts_at and asked.seated_at < round_.starts_at:
        return _free(("131-early",))
    single = round_.games == 1
    allowed = timedelta(seconds=grace_of(state, round_, guide))
    if late is not None and late <= allowed:
        extension = _seconds(late) if single else 0
        return TardinessAdvice(
            penalties=(), dropped=False, time_extension_seconds=extension, rules=("131-grace", *(("131-extension",) if extension else ()))
        )
    first = next(row for row in guide.infractions.values() if row.late).cells[state.rel].penalty
    penalties, rules = [first], ["131-late", *(("131-no-match-point",) if single else ())]
    if late is None or late >= timedelta(seconds=guide.settings.late_again_seconds):
        penalties += [GAME_LOSS, GAME_LOSS] if state.rel == REGULAR else [GAME_LOSS]
        rules.append("131-ten-minutes")
    dropped = penalties.count(GAME_LOSS) >= (1 if single else 2) and not asked.reported
    if dropped:
        rules.append("131-drop")
    return TardinessAdvice(
        penalties=tuple(penalties),
        dropped=dropped,
        time_extension_seconds=_extension(late, penalties, guide, single=single),
        rules=tuple(rules),
    )


def grace_of(state: TournamentState, round_: Round, guide: PenaltyGuide) -> int:
    """The seconds that the organiser allows; at Professional in single-game matches only (D 131)."""
    if state.rel == "professional" and round_.games != 1:
        return 0
    return min(state.grace_seconds, guide.settings.grace_seconds)


def _extension(late: timedelta | None, penalties: list[str], guide: PenaltyGuide, *, single: bool) -> int:
    """A single game that is still played gets the time back that was missed, within the limit of the pre-game procedure."""
    if not single or late is None or GAME_LOSS in penalties or late > timedelta(seconds=guide.settings.grace_seconds):
        return 0
    return _seconds(late)


def _seconds(late: timedelta) -> int:
    return int(late.total_seconds())


def _free(rules: tuple[str, ...]) -> TardinessAdvice:
    return TardinessAdvice(penalties=(), dropped=False, time_extension_seconds=0, rules=rules)
