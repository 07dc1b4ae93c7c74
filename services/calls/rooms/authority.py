"""Whose rulings hold in a format."""

from __future__ import annotations

_OCG = ("ocg", "rush")


def ruling_authority(duel_format: str) -> str:
    """`OCG` for `ocg`, `ocg-*`, `rush` and `rush-*`, else `TCG` (I-48); capitals don't matter."""
    return "OCG" if duel_format.lower().partition("-")[0] in _OCG else "TCG"
