"""The rules of the staff register and of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from services.moderation.staff.commands import IssueToken, PutStaff, RevokeToken
from services.moderation.staff.events import StaffChanged, StaffRegistered, TokenIssued, TokenRevoked
from services.moderation.staff.state import StaffState, TokenState
from shared.refusal import Refusal
from shared.security.roles import Role

StaffEvent = StaffRegistered | StaffChanged
TokenCommand = IssueToken | RevokeToken
TokenEvent = TokenIssued | TokenRevoked


class StaffDecider:
    """The register, one stream per member (`staff-{staff_id}`)."""

    __slots__ = ()

    def initial(self) -> StaffState:
        """Nobody."""
        return StaffState()

    def decide(self, command: PutStaff, state: StaffState) -> Sequence[StaffEvent]:
        """The entry as asked for; nothing when it is so already.

        Refused: `conflict_of_interest` for one's own entry (another level or player account would undo the rule that nobody judges their own
        account), `invalid_request` for a level that is no member of staff's.
        """
        if command.by == command.staff_id:
            raise Refusal("conflict_of_interest", "Nobody edits their own entry in the staff register.")
        if command.level is Role.GAME_SERVER:
            raise Refusal("invalid_request", "A member of staff is no game server.", field="level")
        asked = StaffState(registered=True, level=command.level, player_id=command.player_id, active=command.active)
        if asked == state:
            return []
        form = StaffChanged if state.registered else StaffRegistered
        return [form(staff_id=command.staff_id, level=command.level, player_id=command.player_id, active=command.active)]

    def evolve(self, state: StaffState, event: StaffEvent) -> StaffState:  # noqa: ARG002  an entry is put whole, whatever it was
        """The entry after the event."""
        match event:
            case StaffRegistered() | StaffChanged():
                return StaffState(registered=True, level=event.level, player_id=event.player_id, active=event.active)
            case _:
                assert_never(event)


class TokenDecider:
    """A token, one stream each (`token-{token_id}`)."""

    __slots__ = ()

    def initial(self) -> TokenState:
        """No token."""
        return TokenState()

    def decide(self, command: TokenCommand, state: TokenState) -> Sequence[TokenEvent]:
        """Dispatch to the command's own rule."""
        match command:
            case IssueToken():
                return _issue(command, state)
            case RevokeToken():
                return _revoke(command, state)
            case _:
                assert_never(command)

    def evolve(self, state: TokenState, event: TokenEvent) -> TokenState:
        """The token after the event."""
        match event:
            case TokenIssued():
                return TokenState(issued=event)
            case TokenRevoked():
                return replace(state, revoked_at=event.revoked_at)
            case _:
                assert_never(event)


def _issue(command: IssueToken, state: TokenState) -> Sequence[TokenEvent]:
    if state.issued is not None:
        raise Refusal("invalid_transition", "This token was issued before.", current="revoked" if state.revoked_at else "issued", allowed=[])
    return [
        TokenIssued(
            token_id=command.token_id,
            token_hash=command.token_hash,
            kind=command.kind,
            principal=command.principal,
            label=command.label,
            issued_at=command.at,
        )
    ]


def _revoke(command: RevokeToken, state: TokenState) -> Sequence[TokenEvent]:
    if state.issued is None:
        raise Refusal("not_found", "There is no such token.")
    if state.revoked_at is not None:
        return []
    return [TokenRevoked(token_id=command.token_id, revoked_at=command.at)]
