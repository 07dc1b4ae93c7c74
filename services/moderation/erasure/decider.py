"""Deciding on an erasure: pure."""

from __future__ import annotations

from collections.abc import Sequence

from services.moderation.erasure.commands import ErasePlayer
from services.moderation.erasure.events import PlayerErased
from services.moderation.record.authority import check_own_account
from services.moderation.record.outcomes import Words
from services.moderation.record.state import RecordState


def erase(command: ErasePlayer, state: RecordState) -> Sequence[PlayerErased]:
    """The erasure; nothing when the player was erased before and nothing personal has come since.

    Raises a `Refusal` `conflict_of_interest` for one's own player account.
    """
    check_own_account(command.by, command.player_id)
    if command.replayed and command.erasure_id in state.erasures:
        return []
    if not command.replayed and state.erasures and not command.something_left:
        return []
    return [
        PlayerErased(
            erasure_id=command.erasure_id,
            player_id=command.player_id,
            at=state.moment(command.at),
            by=command.by.staff_id,
            role=command.by.role,
            replayed=command.replayed,
            words=Words(reason=command.reason) if command.reason is not None else None,
        )
    ]
