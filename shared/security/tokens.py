"""Bearer tokens: random, shown once, kept as a keyed hash only."""

from __future__ import annotations

import re
import secrets
from typing import Final

DEV_PREFIX: Final = "dev_"
PREFIX: Final = "mod_"
_SECRET_BYTES: Final = 32

_HEADER: Final = re.compile(r"(?i:bearer) +((?:mod|dev)_[A-Za-z0-9_-]{43})\Z")


def new_token(*, dev: bool = False) -> str:
    """A new token: `mod_` (or `dev_`, which a production service refuses) and 256 random bits in base64url, 47 characters in all."""
    return (DEV_PREFIX if dev else PREFIX) + secrets.token_urlsafe(_SECRET_BYTES)


def is_dev(token: str) -> bool:
    """Whether the token was made for a development service."""
    return token.startswith(DEV_PREFIX)


def token_of_header(value: str) -> str | None:
    """The token in an `Authorization` header's value, None when it holds no token of our shape.

    The scheme's case is free (RFC 9110, 11.1). The shape is fixed, so whatever else is in the header is refused before anything is hashed.
    """
    found = _HEADER.match(value)
    return None if found is None else found[1]
