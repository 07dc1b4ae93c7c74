"""The names of acts (`external_id`): by them one act is never punished twice, and an import is repeatable (contract, I-22).

People put all sorts of words into such names, and whether one is known must be told without the player's data key, also after an erasure. So the
record holds a keyed hash of the name, of its own for each player, and the name itself only sealed under the player's key.
"""

from __future__ import annotations

from shared.security.keys import KeyedHash

_HASHED = "act1."


def hashed_name(key: KeyedHash, player_id: str, external_id: str) -> str:
    """What stands for the name in the record of this player."""
    return _HASHED + key.digest(f"{player_id}\n{external_id}").hex()


def plain_name(recorded: str | None) -> str | None:
    """The name itself, where version 1 of an event recorded it as it was; None for a hashed one."""
    return None if recorded is None or recorded.startswith(_HASHED) else recorded
