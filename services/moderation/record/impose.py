"""From outcomes to sanctions: stacking (I-4), what an IP ban brings along (I-12), and the checks on sanctions that a person names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from services.moderation.record.events import Outcome, Sanction
from shared.refusal import Refusal

DAY = timedelta(hours=24)
KINDS = ("permanent_ban", "ban", "ip_ban", "stats_reset", "cosmetic_removal", "match_loss", "game_loss", "warning", "in_duel_warning")


def stacked(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """The outcomes of one incident united: days add up, a permanent ban takes them all in, an IP ban is a permanent ban too (I-4, I-12)."""
    named = list(outcomes)
    kinds = {outcome.kind for outcome in named}
    days = sum(outcome.days or 0 for outcome in named if outcome.kind == "ban")
    if kinds & {"permanent_ban", "ip_ban"}:
        kinds = (kinds | {"permanent_ban"}) - {"ban"}
    return tuple(Outcome(kind=kind, days=days if kind == "ban" else None) for kind in KINDS if kind in kinds)


def check_named(outcomes: tuple[Outcome, ...], *, max_days: int, field: str) -> None:
    """Check sanctions that a command names (I-20, I-21, I-22).

    Raises a `Refusal`: `duration_too_long` above `max_days`; `invalid_request` for an unknown kind, a kind named twice, a ban without a
    whole day, days where there are none, or a timed ban beside a permanent one.
    """
    seen: set[str] = set()
    for index, outcome in enumerate(outcomes):
        at = f"{field}[{index}]"
        if outcome.kind not in KINDS:
            raise Refusal("invalid_request", f"There is no sanction {outcome.kind!r}.", allowed=list(KINDS), field=f"{at}.kind")
        if outcome.kind in seen:
            raise Refusal("invalid_request", f"{outcome.kind} is named twice.", field=f"{at}.kind")
        seen.add(outcome.kind)
        _check_days(outcome, max_days, f"{at}.days")
    if {"ban", "permanent_ban"} <= seen or {"ban", "ip_ban"} <= seen:
        raise Refusal("invalid_request", "A timed ban can't stand beside a permanent ban or an IP ban.", field=field)


def check_total(outcomes: tuple[Outcome, ...], max_days: int) -> None:
    """Raises a `Refusal` `duration_too_long` when the stacked days are more than the policy's longest ban."""
    for outcome in outcomes:
        if outcome.days is not None and outcome.days > max_days:
            raise Refusal("duration_too_long", f"A ban lasts at most {max_days} days, not {outcome.days}.", field="offenses")


def check_span(starts_at: datetime, ends_at: datetime, max_days: int, *, field: str) -> None:
    """Raises a `Refusal` `duration_too_long` when a ban with all that was added to it lasts longer than the policy's longest ban."""
    if ends_at - starts_at > max_days * DAY:
        detail = f"With the days added the ban would last {(ends_at - starts_at) // DAY} days; it lasts at most {max_days}."
        raise Refusal("duration_too_long", detail, allowed={"max": max_days}, field=field)


def _check_days(outcome: Outcome, max_days: int, at: str) -> None:
    if outcome.kind != "ban":
        if outcome.days is not None:
            raise Refusal("invalid_request", f"{outcome.kind} has no days.", field=at)
        return
    if outcome.days is None or outcome.days < 1:
        raise Refusal("invalid_request", "A ban takes at least one whole day.", field=at)
    if outcome.days > max_days:
        raise Refusal("duration_too_long", f"A ban lasts at most {max_days} days.", allowed={"max": max_days}, field=at)


def imposed_sanctions(
    outcomes: Iterable[Outcome], *, ids: Iterator[str], starts_at: datetime, networks: tuple[str, ...], ban_starts_at: datetime | None = None
) -> tuple[Sanction, ...]:
    """The sanctions, each with an id and its instants. A day is 24 hours (I-5); only a timed ban has an end.

    `ban_starts_at` is the start of bans when they began before this decision (I-20, I-22).
    """

    def one(outcome: Outcome) -> Sanction:
        start = starts_at if ban_starts_at is None or outcome.kind not in ("ban", "permanent_ban") else ban_starts_at
        ends_at = start + outcome.days * DAY if outcome.days is not None else None
        covered = networks if outcome.kind == "ip_ban" else ()
        return Sanction(sanction_id=next(ids), kind=outcome.kind, days=outcome.days, starts_at=start, ends_at=ends_at, networks=covered)

    return tuple(one(outcome) for outcome in outcomes)
