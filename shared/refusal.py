"""A "no" of the domain: a registered code, words for a person, and what would have been accepted."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):  # noqa: N818  a refusal is an answer, not an error of the program
    """The command is refused; nothing is recorded.

    `code` is a slug of the contract (its HTTP status is registered in `shared/http/problems.py`), `detail` a sentence for a person,
    `allowed` what would be accepted, `current` the state that stood in the way, `field` the offending input field.
    """

    def __init__(self, code: str, detail: str, *, allowed: Any = None, current: Any = None, field: str | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.allowed = allowed
        self.current = current
        self.field = field


class Unavailable(Exception):  # noqa: N818  likewise: the answer is "not now"
    """The service cannot answer now (database away, queue full, unreadable stream): 503 with `Retry-After`.

    Nothing is known to have been recorded; with an `Idempotency-Key` the same request may be sent again.
    """

    def __init__(self, detail: str, *, retry_after: int = 1) -> None:
        super().__init__(detail)
        self.detail = detail
        self.retry_after = retry_after
