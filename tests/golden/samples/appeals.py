"""Samples of what an appeal adds to a record."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from services.moderation.appeals.events import (
    AppealDecided,
    AppealOpened,
    AppealWithdrawn,
    Grounds,
    IncidentOverturned,
    IncidentReassessed,
    Kept,
    RestoredBan,
    Target,
    Verdict,
)
from services.moderation.record.events import AssessedOffense, Outcome, Sanction
from tests.golden.files import Sample

_NOW: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_DAY: Final = timedelta(hours=24)
_ID: Final = "019ad000-0000-7000-8000-00000000000"
_STREAM: Final = "record-p1"
_BAN: Final = Sanction(sanction_id=f"{_ID}2", kind="ban", starts_at=_NOW, ends_at=_NOW + 5 * _DAY, days=5)
_PERMANENT: Final = Sanction(sanction_id=f"{_ID}3", kind="permanent_ban", starts_at=_NOW)
_LINE: Final = AssessedOffense(
    charged="cheating", infraction="cheating", column=1, cell="5 day ban", sanctions=(Outcome(kind="ban", days=5),), basis="S3", strike=True
)


def _opened(target: Target, version: int) -> Sample:
    words = Grounds(grounds="I did not do this.")
    return Sample(
        event=AppealOpened(
            appeal_id=f"{_ID}a", player_id="p1", at=_NOW, filed_by="game-1", target=target, incident_id=target.incident_id, words=words
        ),
        stream=_STREAM,
        version=version,
    )


SAMPLES: Final = (
    _opened(Target(incident_id=f"{_ID}1"), 2),
    _opened(Target(adjustment_id=f"{_ID}7"), 3),
    _opened(Target(network_ban_id=f"{_ID}8"), 4),
    Sample(event=AppealWithdrawn(appeal_id=f"{_ID}a", at=_NOW, by="game-1"), stream=_STREAM, version=5),
    Sample(
        event=AppealDecided(
            appeal_id=f"{_ID}a",
            at=_NOW,
            by="senior-1",
            role="senior_admin",
            outcome="overturned",
            cascade=True,
            kept=(Kept(incident_id=f"{_ID}4", why="harsher"),),
            words=Verdict(reason="Reviewed.", reply="We looked at it again."),
        ),
        stream=_STREAM,
        version=6,
    ),
    Sample(
        event=IncidentOverturned(
            incident_id=f"{_ID}1",
            at=_NOW,
            by="senior-1",
            role="senior_admin",
            strike_before=1,
            sanctions_before=(_BAN,),
            appeal_id=f"{_ID}a",
            restored=(RestoredBan(incident_id=f"{_ID}5", sanction_id=f"{_ID}6", days=2, ends_at_before=_NOW + 7 * _DAY, ends_at=_NOW + 5 * _DAY),),
        ),
        stream=_STREAM,
        version=7,
    ),
    Sample(
        event=IncidentReassessed(
            reassessment_id=f"{_ID}b",
            incident_id=f"{_ID}4",
            at=_NOW,
            by="senior-1",
            role="senior_admin",
            policy_version="0123456789abcdef",
            column_before=2,
            column_after=1,
            strike_before=2,
            strike_after=1,
            offenses=(_LINE,),
            sanctions_before=(_PERMANENT,),
            sanctions_after=(_BAN,),
            legal_review=False,
            rollback_id=f"{_ID}c",
        ),
        stream=_STREAM,
        version=8,
    ),
)
