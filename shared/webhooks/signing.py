"""Signatures as Standard Webhooks has them (v1: HMAC-SHA256 over id, timestamp and body)."""

from __future__ import annotations

import hmac
import secrets
from base64 import b64encode
from collections.abc import Sequence
from typing import Final

SECRET_BYTES: Final = 32
PREFIX: Final = "whsec_"


def new_secret() -> bytes:
    """A random signing secret."""
    return secrets.token_bytes(SECRET_BYTES)


def written(secret: bytes) -> str:
    """The secret as its receiver gets it, once: `whsec_` and base64."""
    return PREFIX + b64encode(secret).decode()


def signature(secret: bytes, message_id: str, timestamp: int, body: bytes) -> str:
    """`v1,` and the signature in base64; `timestamp` in seconds since 1970."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + b64encode(hmac.digest(secret, signed, "sha256")).decode()


def headers(keys: Sequence[bytes], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The three headers of a message, with a signature by each of the secrets."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(key, message_id, timestamp, body) for key in keys),
    }
