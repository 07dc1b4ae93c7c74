"""A token is issued once and revoked for good; its secret is in no event."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from services.moderation.staff.commands import IssueToken, RevokeToken
from services.moderation.staff.decider import TokenCommand, TokenDecider, TokenEvent
from services.moderation.staff.events import TokenIssued, TokenRevoked
from services.moderation.staff.state import TokenState
from shared.security.roles import TokenKind
from tests.support.scenario import Scenario

NOW = datetime(2026, 11, 30, 10, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
ISSUE = IssueToken(token_id="t1", token_hash="00ff", kind=TokenKind.STAFF, principal="admin-1", label="laptop", at=NOW)
ISSUED = TokenIssued(token_id="t1", token_hash="00ff", kind=TokenKind.STAFF, principal="admin-1", label="laptop", issued_at=NOW)
REVOKED = TokenRevoked(token_id="t1", revoked_at=LATER)


def scenario(*events: TokenEvent) -> Scenario[TokenCommand, TokenState, TokenEvent]:
    return Scenario(TokenDecider(), events)


def test_a_token_is_issued() -> None:
    assert scenario().when(ISSUE).then(ISSUED).state() == TokenState(issued=ISSUED, revoked_at=None)


def test_a_token_is_revoked_from_now_on() -> None:
    assert scenario(ISSUED).when(RevokeToken(token_id="t1", at=LATER)).then(REVOKED).state() == TokenState(issued=ISSUED, revoked_at=LATER)


def test_revoking_twice_is_one_revocation() -> None:
    scenario(ISSUED, REVOKED).when(RevokeToken(token_id="t1", at=LATER + timedelta(days=1))).then()


def test_an_unknown_token_is_not_revoked() -> None:
    scenario().when(RevokeToken(token_id="t1", at=NOW)).refused("not_found")


def test_a_token_is_never_issued_again() -> None:
    scenario(ISSUED, REVOKED).when(ISSUE).refused("invalid_transition")
