"""Samples of a conduct record's events."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from services.moderation.record.events import (
    Act,
    AltBanned,
    AssessedOffense,
    Discretion,
    EffectAcknowledged,
    Evidence,
    Extension,
    IncidentDecided,
    IncidentDetails,
    IncidentImported,
    IpBanLifted,
    LinkedIpBanImposed,
    Outcome,
    ProxyBanLifted,
    ProxyBanned,
    Sanction,
    SanctionsAdjusted,
    Words,
)
from tests.golden.files import Sample

_NOW: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_DAY: Final = timedelta(hours=24)
_ID: Final = "019ad000-0000-7000-8000-00000000000"
_NETWORK: Final = "00112233445566778899aabbccddeeff"
_STREAM: Final = "record-p1"
_WORDS: Final = Words(reason="On review.")
_BAN: Final = Sanction(sanction_id=f"{_ID}2", kind="ban", starts_at=_NOW, ends_at=_NOW + 5 * _DAY, days=5)
_PERMANENT: Final = Sanction(sanction_id=f"{_ID}3", kind="permanent_ban", starts_at=_NOW)
_IP: Final = Sanction(sanction_id=f"{_ID}4", kind="ip_ban", starts_at=_NOW, networks=(_NETWORK,))


def _line(infraction: str, *sanctions: Outcome, cell: str, strike: bool = True, **fields: object) -> AssessedOffense:
    charged = str(fields.pop("charged", infraction))
    return AssessedOffense(
        charged=charged, infraction=infraction, column=1, cell=cell, sanctions=sanctions, basis="S4", strike=strike, **fields  # type: ignore[arg-type]
    )  # fmt: skip


_FULL: Final = IncidentDecided(
    incident_id=f"{_ID}1",
    player_id="p1",
    at=_NOW,
    decided_by="admin-1",
    role="admin",
    policy_version="0123456789abcdef",
    column=1,
    strike=1,
    offenses=(
        _line(
            "harassment-major",
            Outcome(kind="ban", days=2),
            cell="2 day ban",
            charged="harassment-minor",
            legal_review=True,
            upgraded_from="harassment-minor",
            discretion=Discretion(upgrade=True),
        ),
        _line("objectionable-major", Outcome(kind="ban", days=3), cell="1\u20137 day ban (admin discretion)", discretion=Discretion(days=3)),
        _line("cheating", Outcome(kind="permanent_ban"), cell="Perma ban", variant="note-taking"),
        _line("spam-minor", Outcome(kind="warning"), cell="Warning (no strike)", strike=False, upgradable_to="spam-major"),
    ),
    sanctions=(_BAN, _PERMANENT, _IP),
    occurred_at=_NOW - _DAY,
    legal_review=True,
    notify=False,
    duel_id="duel-1",
    call_id=f"{_ID}9",
    external_id="act1.00112233445566778899aabbccddeeff",
    act=Act(external_id="report-1"),
    details=IncidentDetails(
        descriptions=("Said so.", None),
        evidence=(Evidence(kind="chat_log", ref="log-1", text="\u00fcber \U0001f0cf\n", sha256="00" * 32),),
        internal_note="A note.",
    ),
)
_EVASION: Final = IncidentDecided(
    incident_id=f"{_ID}5",
    player_id="p1",
    at=_NOW + _DAY,
    decided_by="senior-1",
    role="senior_admin",
    policy_version="0123456789abcdef",
    column=2,
    strike=None,
    offenses=(_line("multiple-accounts", cell="Perma ban of alts (+ IP per policy)", strike=False),),
    sanctions=(),
    occurred_at=_NOW + _DAY,
    alts=("a1", "a2"),
    evasion=True,
    extension=Extension(
        incident_id=f"{_ID}1", sanction_id=f"{_ID}2", alts=("a1", "a2"), days=4, ends_at_before=_NOW + 5 * _DAY, ends_at=_NOW + 9 * _DAY
    ),
    linked_ip_ban=True,
)

SAMPLES: Final = (
    Sample(event=_FULL, stream=_STREAM),
    Sample(event=_EVASION, stream=_STREAM, version=2),
    Sample(
        event=IncidentImported(
            incident_id=f"{_ID}6",
            player_id="p1",
            at=_NOW - 400 * _DAY,
            decided_by="former-admin",
            infraction="spam-major",
            strike=2,
            sanctions=(_BAN,),
            legal_review=False,
            external_id="act1.ffeeddccbbaa99887766554433221100",
            act=Act(external_id="old-1"),
            imported_at=_NOW,
            imported_by="head-1",
        ),
        stream=_STREAM,
        version=3,
    ),
    Sample(
        event=SanctionsAdjusted(
            adjustment_id=f"{_ID}7",
            incident_id=f"{_ID}1",
            at=_NOW,
            by="head-1",
            role="head_admin",
            before=(_BAN,),
            after=(_PERMANENT, _IP),
            strike_before=1,
            strike_after=None,
            words=_WORDS,
        ),
        stream=_STREAM,
        version=4,
    ),
    Sample(
        event=IpBanLifted(incident_id=f"{_ID}1", sanction_ids=(f"{_ID}4",), at=_NOW, by="head-1", role="head_admin", words=_WORDS),
        stream=_STREAM,
        version=5,
    ),
    Sample(
        event=AltBanned(
            incident_id=f"{_ID}5",
            main_player_id="p1",
            at=_NOW,
            by="admin-1",
            role="admin",
            policy_version="0123456789abcdef",
            sanctions=(_PERMANENT,),
        ),
        stream="record-a1",
    ),
    Sample(
        event=LinkedIpBanImposed(
            incident_id=f"{_ID}8", main_player_id="p1", at=_NOW, by="admin-1", role="admin", policy_version="0123456789abcdef", sanctions=(_IP,),
            notify=False,
        ),
        stream="record-a1",
        version=2,
    ),
    Sample(event=ProxyBanned(at=_NOW, reported_by="game-1", policy_version="0123456789abcdef"), stream=_STREAM, version=6),
    Sample(event=ProxyBanLifted(at=_NOW, by="head-1", role="head_admin", words=_WORDS), stream=_STREAM, version=7),
    Sample(event=EffectAcknowledged(incident_id=f"{_ID}1", effect="stats_reset", at=_NOW, by="game-1"), stream=_STREAM, version=8),
)
