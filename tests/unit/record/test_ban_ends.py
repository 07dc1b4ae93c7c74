"""Ban ends against plain arithmetic on seconds, over all time zones and the edges of their clock changes (bar 20; I-5, D17)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest

from services.moderation.record.events import IncidentImported
from shared.http.types import utc
from tests.support.record import NEW, imported

FIRST, LAST = int(datetime(2023, 1, 1, tzinfo=UTC).timestamp()), int(datetime(2026, 11, 1, tzinfo=UTC).timestamp())
NOW = datetime(2026, 11, 30, tzinfo=UTC)
HOUR, DAY = 3600, 86_400
NEAR = (-DAY, -HOUR, -1, 0, 1, HOUR)
DAYS = (1, 2, 7, 26, 365, 3650)


def offset(zone: ZoneInfo, second: int) -> timedelta | None:
    return datetime.fromtimestamp(second, zone).utcoffset()


def edges(zone: ZoneInfo) -> Iterator[int]:
    """The seconds at which the zone's clocks change; a zone that never does gives a moment of its own all the same."""
    yield FIRST
    for start in range(FIRST, LAST, 7 * DAY):
        low, high = start, start + 7 * DAY
        if offset(zone, low) == offset(zone, high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(zone, middle) == offset(zone, low) else (low, middle)
        yield high


@pytest.fixture
def process_zone() -> Iterator[None]:
    """The process's own zone is put back."""
    before = os.environ.get("TZ")
    yield
    os.environ.pop("TZ", None)
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


def end_of(start: datetime, days: int) -> datetime | None:
    """When a ban of so many days from this moment ends."""
    (event,) = NEW.when(imported(days, decided_at=start, at=NOW)).happens()
    assert isinstance(event, IncidentImported)
    return event.sanctions[0].ends_at


@pytest.mark.bar(20)
@pytest.mark.usefixtures("process_zone")
def test_a_ban_of_n_days_ends_n_times_86400_seconds_later_in_every_zone() -> None:
    """The moment comes as people write it in the zone, the process lives in the zone; the control adds days to the wall clock, and must differ."""
    asked, wrong, controls = 0, [], 0
    for name in sorted(available_timezones()):
        zone = ZoneInfo(name)
        os.environ["TZ"] = name
        time.tzset()
        for edge in edges(zone):
            for number, near in enumerate(NEAR):
                start, days = edge + near, DAYS[(edge + number) % len(DAYS)]
                written = datetime.fromisoformat(datetime.fromtimestamp(start, zone).isoformat())
                end = end_of(utc(written, "decided_at"), days)
                asked += 1
                if end is None or (end.timestamp(), end.utcoffset()) != (start + days * DAY, timedelta(0)):
                    wrong.append((name, start, days, end))
                naive = datetime.fromtimestamp(start, zone) + timedelta(days=days)
                controls += naive.timestamp() != start + days * DAY
    print(f"ban ends: {asked} asked over {len(available_timezones())} zones, {len(wrong)} differ; on the wall clock {controls} would")
    assert wrong == []
    assert asked > 5000
    assert controls > 500
