"""Deciding on a player's record: pure, one function per command. Sources: S (the SimOrg rules), I-1 to I-22."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import assert_never

from services.moderation.record.assess import UNLISTED, assess, check_charges, setting
from services.moderation.record.authority import check_own_account
from services.moderation.record.commands import (
    AcknowledgeEffect,
    AdjustSanctions,
    BanAlt,
    BanProxy,
    DecideIncident,
    ImportIncident,
    LiftIpBan,
    LiftProxyBan,
    RecordCommand,
)
from services.moderation.record.correct import acknowledge, adjust, lift_ip_ban
from services.moderation.record.evasion import banned_together, extension, linked_sanctions, running_bans
from services.moderation.record.events import (
    Act,
    AltBanned,
    AssessedOffense,
    IncidentDecided,
    IncidentImported,
    LinkedIpBanImposed,
    Outcome,
    ProxyBanLifted,
    ProxyBanned,
    RecordEvent,
    Words,
)
from services.moderation.record.impose import check_named, check_total, imposed_sanctions, stacked
from services.moderation.record.state import RecordState
from shared.refusal import Refusal

HEAD_ADMIN = "head_admin"
IP_BAN = Outcome(kind="ip_ban")
# A reporting machine's clock may be a little ahead; its claim is then taken as "now", since the service's own time decides (T05).
CLOCK_TOLERANCE = timedelta(seconds=2)


def decide(command: RecordCommand, state: RecordState) -> Sequence[RecordEvent]:
    """The events that the command causes on this record; empty when it is so already. Raises a `Refusal`."""
    match command:
        case DecideIncident():
            return decide_incident(command, state)
        case ImportIncident():
            return import_incident(command, state)
        case AdjustSanctions():
            return adjust(command, state)
        case LiftIpBan():
            return lift_ip_ban(command, state)
        case BanAlt():
            return ban_alt(command, state)
        case BanProxy():
            return ban_proxy(command, state)
        case LiftProxyBan():
            return lift_proxy_ban(command, state)
        case AcknowledgeEffect():
            return acknowledge(command, state)
        case _:
            assert_never(command)


def decide_incident(command: DecideIncident, state: RecordState) -> Sequence[RecordEvent]:
    """Assess the offenses at the player's column and impose what the table says (I-1 to I-13, I-17, I-19, I-21)."""
    at = state.moment(command.at)
    alts = _check_incident(command, state)
    banned_before = bool(running_bans(state, at))
    evasion = bool(alts) and banned_before
    if any(charge.evasion for charge in command.charges) and not evasion:
        raise Refusal("not_evasion", "The account is not banned now, so nothing is evaded.")
    if command.occurred_at is not None and command.occurred_at > at + CLOCK_TOLERANCE:
        raise Refusal("occurred_in_future", "The act lies in the future.", field="occurred_at")
    occurred_at = min(command.occurred_at or at, at)
    where = setting(command.policy, state, occurred_at=occurred_at, duel_id=command.duel_id)
    lines = tuple(replace(line, strike=line.strike and not (evasion and _is_accounts(command, line))) for line in assess(command.charges, where))
    outcomes = stacked(outcome for line in lines for outcome in line.sanctions)
    banned = banned_before or _bans(outcomes)
    linked_ip_ban = (bool(alts) or (banned and not banned_before)) and _five_accounts(command, state, alts, main_banned=banned)
    if linked_ip_ban and banned:
        outcomes = stacked((*outcomes, IP_BAN))
    check_total(outcomes, command.policy.settings.max_ban_days)
    networks = _networks(command, outcomes)
    strike = state.strikes + 1 if any(line.strike for line in lines) else None
    decided = IncidentDecided(
        incident_id=command.incident_id,
        player_id=command.player_id,
        at=at,
        decided_by=command.by.staff_id,
        role=command.by.role,
        policy_version=command.policy.version,
        column=where.column,
        strike=strike,
        offenses=lines,
        sanctions=imposed_sanctions(outcomes, ids=iter(command.ids), starts_at=at, networks=networks),
        occurred_at=occurred_at,
        legal_review=any(line.legal_review for line in lines),
        notify=command.notify,
        duel_id=command.duel_id,
        call_id=command.call_id,
        external_id=command.external_id,
        alts=alts,
        evasion=evasion,
        extension=extension(state, alts, at, command.policy.settings) if evasion else None,
        linked_ip_ban=linked_ip_ban,
        details=command.details,
        act=command.act,
    )
    return [decided]


def _check_incident(command: DecideIncident, state: RecordState) -> tuple[str, ...]:
    """What can be refused before anything is read from the table; returns the alts charged."""
    alts = tuple(alt for charge in command.charges for alt in charge.alts)
    check_own_account(command.by, command.player_id, *alts)
    check_charges(command.policy, command.charges)
    if any(charge.infraction == UNLISTED for charge in command.charges) and command.by.role != HEAD_ADMIN:
        raise Refusal("head_admin_required", "Only a Head Admin charges an act that fits no row (I-21).")
    for index, charge in enumerate(command.charges):
        if charge.sanctions is not None:
            check_named(charge.sanctions, max_days=command.policy.settings.max_ban_days, field=f"offenses[{index}].sanctions")
    if command.player_id in alts or len(set(alts)) < len(alts):
        raise Refusal("invalid_request", "Name each other account once, and not the account itself.", field="offenses.alts")
    if "ai_ruling" in command.evidence_kinds:
        raise Refusal("ai_ruling_not_accepted", "AI rulings are never accepted as evidence (I-19).", field="evidence")
    existing = known_act(state, command.external_id, command.act)
    if existing is not None:
        raise Refusal("incident_exists", "This act has been decided already.", current={"incident_id": existing})
    return alts


def known_act(state: RecordState, external_id: str | None, act: Act | None) -> str | None:
    """The incident of this act, if there is one: by what stands for its name now, or by the name itself as version 1 recorded it."""
    names = (external_id, act.external_id if act is not None else None)
    known = (state.known_as(name) for name in names if name is not None)
    return next((incident_id for incident_id in known if incident_id is not None), None)


def _is_accounts(command: DecideIncident, line: AssessedOffense) -> bool:
    row = command.policy.rows.get(line.infraction)
    return row is not None and row.accounts


def _bans(outcomes: tuple[Outcome, ...]) -> bool:
    return any(outcome.kind in ("ban", "permanent_ban") for outcome in outcomes)


def _five_accounts(command: DecideIncident, state: RecordState, alts: tuple[str, ...], *, main_banned: bool) -> bool:
    together = banned_together(state, alts, dict(command.facts.banned), main_banned=main_banned)
    return together >= command.policy.settings.ip_ban_accounts


def _networks(command: DecideIncident, outcomes: tuple[Outcome, ...]) -> tuple[str, ...]:
    """The networks an IP ban covers: those seen for the account and those named (I-14)."""
    named = [network for charge in command.charges for network in charge.networks]
    if IP_BAN.kind not in {outcome.kind for outcome in outcomes}:
        if named:
            raise Refusal("discretion_not_allowed", "Without an IP ban no networks are named.", allowed={}, field="offenses.networks")
        return ()
    return tuple(dict.fromkeys((*command.facts.networks, *named)))


def import_incident(command: ImportIncident, state: RecordState) -> Sequence[RecordEvent]:
    """Take over an incident as it was decided, from its own moment on (I-22); one known by its external id is there already."""
    check_own_account(command.by, command.player_id)
    row = command.policy.rows.get(command.infraction)
    if row is None and command.infraction != UNLISTED:
        raise Refusal("unknown_infraction", f"There is no infraction {command.infraction!r}.", field="infraction")
    if command.decided_at > command.at:
        raise Refusal("occurred_in_future", "An imported incident was decided in the past.", field="decided_at")
    check_named(command.sanctions, max_days=command.policy.settings.max_ban_days, field="sanctions")
    if known_act(state, command.external_id, command.act) is not None:
        return []
    sanctions = imposed_sanctions(
        stacked(command.sanctions), ids=iter(command.ids), starts_at=command.decided_at, networks=command.facts.networks
    )
    imported = IncidentImported(
        incident_id=command.incident_id,
        player_id=command.player_id,
        at=command.decided_at,
        decided_by=command.decided_by,
        infraction=command.infraction,
        strike=state.strikes + 1 if command.strike else None,
        sanctions=sanctions,
        legal_review=row is not None and row.legal_review,
        external_id=command.external_id,
        imported_at=state.moment(command.at),
        imported_by=command.by.staff_id,
        act=command.act,
    )
    return [imported]


def ban_alt(command: BanAlt, state: RecordState) -> Sequence[RecordEvent]:
    """Ban an alt with the main account's incident, without a strike (I-13).

    Each incident that charges the account bans it, whatever bans it besides: overturning one of them doesn't free it from the others. An account that
    is not charged again only gets the IP ban, once.
    """
    check_own_account(command.by, command.player_id)
    at = state.moment(command.at)
    has = frozenset[str]() if command.charged else linked_sanctions(command.main_player_id, command.player_id, state)
    wanted = [Outcome(kind="permanent_ban")] if "permanent_ban" not in has else []
    wanted += [IP_BAN] if command.ip_ban and "ip_ban" not in has else []
    if not command.charged and IP_BAN not in wanted:
        return []
    form = AltBanned if command.charged else LinkedIpBanImposed
    return [
        form(
            incident_id=command.incident_id,
            main_player_id=command.main_player_id,
            at=at,
            by=command.by.staff_id,
            role=command.by.role,
            policy_version=command.policy_version,
            sanctions=imposed_sanctions(wanted, ids=iter(command.ids), starts_at=at, networks=command.facts.networks),
            notify=command.notify,
        )
    ]


def ban_proxy(command: BanProxy, state: RecordState) -> Sequence[RecordEvent]:
    """Ban an account that came through a proxy, when the policy bans that automatically (I-15); no strike."""
    if command.policy.settings.proxy_ban != "automatic" or state.proxy_banned_at is not None:
        return []
    return [ProxyBanned(at=state.moment(command.at), reported_by=command.reported_by, policy_version=command.policy.version)]


def lift_proxy_ban(command: LiftProxyBan, state: RecordState) -> Sequence[RecordEvent]:
    """Lift the proxy ban, if there is one (I-15)."""
    check_own_account(command.by, command.player_id)
    if state.proxy_banned_at is None:
        return []
    return [ProxyBanLifted(at=state.moment(command.at), by=command.by.staff_id, role=command.by.role, words=Words(reason=command.reason))]
