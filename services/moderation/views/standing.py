"""A player's standing: a function of the facts of their record and the asked moment, so a ban ends at its end with nothing running (I-5, D01)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from services.moderation.record.state import BANS, RecordState


class BanFact(Struct, frozen=True, kw_only=True, gc=False):
    """A ban: which incident imposed it, from when, until when (None: permanent)."""

    incident_id: str
    starts_at: datetime
    ends_at: datetime | None


class StandingFacts(Struct, frozen=True, kw_only=True, gc=False):
    """All that a standing is computed from; `last_at` is the latest decision, before which "now" is never taken to be (E02)."""

    strikes: int = 0
    warnings: int = 0
    legal_review: bool = False
    ip_banned: bool = False
    proxy_banned: bool = False
    bans: tuple[BanFact, ...] = ()
    last_at: datetime | None = None


class Ban(Struct, frozen=True, kw_only=True):
    """The union of the running bans: earliest start, latest end, all incidents."""

    permanent: bool
    starts_at: datetime
    ends_at: datetime | None
    incident_ids: tuple[str, ...]


class Standing(Struct, frozen=True, kw_only=True):
    """A player's standing as the API shows it; `running` are the bans that `ban` unites."""

    player_id: str
    status: str
    strikes: int
    warnings: int
    ban: Ban | None
    ip_banned: bool
    proxy_banned: bool
    legal_review: bool
    version: int
    as_of: datetime
    running: tuple[BanFact, ...] = ()


NOTHING = StandingFacts()


def facts_of(state: RecordState) -> StandingFacts:
    """The facts of a folded record."""
    strikes = warnings = 0
    legal_review = ip_banned = False
    bans = []
    for incident in state.incidents.values():
        if incident.overturned:
            continue
        strikes += incident.strike is not None
        legal_review = legal_review or incident.legal_review
        warned = False
        for held in incident.sanctions:
            sanction, kind = held.sanction, held.sanction.kind
            if held.state != "active":
                continue
            if kind in BANS:
                bans.append(BanFact(incident_id=incident.incident_id, starts_at=sanction.starts_at, ends_at=sanction.ends_at))
            warned = warned or kind == "warning"
            ip_banned = ip_banned or kind == "ip_ban"
        warnings += warned
    return StandingFacts(
        strikes=strikes,
        warnings=warnings,
        legal_review=legal_review,
        ip_banned=ip_banned,
        proxy_banned=state.proxy_banned_at is not None,
        bans=tuple(bans),
        last_at=state.last_at,
    )


def row_facts(facts: StandingFacts) -> StandingFacts:
    """The facts as the projection keeps them: bans that ended before the last decision can't run at any later moment."""
    if facts.last_at is None:
        return facts
    last_at = facts.last_at
    return replace(facts, bans=tuple(ban for ban in facts.bans if ban.ends_at is None or ban.ends_at > last_at))


def standing_at(player_id: str, facts: StandingFacts, version: int, at: datetime) -> Standing:
    """The standing at `at`. `warned` while a warning or strike stands and no ban runs (contract, Standing)."""
    running = [ban for ban in facts.bans if ban.starts_at <= at and (ban.ends_at is None or at < ban.ends_at)]
    ban = _union(running) if running else None
    return Standing(
        player_id=player_id,
        status=_status(facts, ban),
        strikes=facts.strikes,
        warnings=facts.warnings,
        ban=ban,
        ip_banned=facts.ip_banned,
        proxy_banned=facts.proxy_banned,
        legal_review=facts.legal_review,
        version=version,
        as_of=at,
        running=tuple(running),
    )


def standing_now(player_id: str, facts: StandingFacts, version: int, now: datetime) -> Standing:
    """The standing of this moment; a decision that another machine's faster clock dated a little later counts already (E02)."""
    return standing_at(player_id, facts, version, now if facts.last_at is None or now > facts.last_at else facts.last_at)


def as_reply(standing: Standing) -> dict[str, Any]:
    """The standing as a JSON object, in the contract's order."""
    ban = standing.ban
    return {
        "player_id": standing.player_id,
        "status": standing.status,
        "strikes": standing.strikes,
        "warnings": standing.warnings,
        "ban": None
        if ban is None
        else {"permanent": ban.permanent, "starts_at": ban.starts_at, "ends_at": ban.ends_at, "incident_ids": ban.incident_ids},
        "ip_banned": standing.ip_banned,
        "proxy_banned": standing.proxy_banned,
        "legal_review": standing.legal_review,
        "version": standing.version,
        "as_of": standing.as_of,
    }


def _status(facts: StandingFacts, ban: Ban | None) -> str:
    if ban is not None:
        return "permanently_banned" if ban.permanent else "banned"
    return "warned" if facts.strikes or facts.warnings else "good"


def _union(bans: list[BanFact]) -> Ban:
    ends = [ban.ends_at for ban in bans if ban.ends_at is not None]
    permanent = len(ends) < len(bans)
    return Ban(
        permanent=permanent,
        starts_at=min(ban.starts_at for ban in bans),
        ends_at=None if permanent else max(ends),
        incident_ids=tuple(dict.fromkeys(ban.incident_id for ban in bans)),
    )
