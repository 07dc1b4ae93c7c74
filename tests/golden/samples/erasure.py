"""Samples of erasures."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from services.moderation.record.events import PlayerErased, Words
from tests.golden.files import Sample

_NOW: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_ID: Final = "019ad000-0000-7000-8000-00000000003"

SAMPLES: Final = (
    Sample(
        event=PlayerErased(erasure_id=f"{_ID}1", player_id="p1", at=_NOW, by="head-1", role="head_admin", words=Words(reason="Asked for.")),
        stream="record-p1",
        version=9,
    ),
    Sample(
        event=PlayerErased(erasure_id=f"{_ID}2", player_id="p1", at=_NOW, by="operator", role="operator", replayed=True),
        stream="record-p1",
        version=10,
    ),
)
