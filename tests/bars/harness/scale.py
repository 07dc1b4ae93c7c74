"""How large a bar runs, with which chance, and how its figure is told."""

from __future__ import annotations

import os
import random

import pytest

SCALE = float(os.environ.get("MODERATION_BARS_SCALE", "0.1"))
SEED = int(os.environ.get("MODERATION_BARS_SEED", "20261130"))


def scaled(full: int, *, least: int = 1) -> int:
    """The bar's number at the scale of this run (`MODERATION_BARS_SCALE`, 1 is the bar's own size), but never fewer than `least`."""
    return max(least, min(full, round(full * SCALE))) if SCALE < 1 else round(full * SCALE)


def chance(bar: int) -> random.Random:
    """The bar's own random numbers: the same ones in every run with the same `MODERATION_BARS_SEED`."""
    return random.Random(SEED * 100 + bar)


def figure(request: pytest.FixtureRequest, text: str) -> None:
    """Tell what was seen: printed now, and again in the summary at the end of the run."""
    line = f"bar {text}"
    request.node.user_properties.append(("figure", line))
    print(line)
