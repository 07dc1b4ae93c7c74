"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from msgspec import Struct


class WhatIfBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What to leave out, and under which policy version to read instead of each decision's own."""

    without_incidents: list[str]
    policy_version: str | None = None
