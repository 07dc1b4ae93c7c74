"""What comes in over HTTP, and its translation into the domain's terms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from services.moderation.networks import line_of
from services.moderation.record.commands import Charge
from services.moderation.record.events import Discretion, Evidence, IncidentDetails, Outcome
from services.moderation.record.planning import NewIncident
from shared.http.types import Days, GameId, Reason, Sha256, ShortText, Slug, Text4000, Utc, Uuid

MAX_OFFENSES, MAX_ALTS, MAX_NETWORKS, MAX_EVIDENCE, MAX_SANCTIONS = 20, 50, 50, 50, 9
EvidenceKind = Literal["chat_log", "duel_history", "screenshot", "image", "statement", "official_ruling", "other", "ai_ruling"]
SanctionKind = Literal[
    "in_duel_warning", "game_loss", "match_loss", "warning", "ban", "permanent_ban", "ip_ban", "stats_reset", "cosmetic_removal"
]


class NamedSanction(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A sanction named in a command; `days` (of 24 hours) for a `ban` only."""

    kind: SanctionKind
    days: Days | None = None


class DiscretionBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The decider's choice where the table leaves one (I-6, I-8)."""

    days: Days | None = None
    permanent: bool | None = None
    outcome: Literal["game_loss", "match_loss"] | None = None
    ip_ban: bool | None = None
    upgrade: bool | None = None
    warning_ignored: bool | None = None


class OffenseBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One offense: a row of the policy, or `unlisted` with its sanctions and strike (I-21, Head Admin)."""

    infraction: Slug
    description: Text4000 | None = None
    variant: Slug | None = None
    discretion: DiscretionBody | None = None
    alts: Annotated[list[GameId], Meta(max_length=MAX_ALTS, description="The other accounts, for Multiple Accounts (I-13).")] | None = None
    evasion: bool | None = None
    networks: Annotated[list[ShortText], Meta(max_length=MAX_NETWORKS, description="Addresses to ban besides the known ones (I-14).")] | None = None
    sanctions: Annotated[list[NamedSanction], Meta(max_length=MAX_SANCTIONS)] | None = None
    strike: bool | None = None


class EvidenceBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One piece of evidence. AI rulings are none (I-19)."""

    kind: EvidenceKind
    ref: ShortText | None = None
    text: Text4000 | None = None
    sha256: Sha256 | None = None


class IncidentBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One or more offenses of a player handled together (I-4)."""

    player_id: GameId
    offenses: Annotated[list[OffenseBody], Meta(min_length=1, max_length=MAX_OFFENSES)]
    occurred_at: Utc | None = None
    duel_id: GameId | None = None
    call_id: Uuid | None = None
    external_id: ShortText | None = None
    notify: bool = True
    evidence: Annotated[list[EvidenceBody], Meta(max_length=MAX_EVIDENCE)] = msgspec.field(default_factory=list)
    internal_note: Text4000 | None = None


class AdjustmentBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The sanctions that replace the incident's, whether it stays a strike, and why (I-20).

    `player_id` names an account that the incident sanctioned along, as an alt: then that one's sanctions are replaced, and it is no strike.
    """

    sanctions: Annotated[list[NamedSanction], Meta(max_length=MAX_SANCTIONS)]
    strike: bool
    reason: Reason
    player_id: GameId | None = None


class ReasonBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Why."""

    reason: Reason


class ImportRow(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """An incident decided before this service existed (I-22); `external_id` makes the import repeatable."""

    player_id: GameId
    infraction: Slug
    decided_at: Utc
    decided_by: GameId
    strike: bool
    sanctions: Annotated[list[NamedSanction], Meta(max_length=MAX_SANCTIONS)]
    external_id: ShortText


class ImportBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Up to 500 incidents."""

    incidents: Annotated[list[ImportRow], Meta(min_length=1, max_length=500)]


def outcomes_of(named: list[NamedSanction]) -> tuple[Outcome, ...]:
    """The sanctions in the domain's terms."""
    return tuple(Outcome(kind=sanction.kind, days=sanction.days) for sanction in named)


def new_incident(body: IncidentBody, digest: Callable[[str], bytes]) -> NewIncident:
    """The command that the body asks for; networks become keyed hashes. Raises a `Refusal` `invalid_network`."""
    personal = body.evidence or body.internal_note is not None or any(offense.description is not None for offense in body.offenses)
    return NewIncident(
        player_id=body.player_id,
        charges=tuple(_charge(offense, index, digest) for index, offense in enumerate(body.offenses)),
        occurred_at=body.occurred_at,
        duel_id=body.duel_id,
        call_id=body.call_id,
        external_id=body.external_id,
        notify=body.notify,
        details=_details(body) if personal else None,
        evidence_kinds=tuple(item.kind for item in body.evidence),
    )


def _charge(offense: OffenseBody, index: int, digest: Callable[[str], bytes]) -> Charge:
    lines = [line_of(text, field=f"offenses[{index}].networks[{number}]") for number, text in enumerate(offense.networks or ())]
    return Charge(
        infraction=offense.infraction,
        variant=offense.variant,
        discretion=discretion_of(offense.discretion),
        alts=tuple(offense.alts or ()),
        evasion=bool(offense.evasion),
        networks=tuple(digest(line).hex() for line in lines),
        sanctions=None if offense.sanctions is None else outcomes_of(offense.sanctions),
        strike=offense.strike,
    )


def discretion_of(body: DiscretionBody | None) -> Discretion:
    """The choice in the domain's terms; absent, null and false alike mean that nothing was chosen."""
    chosen = body or DiscretionBody()
    return Discretion(
        days=chosen.days,
        permanent=bool(chosen.permanent),
        outcome=chosen.outcome,
        ip_ban=bool(chosen.ip_ban),
        upgrade=bool(chosen.upgrade),
        warning_ignored=bool(chosen.warning_ignored),
    )


def _details(body: IncidentBody) -> IncidentDetails:
    return IncidentDetails(
        descriptions=tuple(offense.description for offense in body.offenses),
        evidence=tuple(Evidence(kind=item.kind, ref=item.ref, text=item.text, sha256=item.sha256) for item in body.evidence),
        internal_note=body.internal_note,
    )
