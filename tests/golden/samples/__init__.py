"""Events as they may happen, one module per folder of events; a new event form needs one here before its golden file can be written."""

from __future__ import annotations

from typing import Final

from tests.golden.files import Sample
from tests.golden.samples import network_bans, record, rooms, staff

SAMPLES: Final[tuple[Sample, ...]] = (*record.SAMPLES, *staff.SAMPLES, *network_bans.SAMPLES, *rooms.SAMPLES)
