"""The slots and what fits into them (I-60, I-61)."""

from __future__ import annotations

from typing import Final

from shared.refusal import Refusal

Size = tuple[str, int, int]

_SQUARE: Final[tuple[Size, ...]] = (("2x", 512, 512), ("1x", 256, 256), ("thumb", 128, 128))
_CARD: Final[tuple[Size, ...]] = (("2x", 590, 860), ("1x", 295, 430), ("thumb", 118, 172))
_MAT: Final[tuple[Size, ...]] = (("2x", 1536, 512), ("1x", 768, 256), ("thumb", 384, 128))

SLOTS: Final[dict[str, tuple[Size, ...]]] = {
    "avatar": _SQUARE,
    "playmat": _MAT,
    "sleeve": _CARD,
    "token": _CARD,
    "coin-heads": _SQUARE,
    "coin-tails": _SQUARE,
    "die-one": _SQUARE,
}
"""Each slot's sizes by name, the largest first: `2x` is the full size."""

FULL: Final = "2x"


def sizes_of(slot: str) -> tuple[Size, ...]:
    """The sizes of a slot. Raises a `Refusal` `unknown_slot`."""
    sizes = SLOTS.get(slot)
    if sizes is None:
        raise Refusal("unknown_slot", "There is no such slot.", allowed=list(SLOTS), field="slot")
    return sizes
