"""How often fingerprints are wrong (I-63), on a tenth of what `make bench ARGS=fingerprints` measures, and that the measure sees bad thresholds."""

from __future__ import annotations

import pytest

from services.cosmetics.imaging.fingerprint import MAX_BITS, MAX_COLOUR
from tests.bench.harness.lookalikes import CHOSEN, Errors, measured

BLIND, CREDULOUS = (0, 0.5), (64, 255.0)


@pytest.fixture(scope="module")
def errors() -> dict[tuple[int, float], Errors]:
    return measured(50, (CHOSEN, BLIND, CREDULOUS), seed=19)


def test_nearly_every_changed_picture_is_found_and_no_other_is_taken_for_it(errors: dict[tuple[int, float], Errors]) -> None:
    assert (MAX_BITS, MAX_COLOUR) == CHOSEN
    chosen = errors[CHOSEN]
    assert chosen.asked.total() == 700
    assert chosen.false_rejects <= 0.04, chosen.missed
    assert chosen.false_accepts <= 0.001, chosen.taken


def test_control_thresholds_that_are_too_narrow_or_too_wide_are_seen(errors: dict[tuple[int, float], Errors]) -> None:
    assert errors[BLIND].false_rejects > 0.3
    assert errors[CREDULOUS].false_accepts > 0.9
