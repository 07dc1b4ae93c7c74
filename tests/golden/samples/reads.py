"""Samples of reads."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from services.moderation.reads.events import RecordRead
from tests.golden.files import Sample

_NOW: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_ID: Final = "019ad000-0000-7000-8000-000000000041"

SAMPLES: Final = (
    Sample(
        event=RecordRead(
            reader="admin-1", role="admin", what="incident", at=_NOW, player_id="p1", subject=_ID, via="game-1", request_id="r1"
        ),
        stream="reader-admin-1",
    ),
    Sample(event=RecordRead(reader="head-1", role="head_admin", what="network_bans", at=_NOW), stream="reader-head-1"),
)
