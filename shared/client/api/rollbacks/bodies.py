"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field


class RollbackBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which time, bounds included, and why."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    reason: str
