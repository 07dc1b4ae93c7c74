"""Away from keyboard: what the record of idleness, prompts and replies suggests (I-50). Pure; the finding is the admin's.

Durations lie between the recorded moments, without the time for which the duel stood still.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

IDLE_LIMIT = timedelta(minutes=6)
REPLY_LIMIT = timedelta(seconds=30)
MINOR, MAJOR = "slow-play-minor", "slow-play-major"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One record about a player: `idle` (since `since`, seen at `at`), `prompt` or `reply`."""

    kind: str
    at: datetime
    since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """A stretch in which the duel stood still; `until` None: it does still."""

    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """How long the player was idle at most, without pauses, and what that suggests, None for nothing (yet)."""

    idle: timedelta
    suggests: str | None


@dataclass(slots=True)
class _Spell:
    """One absence: from `since` (None: only known by prompts) to `back`, or to the last sign of it."""

    since: datetime | None
    last: datetime
    back: datetime | None = None
    prompts: list[datetime] = field(default_factory=list)


def assess(records: Iterable[Seen], stops: Sequence[Stop]) -> Finding:
    """What one player's records come to; the worst of their absences counts."""
    findings = [_assess(spell, stops) for spell in _spells(sorted(records, key=lambda seen: seen.at))]
    suggestions = {finding.suggests for finding in findings}
    suggests = MAJOR if MAJOR in suggestions else MINOR if MINOR in suggestions else None
    return Finding(idle=max((finding.idle for finding in findings), default=timedelta()), suggests=suggests)


def _spells(records: Sequence[Seen]) -> list[_Spell]:
    spells: list[_Spell] = []
    for seen in records:
        current = spells[-1] if spells and spells[-1].back is None else None
        if seen.kind == "reply":
            if current is not None:
                current.back = seen.at
        elif seen.kind == "prompt":
            if current is None:
                spells.append(_Spell(since=None, last=seen.at, prompts=[seen.at]))
            else:
                current.prompts.append(seen.at)
                current.last = seen.at
        else:
            _see_idle(spells, current, seen.since or seen.at, seen.at)
    return spells


def _see_idle(spells: list[_Spell], current: _Spell | None, since: datetime, at: datetime) -> None:
    """The player was seen idle. A later beginning than what is known means that they had come back in between (Q06: no stale value is kept)."""
    if current is not None and since <= (current.prompts[0] if current.since is None else current.since):
        current.since = since
        current.last = at
        return
    asked: list[datetime] = []
    if current is not None:
        asked = [prompt for prompt in current.prompts if prompt >= since]  # these were of the absence that only now becomes known
        current.back, current.prompts = since, [prompt for prompt in current.prompts if prompt < since]
    elif spells and spells[-1].back is not None:
        since = max(since, spells[-1].back)  # what lies before a reply was not one absence
    spells.append(_Spell(since=since, last=at, prompts=asked))


def _assess(spell: _Spell, stops: Sequence[Stop]) -> Finding:
    end = spell.last if spell.back is None else spell.back
    idle = timedelta() if spell.since is None else _running(spell.since, end, stops)
    ignored = any(_running(prompt, end, stops) >= REPLY_LIMIT for prompt in spell.prompts)
    if idle >= IDLE_LIMIT or ignored:
        return Finding(idle=idle, suggests=MAJOR)
    came_back = spell.since is not None and spell.back is not None and bool(spell.prompts)
    return Finding(idle=idle, suggests=MINOR if came_back else None)


def _running(since: datetime, until: datetime, stops: Sequence[Stop]) -> timedelta:
    """The time from `since` to `until` for which the duel was running."""
    still = timedelta()
    for stop in stops:
        begin, end = max(since, stop.since), until if stop.until is None else min(until, stop.until)
        still += max(end - begin, timedelta())
    return max(until - since, timedelta()) - still
