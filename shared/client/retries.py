"""When a call is tried again, and after how long."""

from __future__ import annotations

import random
from dataclasses import dataclass

import httpx

from shared.client.problem import retry_after

RETRIED_STATUSES = frozenset({429, 502, 503, 504})
"""Not now: 429 and 503 by the service, 502 and 504 by whatever stands in front of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """Bounds of repetition. Every call may be repeated: reads by nature, commands by their idempotency key.

    The wait doubles from `first_seconds` up to `longest_seconds`, each a random part between half and whole of that, so that many clients don't come
    back at once. A `Retry-After` is waited for in full, unless it ends after `total_seconds`: then the refusal is raised at once.
    """

    tries: int = 6
    first_seconds: float = 0.1
    longest_seconds: float = 5.0
    total_seconds: float = 30.0

    def wait(self, tried: int, response: httpx.Response | None) -> float:
        """Seconds to wait after so many tries, the last of which got this response (None: no answer)."""
        bound = min(self.longest_seconds, self.first_seconds * 2.0 ** (tried - 1))
        return max(bound * random.uniform(0.5, 1.0), retry_after(response))  # noqa: S311  spreads clients, guards nothing


NO_RETRIES = Retries(tries=1)
