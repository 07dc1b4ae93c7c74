"""What a command brings along besides its body: who, under which key, on which version."""

from __future__ import annotations

from dataclasses import dataclass

from shared.security.principals import Principal


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandContext:
    """The circumstances of one command.

    `idempotency_key` is None without one and in a dry run; `route` is the method and the path as called (so a key names one command on one
    resource); `fingerprint` a digest of the body that ignores its layout; `if_match` the stream version that the caller has seen.
    """

    principal: Principal
    idempotency_key: str | None
    route: str
    fingerprint: bytes
    if_match: int | None
    dry_run: bool
    request_id: str
