"""What the reversal of a rollback does to one player's record: what has not changed since is as it was before the rollback. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.moderation.appeals.events import AppealDecided, IncidentOverturned
from services.moderation.appeals.restore import Cause
from services.moderation.record.again import as_it_is
from services.moderation.record.events import IncidentDecided, IncidentReinstated, ProxyBanReimposed, ProxyLiftReinstated, RecordEvent
from services.moderation.record.state import RecordState
from services.moderation.rollbacks.events import KeptDecision, PlayerRolledBack
from services.moderation.views.timeline import Recorded, fold_all

CHANGED = "it changed since the rollback"
APPEALED = "an appeal decided it since the rollback"
WITH_ANOTHER = "the incident that extended its ban stays overturned"
ALONG = "the main account's incident stays overturned"
SINCE = "it was decided since the rollback, on the record as that left it"
OWN = "conflict_of_interest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinstated:
    """What the reversal puts back on the record, and what it keeps."""

    events: tuple[RecordEvent, ...] = ()
    incidents: tuple[str, ...] = ()
    proxy_lift: bool = False
    kept: tuple[KeptDecision, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Story:
    """The record right before and right after the rollback, and now."""

    before: RecordState
    after: RecordState
    now: RecordState
    done: tuple[Recorded, ...]
    since: tuple[Recorded, ...]


def reinstate(record: Sequence[Recorded], entry: PlayerRolledBack, cause: Cause, fallen: frozenset[str]) -> Reinstated:
    """Put back what the rollback changed. `fallen` are incidents whose main account keeps them overturned."""
    story = _Story(
        before=fold_all(record[: entry.version_before]),
        after=fold_all(record[: entry.version_after]),
        now=fold_all(record),
        done=tuple(record[entry.version_before : entry.version_after]),
        since=tuple(record[entry.version_after :]),
    )
    named = {getattr(item.event, "incident_id", None) for item in story.done}
    changed = [name for name, incident in story.after.incidents.items() if name in named or story.before.incidents.get(name) != incident]
    why = {name: reason for name in changed if (reason := _why_not(story, name, fallen)) is not None}
    why |= {name: WITH_ANOTHER for name in _extended_by(story, why) if name in changed and name not in why}
    events: list[RecordEvent] = [_reinstated(story, name, cause) for name in changed if name not in why]
    kept = [_kept(entry.player_id, "incident", name, reason) for name, reason in why.items()]
    proxy = _proxy_lift(story, cause)
    if proxy is not None:
        events.append(proxy)
    elif story.before.proxy_banned_at != story.after.proxy_banned_at:
        kept.append(_kept(entry.player_id, "proxy_ban_lift", None, CHANGED))
    if story.before.strikes != story.after.strikes:
        kept += [_kept(entry.player_id, "later_incident", name, SINCE) for name in _decided_since(story)]
    return Reinstated(
        events=tuple(events),
        incidents=tuple(name for name in changed if name not in why),
        proxy_lift=proxy is not None,
        kept=tuple(kept),
    )


def stays_fallen(record: Sequence[Recorded], entry: PlayerRolledBack, done: Reinstated) -> frozenset[str]:
    """The incidents of this main account that the reversal leaves overturned, so that they stay so on linked accounts."""
    incidents = fold_all(record).incidents
    return frozenset(
        name for name in entry.overturned if name not in done.incidents and name in incidents and incidents[name].main_player_id is None
    )


def all_kept(entry: PlayerRolledBack, why: str) -> Reinstated:
    """Nothing is put back on this record."""
    names = dict.fromkeys((*entry.overturned, *entry.reassessed, *(item.incident_id for item in entry.reimposed if item.incident_id is not None)))
    kept = [_kept(entry.player_id, "incident", name, why) for name in names]
    kept += [
        KeptDecision(kind="adjustment", player_id=entry.player_id, incident_id=None, decision_id=name, why=why) for name in entry.reverted
    ]
    if any(item.kind == "proxy_ban" for item in entry.reimposed):
        kept.append(_kept(entry.player_id, "proxy_ban_lift", None, why))
    return Reinstated(kept=tuple(kept))


def _kept(player_id: str, kind: str, incident_id: str | None, why: str) -> KeptDecision:
    return KeptDecision(kind=kind, player_id=player_id, incident_id=incident_id, decision_id=None, why=why)


def _why_not(story: _Story, incident_id: str, fallen: frozenset[str]) -> str | None:
    if story.now.incidents[incident_id] != story.after.incidents[incident_id]:
        return CHANGED
    if incident_id in fallen and story.now.incidents[incident_id].main_player_id is not None:
        return ALONG
    decided = [item.event.appeal_id for item in story.since if isinstance(item.event, AppealDecided) and item.event.outcome != "upheld"]
    return APPEALED if any(story.now.appeals[appeal_id].incident_id == incident_id for appeal_id in decided) else None


def _extended_by(story: _Story, why: Mapping[str, str]) -> list[str]:
    """The bans whose days went with an incident that stays overturned."""
    return [
        ban.incident_id
        for item in story.done
        if isinstance(item.event, IncidentOverturned) and item.event.incident_id in why
        for ban in item.event.restored
    ]


def _reinstated(story: _Story, incident_id: str, cause: Cause) -> IncidentReinstated:
    after = story.after.incidents[incident_id]
    return IncidentReinstated(
        incident_id=incident_id,
        at=cause.at,
        by=cause.by,
        role=cause.role,
        rollback_id=cause.rollback_id or "",
        undoes=tuple(item.version for item in story.done if getattr(item.event, "incident_id", None) == incident_id),
        sanctions_before=tuple(held.sanction for held in after.sanctions),
        strike_before=after.strike,
        restored=as_it_is(story.before.incidents[incident_id]),
    )


def _proxy_lift(story: _Story, cause: Cause) -> ProxyLiftReinstated | None:
    made = [item.version for item in story.done if isinstance(item.event, ProxyBanReimposed)]
    if not made or story.now.proxy_banned_at != story.after.proxy_banned_at:
        return None
    return ProxyLiftReinstated(at=cause.at, by=cause.by, role=cause.role, rollback_id=cause.rollback_id or "", undoes=tuple(made))


def _decided_since(story: _Story) -> list[str]:
    return [item.event.incident_id for item in story.since if isinstance(item.event, IncidentDecided)]
