"""How a command arrived: what every handler gets along with it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.eventstore.envelope import EventMeta
from shared.refusal import Refusal
from shared.security.principals import Principal, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandContext:
    """Who sends a command, under which idempotency key, and on which version of the stream it was based.

    `route` is the method and path as called, `fingerprint` a digest of what was asked, `epoch` the configuration's
    number that was read when it came in (None: not read).
    """

    principal: Principal
    route: str
    fingerprint: bytes
    idempotency_key: str | None = None
    if_match: int | None = None
    dry_run: bool = False
    request_id: str | None = None
    epoch: int | None = None

    @property
    def owner(self) -> str:
        """To whom idempotency keys belong: a member of staff, or a game server acting for players; their names never mix."""
        return f"{'game' if self.principal.role == Role.GAME_SERVER else 'staff'}:{self.principal.id}"

    def check_version(self, version: int) -> None:
        """Raises a `Refusal` `stale_version` when the command was based on another version of the stream than this."""
        if self.if_match is not None and self.if_match != version:
            raise Refusal("stale_version", f"The stream is at version {version}, not {self.if_match}.", current={"version": version})

    def meta(self, *, policy_version: str | None = None, occurred_at: datetime | None = None) -> EventMeta:
        """The meta data of events that this principal causes."""
        return EventMeta(
            actor=self.principal.id,
            role=self.principal.role.value,
            via=self.principal.via,
            policy_version=policy_version,
            occurred_at=occurred_at,
            request_id=self.request_id,
        )
