"""Who may not decide."""

from __future__ import annotations

from services.moderation.record.commands import Decider
from shared.refusal import Refusal


def check_own_account(by: Decider, *accounts: str) -> None:
    """Nobody decides on their own player account, at any level (contract, `conflict_of_interest`)."""
    if by.player_id is not None and by.player_id in accounts:
        raise Refusal("conflict_of_interest", "This is your own player account; another member of staff decides on it.")
