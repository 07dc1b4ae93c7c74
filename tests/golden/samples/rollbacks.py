"""Samples of rollbacks: their own events, and what they put on records and bans of networks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from services.moderation.network_bans.events import NetworkBanReimposed, NetworkLiftReinstated
from services.moderation.record.entries import Held, PastOffense
from services.moderation.record.events import (
    AdjustmentReverted,
    IncidentAsItWas,
    IncidentReinstated,
    IpBanReimposed,
    ProxyBanReimposed,
    ProxyLiftReinstated,
    Sanction,
    Words,
)
from services.moderation.rollbacks.events import (
    KeptDecision,
    ListedDecision,
    PlayerReinstated,
    PlayerRolledBack,
    Reimposed,
    RollbackReversed,
    StaffRolledBack,
)
from tests.golden.files import Sample

_NOW: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_ROLLBACK: Final = "019ad000-0000-7000-8000-000000000031"
_INCIDENT: Final = "019ad000-0000-7000-8000-000000000001"
_ADJUSTMENT: Final = "019ad000-0000-7000-8000-000000000002"
_BAN: Final = "019ad000-0000-7000-8000-000000000011"
_STREAM: Final = f"rollback-{_ROLLBACK}"
_HELD: Final = Sanction(sanction_id="019ad000-0000-7000-8000-000000000003", kind="ban", starts_at=_NOW, ends_at=_NOW + timedelta(days=3), days=1)
_AS_IT_WAS: Final = IncidentAsItWas(
    strike=1,
    sanctions=(Held(sanction=_HELD, state="active", extended_days=2),),
    offenses=(PastOffense(infraction="spam-major", occurred_at=_NOW, duel_id="d1", upgraded=True),),
    legal_review=False,
    overturned=False,
    changed=True,
)
_KEPT: Final = (
    KeptDecision(kind="incident", player_id="p2", incident_id=_INCIDENT, decision_id=None, why="the incident was overturned before"),
)

SAMPLES: Final = (
    Sample(
        event=AdjustmentReverted(
            incident_id=_INCIDENT, adjustment_id=_ADJUSTMENT, at=_NOW, by="head-1", role="head_admin", rollback_id=_ROLLBACK, undoes=(2,),
            sanctions_before=(_HELD,), strike_before=None, restored=_AS_IT_WAS,
        ),
        stream="record-p1",
        version=3,
    ),
    Sample(
        event=IpBanReimposed(
            incident_id=_INCIDENT, sanction_ids=(_HELD.sanction_id,), at=_NOW, by="head-1", role="head_admin", rollback_id=_ROLLBACK, undoes=(2,)
        ),
        stream="record-p1",
        version=3,
    ),
    Sample(
        event=ProxyBanReimposed(
            since=_NOW - timedelta(days=1), at=_NOW, by="head-1", role="head_admin", rollback_id=_ROLLBACK, undoes=(2,)
        ),
        stream="record-p1",
        version=3,
    ),
    Sample(
        event=IncidentReinstated(
            incident_id=_INCIDENT, at=_NOW, by="head-2", role="head_admin", rollback_id=_ROLLBACK, undoes=(3, 4), sanctions_before=(_HELD,),
            strike_before=None, restored=_AS_IT_WAS,
        ),
        stream="record-p1",
        version=5,
    ),
    Sample(
        event=ProxyLiftReinstated(at=_NOW, by="head-2", role="head_admin", rollback_id=_ROLLBACK, undoes=(3,)), stream="record-p1", version=4
    ),
    Sample(
        event=NetworkBanReimposed(network_ban_id=_BAN, at=_NOW, by="head-1", role="head_admin", rollback_id=_ROLLBACK),
        stream=f"network-ban-{_BAN}",
        version=3,
    ),
    Sample(
        event=NetworkLiftReinstated(network_ban_id=_BAN, at=_NOW, by="head-2", role="head_admin", rollback_id=_ROLLBACK),
        stream=f"network-ban-{_BAN}",
        version=4,
    ),
    Sample(
        event=StaffRolledBack(
            rollback_id=_ROLLBACK, staff_id="admin-1", at=_NOW, by="head-1", role="head_admin", since=_NOW - timedelta(hours=2), until=_NOW,
            players=(
                PlayerRolledBack(
                    player_id="p1", version_before=2, version_after=5, overturned=(_INCIDENT,), reverted=(_ADJUSTMENT,),
                    reimposed=(Reimposed(kind="ip_ban", incident_id=_INCIDENT), Reimposed(kind="proxy_ban")), reassessed=(_INCIDENT,),
                ),
            ),
            network_bans=(_BAN,),
            kept=_KEPT,
            listed=(ListedDecision(kind="appeal_decision", at=_NOW, player_id="p3", decision_id=_ADJUSTMENT),),
            words=Words(reason="A stolen account."),
        ),
        stream=_STREAM,
    ),
    Sample(
        event=RollbackReversed(
            rollback_id=_ROLLBACK, at=_NOW, by="head-2", role="head_admin",
            players=(PlayerReinstated(player_id="p1", version_before=5, version_after=7, incidents=(_INCIDENT,), proxy_lift=True),),
            network_bans=(_BAN,), kept=_KEPT, words=Words(reason="It was not stolen."),
        ),
        stream=_STREAM,
        version=2,
    ),
)  # fmt: skip
