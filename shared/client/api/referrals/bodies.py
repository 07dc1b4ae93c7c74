"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from msgspec import Struct


class CloseBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of it: an incident of that person, or none, and why."""

    incident_id: str | None = None
    reason: str
