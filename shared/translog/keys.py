"""Which keys sign this installation's log, and which did before."""

from __future__ import annotations

from dataclasses import dataclass

from shared.security.keys import derive_keys
from shared.settings import Settings
from shared.translog.notes import Signer, VerifierKey, parse_verifier


@dataclass(frozen=True, slots=True, kw_only=True)
class LogKeys:
    """The key that signs, and the retired ones whose checkpoints still count."""

    signer: Signer
    previous: tuple[VerifierKey, ...] = ()

    @property
    def trusted(self) -> tuple[VerifierKey, ...]:
        """Every key under which this log's checkpoints are believed."""
        return (self.signer.verifier, *self.previous)


def log_keys(settings: Settings) -> LogKeys:
    """The keys of these settings: MODERATION_LOG_KEY, else one derived from the master key."""
    seed = settings.log_key if settings.log_key is not None else derive_keys(settings.master_key).log_signing
    signer = Signer(name=settings.log_name, seed=seed)
    return LogKeys(signer=signer, previous=tuple(parse_verifier(text) for text in settings.log_previous_keys))
