"""What comes in over HTTP about rollbacks."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from shared.http.types import Reason, Utc


class RollbackBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename={"since": "from", "until": "to"}):
    """Which time, bounds included, and why."""

    since: Annotated[Utc, Meta(description="Decisions of this moment and later.")]
    until: Annotated[Utc, Meta(description="Decisions of this moment and earlier.")]
    reason: Reason
