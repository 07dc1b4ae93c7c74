"""What became of commands, read from the log itself and compared with what was acknowledged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from shared.commands import with_position
from shared.security.keys import derive_keys
from tests.bars.harness.http1 import Answer
from tests.bars.harness.load import Command
from tests.bars.harness.world import World

_EVENTS = "SELECT stream, count(*) AS events, max(version) AS version FROM events WHERE stream LIKE 'record-%' GROUP BY stream"
_REPLIES = "SELECT key, reply, position FROM idempotency"
_GAPS = "SELECT count(*) FROM (SELECT position, row_number() OVER (ORDER BY position) AS n FROM events) x WHERE position <> n"
_BEHIND = """
SELECT count(*) FROM (SELECT substr(stream, 8) AS player_id, max(version) AS version FROM events WHERE stream LIKE 'record-%' GROUP BY stream) e
LEFT JOIN standing s USING (player_id) WHERE s.version IS DISTINCT FROM e.version"""
_HALF_KEYS = """
SELECT count(*) FROM idempotency i WHERE i.position IS NOT NULL AND NOT EXISTS (SELECT 1 FROM events e WHERE e.command_id = i.command_id)"""
_HEAD = "SELECT (SELECT position FROM log_head) - (SELECT count(*) FROM events)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How many acknowledged commands are missing, recorded twice, recorded in part; stored answers that differ; rows that contradict the log."""

    commands: int
    lost: int
    doubled: int
    partial: int
    unequal: int
    torn: int

    @property
    def clean(self) -> bool:
        """Whether nothing at all is wrong."""
        return not (self.lost or self.doubled or self.partial or self.unequal or self.torn)

    def __str__(self) -> str:
        return (
            f"{self.commands} acknowledged: {self.lost} lost, {self.doubled} doubled, {self.partial} partial, "
            f"{self.unequal} answers unequal, {self.torn} rows at odds with the log"
        )


async def audit(world: World, commands: Iterable[Command], acknowledged: Mapping[int, Answer]) -> Outcome:
    """Compare the log with what was acknowledged. Also unacknowledged commands must be there wholly or not at all."""
    events: Counter[str] = Counter()
    for row in await world.rows(_EVENTS):
        events[row["stream"].removeprefix("record-")] = row["events"]
    known = list(commands)
    counts = {command.number: [events[player] for player in command.players] for command in known}
    whole = {number: min(count) == max(count) for number, count in counts.items()}
    return Outcome(
        commands=len(acknowledged),
        lost=sum(1 for number in acknowledged if max(counts[number]) == 0),
        doubled=sum(1 for count in counts.values() if max(count) > 1),
        partial=sum(1 for good in whole.values() if not good),
        unequal=await _unequal(world, known, acknowledged),
        torn=await torn(world),
    )


async def _unequal(world: World, commands: Iterable[Command], acknowledged: Mapping[int, Answer]) -> int:
    stored = {row["key"]: with_position(row["reply"], row["position"]) for row in await world.rows(_REPLIES)}
    kept = derive_keys(world.master_key).kept_key
    keys = {command.number: None if command.key is None else kept(command.key) for command in commands}
    compared = [(keys[number], answer) for number, answer in acknowledged.items() if keys[number] is not None]
    return sum(1 for key, answer in compared if key is not None and json.loads(stored.get(key, b"null")) != answer.json)


async def torn(world: World) -> int:
    """Rows written in the same transaction as the events that contradict them: gaps, projections behind, keys without events, the head."""
    return sum([abs(int(await world.value(sql))) for sql in (_GAPS, _BEHIND, _HALF_KEYS, _HEAD)])
