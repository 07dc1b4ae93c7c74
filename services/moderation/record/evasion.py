"""Multiple accounts (I-13): what is evaded, what it adds, and when five linked accounts get an IP ban."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from services.moderation.policy.tables import Settings
from services.moderation.record.entries import Incident
from services.moderation.record.events import Extension, Sanction
from services.moderation.record.impose import DAY, check_span
from services.moderation.record.state import BANS, RecordState


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningBan:
    """A ban that runs at the asked moment, and the incident that imposed it."""

    incident: Incident
    sanction: Sanction


def running_bans(state: RecordState, at: datetime) -> list[RunningBan]:
    """The account's bans in force at `at`, in the order they were recorded; a ban has ended at its end (I-5)."""
    return [
        RunningBan(incident=incident, sanction=held.sanction)
        for incident in state.incidents.values()
        if incident.in_force
        for held in incident.sanctions
        if held.sanction.kind in BANS and held.state == "active" and is_running(held.sanction, at)
    ]


def is_running(sanction: Sanction, at: datetime) -> bool:
    """Whether the sanction runs at `at`: from its start on, and before its end."""
    return sanction.starts_at <= at and (sanction.ends_at is None or at < sanction.ends_at)


def linked_alts(state: RecordState) -> tuple[str, ...]:
    """The accounts charged as this player's alts in incidents in force, each once, in order."""
    return tuple(dict.fromkeys(alt for incident in state.incidents.values() if incident.in_force for alt in incident.alts))


def latest_charge(state: RecordState) -> Incident | None:
    """The latest incident in force that charges other accounts as this player's: what the IP bans of five linked accounts belong to."""
    return next((incident for incident in reversed(tuple(state.incidents.values())) if incident.in_force and incident.alts), None)


def mains_around(player_id: str, state: RecordState) -> tuple[str, ...]:
    """The main accounts of the groups that this account is in: its own, where it has alts, and those that it is an alt of."""
    own = (player_id,) if latest_charge(state) is not None else ()
    mains = (incident.main_player_id for incident in state.incidents.values() if incident.in_force and incident.main_player_id is not None)
    return tuple(dict.fromkeys((*own, *mains)))


def linked_sanctions(main_player_id: str, player_id: str, state: RecordState) -> frozenset[str]:
    """The kinds of active sanctions that this account has for being one of the main account's (I-13)."""
    return frozenset(
        held.sanction.kind
        for incident in state.incidents.values()
        if incident.in_force and (incident.linked_ip_ban if player_id == main_player_id else incident.main_player_id == main_player_id)
        for held in incident.sanctions
        if held.state == "active"
    )


def five_at_once(main_player_id: str, states: Mapping[str, RecordState], at: datetime, settings: Settings) -> tuple[str, ...]:
    """The main account and its alts that are banned at `at`, the main one first; empty while they are fewer than get an IP ban (I-13).

    `states` are the records of all of them.
    """
    main = states[main_player_id]
    alts = [alt for alt in linked_alts(main) if is_alt_of(main_player_id, states[alt])]
    banned = tuple(account for account in (main_player_id, *alts) if running_bans(states[account], states[account].moment(at)))
    return banned if len(banned) >= settings.ip_ban_accounts else ()


def is_alt_of(main_player_id: str, state: RecordState) -> bool:
    """Whether the account of this record still counts as the other's alt: not once its own appeal overturned the charge (N09)."""
    return any(incident.in_force and incident.main_player_id == main_player_id for incident in state.incidents.values())


def reached(incident: Incident, state: RecordState) -> tuple[str, ...]:
    """The accounts that this incident of the main account may have sanctioned along: its own alts, and with five accounts those charged before it.

    Also those whose charge was overturned since: what this incident imposed on them stands until it is lifted or falls itself.
    """
    before = takewhile(lambda other: other.incident_id != incident.incident_id, state.incidents.values()) if incident.linked_ip_ban else ()
    return tuple(dict.fromkeys((*incident.alts, *(alt for other in before for alt in other.alts))))


def extension(state: RecordState, alts: tuple[str, ...], at: datetime, settings: Settings) -> Extension | None:
    """What these alts add to the ban that ends last: days for each alt that never added any; nothing to a permanent ban.

    Raises a `Refusal` `duration_too_long` when the ban would last longer than any ban may.
    """
    bans = running_bans(state, at)
    used = {alt for incident in state.incidents.values() if incident.in_force and incident.extension for alt in incident.extension.alts}
    new = tuple(alt for alt in alts if alt not in used)
    timed = [(ban, ban.sanction.ends_at) for ban in bans if ban.sanction.ends_at is not None]
    if not new or not timed or len(timed) < len(bans):
        return None
    last, end = max(timed, key=lambda pair: pair[1])
    days = len(new) * settings.evasion_days_per_alt
    check_span(last.sanction.starts_at, end + days * DAY, settings.max_ban_days, field="offenses.alts")
    return Extension(
        incident_id=last.incident.incident_id,
        sanction_id=last.sanction.sanction_id,
        alts=new,
        days=days,
        ends_at_before=end,
        ends_at=end + days * DAY,
    )


def banned_together(state: RecordState, alts: tuple[str, ...], banned: dict[str, bool], *, main_banned: bool) -> int:
    """How many of the main account and its alts are banned once these alts are: distinct accounts, at the same moment."""
    earlier = [alt for alt in linked_alts(state) if alt not in alts and banned.get(alt, False)]
    return len(alts) + len(earlier) + int(main_banned)
