"""The rules of network bans (contract, "Incidents and sanctions"; I-14; N04, N06, N07)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, assert_never

from services.moderation.network_bans.commands import BanNetwork, ExemptAccount, IncidentBan, LiftNetworkBan, NetworkBanCommand, OtherBan
from services.moderation.network_bans.events import AccountExempted, BanDetails, NetworkBanEntered, NetworkBanEvent, NetworkBanLifted, NetworkBanned
from services.moderation.network_bans.state import INITIAL, NetworkBanState, evolve, standing_of
from services.moderation.record.authority import check_own_account
from services.moderation.record.events import Words
from shared.refusal import Refusal


class NetworkBanDecider:
    """One ban, on its own stream (`network-ban-{network_ban_id}`)."""

    __slots__ = ()

    def initial(self) -> NetworkBanState:
        """Nothing yet."""
        return INITIAL

    def decide(self, command: NetworkBanCommand, state: NetworkBanState) -> Sequence[NetworkBanEvent]:
        """The events that the command causes; empty when it is so already. Raises a `Refusal`."""
        match command:
            case BanNetwork():
                return _ban(command)
            case LiftNetworkBan():
                return _lift(command, state)
            case ExemptAccount():
                return _exempt(command, state)
            case _:
                assert_never(command)

    def evolve(self, state: NetworkBanState, event: NetworkBanEvent) -> NetworkBanState:
        """The ban after the event."""
        return evolve(state, event)


def duplicate_of(command: BanNetwork) -> OtherBan | None:
    """The ban that says the same already: of this very network, with the same end, and in force (N04).

    A range around it, a network inside it, and the same network with another end are bans of their own, each lifted by its own id.
    """
    return next((other for other in command.others if other.active and other.ends_at == command.ends_at), None)


def entry_of(banned: NetworkBanned) -> NetworkBanEntered:
    """The ban's entry in the register of its network."""
    return NetworkBanEntered(network_hash=banned.network_hash, network_ban_id=banned.network_ban_id, at=banned.at)


def _ban(command: BanNetwork) -> Sequence[NetworkBanEvent]:
    if command.ends_at is not None and command.ends_at <= command.at:
        raise Refusal("invalid_request", "The ban would have ended already.", field="ends_at")
    # A difference of two moments can't overflow, as a sum of a late one and a long span could.
    if command.ends_at is not None and command.ends_at - command.at > timedelta(days=command.max_days):
        detail = f"A ban with an end lasts at most {command.max_days} days; leave `ends_at` out for one without."
        raise Refusal("duration_too_long", detail, field="ends_at", allowed={"max_days": command.max_days})
    if duplicate_of(command) is not None:
        return []
    return [
        NetworkBanned(
            network_ban_id=command.network_ban_id,
            network_hash=command.network_hash,
            at=command.at,
            by=command.by.staff_id,
            role=command.by.role,
            ends_at=command.ends_at,
            details=BanDetails(network=command.network, reason=command.reason),
        )
    ]


def _lift(command: LiftNetworkBan, state: NetworkBanState) -> Sequence[NetworkBanEvent]:
    """An incident's IP ban is a sanction: it is lifted on its incident, where it goes together with that of the linked accounts (I-13, I-14)."""
    if command.incident is not None:
        path = f"/v1/incidents/{command.incident.incident_id}/ip-ban/lift"
        detail = "An incident imposed this ban; lift it there, together with what the incident imposed on linked accounts."
        raise Refusal("invalid_transition", detail, current=_current(state, command.incident), allowed=[path])
    _must_be_known(state, command.incident)
    at = state.moment(command.at)
    if standing_of(state, at) != "active":
        return []
    words = Words(reason=command.reason)
    return [NetworkBanLifted(network_ban_id=command.network_ban_id, at=at, by=command.by.staff_id, role=command.by.role, words=words)]


def _exempt(command: ExemptAccount, state: NetworkBanState) -> Sequence[NetworkBanEvent]:
    check_own_account(command.by, command.player_id)
    _must_be_known(state, command.incident)
    if command.player_id in state.exemptions:
        return []
    at = state.moment(command.at)
    in_force = standing_of(state, at) == "active" if command.incident is None else command.incident.active
    if not in_force:
        raise Refusal("invalid_transition", "The ban is over: it bars nobody.", current=_current(state, command.incident), allowed=[])
    return [
        AccountExempted(
            network_ban_id=command.network_ban_id,
            player_id=command.player_id,
            at=at,
            by=command.by.staff_id,
            role=command.by.role,
            words=Words(reason=command.reason),
        )
    ]


def _must_be_known(state: NetworkBanState, incident: IncidentBan | None) -> None:
    if state.banned is None and incident is None:
        raise Refusal("not_found", "There is no such network ban.")


def _current(state: NetworkBanState, incident: IncidentBan | None) -> dict[str, Any]:
    """What stood in the way, as a problem document shows it."""
    if incident is not None:
        standing = "active" if incident.active else "lifted"
        return {"source": "incident", "incident_id": incident.incident_id, "state": standing, "version": state.version}
    return {"source": "network", "state": "lifted" if state.lifted is not None else "expired", "version": state.version}
