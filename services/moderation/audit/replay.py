"""A record step by step: the standing after each event, and what changed since the one before (contract, Audit)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from services.moderation.record.state import INITIAL, RecordState
from services.moderation.views.standing import Standing, facts_of, standing_at
from services.moderation.views.timeline import Recorded, step


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One event, and the standings before and after it, each at the moment of its own latest decision."""

    recorded: Recorded
    before: Standing
    after: Standing


def steps(player_id: str, events: Iterable[Recorded]) -> Iterator[Step]:
    """Every event of the record with the standings around it. Replaying reads no clock: a step shows the moment of its decision."""
    state = INITIAL
    before: Standing | None = None
    for recorded in events:
        state = step(state, recorded)
        after = _standing(player_id, state, recorded)
        yield Step(recorded=recorded, before=before or _standing(player_id, INITIAL, recorded, version=0), after=after)
        before = after


def _standing(player_id: str, state: RecordState, recorded: Recorded, *, version: int | None = None) -> Standing:
    moment = state.last_at or recorded.recorded_at
    return standing_at(player_id, facts_of(state), recorded.version if version is None else version, moment)
