"""A record step by step: the standing after each event, and what changed since the one before (contract, Audit)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.moderation.record.state import INITIAL, RecordState
from services.moderation.views.standing import Standing, facts_of, standing_at
from services.moderation.views.timeline import Recorded, fold_all, step


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One event, and the standings before and after it, each at the moment of its own latest decision."""

    recorded: Recorded
    before: Standing
    after: Standing


def steps(player_id: str, events: Sequence[Recorded], *, after: int = 0) -> Iterator[Step]:
    """The events of the record behind the first `after` ones, with the standings around each.

    Replaying reads no clock: a step shows the moment of its decision.
    """
    earlier = events[:after]
    state = fold_all(earlier)
    before = _standing(player_id, state, earlier[-1]) if earlier else None
    for recorded in events[after:]:
        state = step(state, recorded)
        now = _standing(player_id, state, recorded)
        yield Step(recorded=recorded, before=before or _standing(player_id, INITIAL, recorded, version=0), after=now)
        before = now


def _standing(player_id: str, state: RecordState, recorded: Recorded, *, version: int | None = None) -> Standing:
    moment = state.last_at or recorded.recorded_at
    return standing_at(player_id, facts_of(state), recorded.version if version is None else version, moment)
