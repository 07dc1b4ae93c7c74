"""Samples of cosmetics and of the unlock gallery."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from services.cosmetics.gallery.events import ArtworkListed, ArtworkUnlisted
from services.cosmetics.slots import events
from services.cosmetics.slots.looks import WithdrawnImageSeen
from tests.golden.files import Sample

_AT: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_ID: Final = "019ad000-0000-7000-8000-000000000030"
_INCIDENT: Final = "019ad000-0000-7000-8000-000000000031"
_SHA256: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_STREAM: Final = "cosmetics-p1"
_PICTURE: Final = events.Picture(
    sha256=_SHA256,
    width=512,
    height=512,
    alpha=True,
    renditions=(
        events.Rendition(size="2x", width=512, height=512, sha256=_SHA256, length=10_446),
        events.Rendition(size="thumb", width=128, height=128, sha256=_SHA256[::-1], length=2_170),
    ),
    source_type="image/png",
    source_length=20_971_520,
)
_LIKENESS: Final = events.Likeness(prints=("AAECAwQFBgc=",), source_sha256=_SHA256)
_WORDS: Final = events.Words(reason="Offensive.")

_SLOTS: Final[tuple[object, ...]] = (
    events.CosmeticUploaded(cosmetic_id=_ID, player_id="p1", slot="avatar", picture=_PICTURE, replaced=None, at=_AT, likeness=_LIKENESS),
    events.CosmeticReported(cosmetic_id=_ID, reporter_id="p2", at=_AT, words=_WORDS),
    events.CosmeticApproved(cosmetic_id=_ID, sha256=_SHA256, staff_id="admin-1", role="admin", at=_AT),
    events.CosmeticRemoved(
        cosmetic_id=_ID, slot="avatar", sha256=_SHA256, incident_id=_INCIDENT, staff_id="admin-1", role="admin", at=_AT, words=_WORDS,
        prints=_LIKENESS.prints,
    ),
    events.CosmeticRestored(cosmetic_id=_ID, slot="avatar", incident_id=_INCIDENT, active=True, at=_AT),
    events.RemovalReinstated(cosmetic_id=_ID, slot="avatar", incident_id=_INCIDENT, at=_AT),
    events.CosmeticDeleted(cosmetic_id=_ID, slot="avatar", at=_AT),
    events.CosmeticPurged(cosmetic_id=_ID, slot="avatar", by="head-1", role="head_admin", listed=True, at=_AT, words=_WORDS, prints=_LIKENESS.prints),
)
_CARD: Final = "gallery-card-1"

SAMPLES: Final = (
    *(Sample(event=event, stream=_STREAM, version=version) for version, event in enumerate(_SLOTS, 1)),
    Sample(event=ArtworkListed(card_id="card-1", source_sha256=_SHA256, prints=("AAECAwQFBgc=",), at=_AT), stream=_CARD),
    Sample(event=ArtworkUnlisted(card_id="card-1", at=_AT), stream=_CARD, version=2),
    Sample(event=WithdrawnImageSeen(cosmetic_id=_ID, player_id="p1", staff_id="admin-1", role="admin", at=_AT), stream=f"looks-{_ID}"),
)
