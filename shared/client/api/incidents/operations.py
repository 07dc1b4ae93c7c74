"""The operations of `incidents`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Literal, Unpack

from shared.client.api.common.bodies import IncidentBody, ReasonBody
from shared.client.api.common.replies import Incident
from shared.client.api.incidents.bodies import AdjustmentBody, ImportBody
from shared.client.api.incidents.replies import (
    ActiveSanction,
    ActiveSanctions,
    ChangeReply,
    ErasureReply,
    ImportReply,
    IncidentPage,
    IncidentReply,
    Statement,
)
from shared.client.options import CommandOptions, PublicOptions, ReadOptions, VersionedOptions
from shared.client.paged import Paged
from shared.client.transport import Transport, segment


class IncidentsOperations:
    """The operations of `incidents`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def acknowledge(self, incident_id: str, effect: str, **options: Unpack[VersionedOptions]) -> ChangeReply:
        """Say that an ordered effect was carried out.

        Effects: stats_reset, cosmetic_removal, game_loss, match_loss (I-16). Said again it is so already. For game_server.
        """
        return await self.transport.fetch(
            "POST", f"/v1/incidents/{segment(incident_id)}/effects/{segment(effect)}/ack", ChangeReply, command=True, options=options
        )

    async def adjust(self, incident_id: str, body: AdjustmentBody, *, dry_run: bool = False, **options: Unpack[VersionedOptions]) -> ChangeReply:
        """Raise or lower an incident's sanctions.

        Replaces the sanctions (I-20). A ban that stands keeps its start; later incidents are not assessed again. `player_id` names an account that
        the incident sanctioned along, as an alt: then its sanctions are replaced. For head_admin. Problems of its own: incident_overturned,
        conflict_of_interest, head_admin_required, duration_too_long.
        """
        return await self.transport.fetch(
            "POST", f"/v1/incidents/{segment(incident_id)}/adjustments", ChangeReply, command=True, body=body, query={"dry_run": dry_run or None},
            options=options
        )

    async def decide_incident(self, body: IncidentBody, *, dry_run: bool = False, **options: Unpack[VersionedOptions]) -> IncidentReply:
        """Charge one or more offenses as one incident.

        Reads each offense at the player's column (active strikes + 1), adds at most one strike, and imposes the sanctions. With `?dry_run=true` the
        same answer, status 200, and nothing is recorded. For admin, senior_admin, head_admin. Problems of its own: unknown_infraction,
        duplicate_infraction, discretion_required, discretion_not_allowed, discretion_out_of_range, upgrade_not_available, ai_ruling_not_accepted,
        occurred_in_future, unknown_variant, invalid_network, duration_too_long, incident_exists, not_evasion, head_admin_required,
        conflict_of_interest.
        """
        return await self.transport.fetch(
            "POST", "/v1/incidents", IncidentReply, command=True, body=body, query={"dry_run": dry_run or None}, options=options
        )

    async def erase_player(self, player_id: str, body: ReasonBody, **options: Unpack[VersionedOptions]) -> ErasureReply:
        """Destroy what is personal about a player.

        Destroys the key of the player's descriptions, evidence, notes, reasons, appeals and messages, which then read as null for ever, forgets the
        networks they came from, and destroys the images that they uploaded until then. Decisions, strikes, bans and proofs stay. What is written
        later has a new key; asked again it destroys that too. Nobody erases their own player account. For head_admin. Problems of its own:
        conflict_of_interest, head_admin_required.
        """
        return await self.transport.fetch("POST", f"/v1/players/{segment(player_id)}/erasure", ErasureReply, command=True, body=body, options=options)

    async def get_incident(self, incident_id: str, *, player_id: str | None = None, **options: Unpack[ReadOptions]) -> Incident:
        """One incident as it stands now.

        With `player_id` as it is for an account that was sanctioned along as an alt: its own sanctions. Who of the staff and auditors reads this is
        recorded. For game_server, admin, senior_admin, head_admin, auditor.
        """
        return await self.transport.fetch("GET", f"/v1/incidents/{segment(incident_id)}", Incident, query={"player_id": player_id}, options=options)

    async def get_statement(self, incident_id: str, *, player_id: str | None = None, **options: Unpack[PublicOptions]) -> Statement:
        """The player's statement of reasons.

        Facts, rules, sanctions with dates, how to appeal. A silent incident shows its ban while that stands (I-18). With `player_id` as it is for an
        account that was sanctioned along as an alt: its own sanctions. For game_server.
        """
        return await self.transport.fetch(
            "GET", f"/v1/incidents/{segment(incident_id)}/statement", Statement, acts=False, query={"player_id": player_id}, options=options
        )

    async def import_incidents(self, body: ImportBody, **options: Unpack[CommandOptions]) -> ImportReply:
        """Import incidents decided before this service existed.

        A row that can't be imported is named by its index and code; the others are imported. Rows known by their `external_id` are counted as `known`
        and not imported again (I-22). For head_admin. Problems of its own: head_admin_required.
        """
        return await self.transport.fetch("POST", "/v1/incidents/import", ImportReply, command=True, body=body, options=options)

    async def lift_ip_ban(self, incident_id: str, body: ReasonBody, **options: Unpack[VersionedOptions]) -> ChangeReply:
        """Lift the IP ban that an incident imposed.

        Also on the linked accounts that it was imposed on; each account's own ban stays (I-14). For head_admin. Problems of its own:
        incident_overturned, conflict_of_interest, head_admin_required.
        """
        return await self.transport.fetch(
            "POST", f"/v1/incidents/{segment(incident_id)}/ip-ban/lift", ChangeReply, command=True, body=body, options=options
        )

    async def lift_proxy_ban(self, player_id: str, body: ReasonBody, **options: Unpack[VersionedOptions]) -> ChangeReply:
        """Lift a player's proxy ban.

        For head_admin. Problems of its own: conflict_of_interest, head_admin_required.
        """
        return await self.transport.fetch(
            "POST", f"/v1/players/{segment(player_id)}/proxy-ban/lift", ChangeReply, command=True, body=body, options=options
        )

    def list_active(self, player_id: str, *, limit: int = 50, **options: Unpack[ReadOptions]) -> Paged[ActiveSanction]:
        """The sanctions in force now.

        For game_server, admin, senior_admin, head_admin, auditor.
        """
        return Paged(self.transport, f"/v1/players/{segment(player_id)}/sanctions/active", {"limit": limit}, ActiveSanctions, options)

    def list_incidents(
        self, player_id: str, *, limit: int = 50, status: Literal["in_force", "overturned"] | None = None, **options: Unpack[ReadOptions]
    ) -> Paged[Incident]:
        """A player's incidents, newest first.

        Who of the staff and auditors reads this is recorded. For game_server, admin, senior_admin, head_admin, auditor.
        """
        return Paged(self.transport, f"/v1/players/{segment(player_id)}/incidents", {"limit": limit, "status": status}, IncidentPage, options)
