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
_ID: Final = "019ad000-0000-7000-8000-00000000001"
_STREAM: Final = "record-p1"
_BAN: Final = Sanction(sanction_id=f"{_ID}2", kind="ban", starts_at=_NOW, ends_at=_NOW + 5 * _DAY, days=5)
_PERMANENT: Final = Sanction(sanction_id=f"{_ID}3", kind="permanent_ban", starts_at=_NOW)
_LINE: Final = AssessedOffense(
    charged="cheating",
    infraction="cheating",
    column=1,
    cell="5 day ban",
    sanctions=(Outcome(kind="ban", days=5),),
    basis="S3",
    strike=True,
)

SAMPLES: Final[tuple[Sample, ...]] = (
    Sample(
        event=AppealOpened(
            appeal_id=f"{_ID}4",
            player_id="p1",
            at=_NOW,
            filed_by="game-1",
            target=Target(incident_id=f"{_ID}1"),
            incident_id=f"{_ID}1",
            words=Grounds(grounds="It was my cat."),
        ),
        stream=_STREAM,
        version=3,
    ),
    Sample(event=AppealWithdrawn(appeal_id=f"{_ID}4", at=_NOW, by="game-1"), stream=_STREAM, version=4),
    Sample(
        event=AppealDecided(
            appeal_id=f"{_ID}4",
            at=_NOW,
            by="senior-1",
            role="senior_admin",
            outcome="overturned",
            cascade=True,
            kept=(Kept(incident_id=f"{_ID}5", why="a Head Admin or an appeal changed it"),),
            words=Verdict(reason="The log shows another account.", reply="You were right."),
        ),
        stream=_STREAM,
        version=5,
    ),
    Sample(
        event=IncidentOverturned(
            incident_id=f"{_ID}1",
            at=_NOW,
            by="senior-1",
            role="senior_admin",
            strike_before=1,
            sanctions_before=(_BAN,),
            appeal_id=f"{_ID}4",
            restored=(
                RestoredBan(
                    incident_id=f"{_ID}6", sanction_id=f"{_ID}7", days=2, ends_at_before=_NOW + 7 * _DAY, ends_at=_NOW + 5 * _DAY
                ),
            ),
        ),
        stream=_STREAM,
        version=6,
    ),
    Sample(
        event=IncidentReassessed(
            reassessment_id=f"{_ID}8",
            incident_id=f"{_ID}9",
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
            appeal_id=f"{_ID}4",
        ),
        stream=_STREAM,
        version=7,
    ),
)
