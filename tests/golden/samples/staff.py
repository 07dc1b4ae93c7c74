"""Samples of the staff register and of tokens."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from services.moderation.staff.events import StaffChanged, StaffRegistered, TokenIssued, TokenRevoked
from shared.security.roles import Role, TokenKind
from tests.golden.files import Sample

_NOW: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_TOKEN_ID: Final = "019ad000-0000-7000-8000-000000000001"

SAMPLES: Final = (
    Sample(event=StaffRegistered(staff_id="admin-1", level=Role.ADMIN, player_id="p-admin-1", active=True), stream="staff-admin-1"),
    Sample(event=StaffRegistered(staff_id="auditor-1", level=Role.AUDITOR, player_id=None, active=True), stream="staff-auditor-1"),
    Sample(event=StaffChanged(staff_id="admin-1", level=Role.SENIOR_ADMIN, player_id=None, active=False), stream="staff-admin-1", version=2),
    Sample(
        event=TokenIssued(
            token_id=_TOKEN_ID,
            token_hash="00112233445566778899aabbccddeeff",
            kind=TokenKind.STAFF,
            principal="admin-1",
            label="laptop",
            issued_at=_NOW,
        ),
        stream=f"token-{_TOKEN_ID}",
    ),
    Sample(event=TokenRevoked(token_id=_TOKEN_ID, revoked_at=_NOW), stream=f"token-{_TOKEN_ID}", version=2),
)
