"""Personal data that can be forgotten: each subject has a data key, and destroying the key makes what it sealed unreadable for ever.

The data key itself is kept wrapped by a key derived from the master key, so the database alone opens nothing.
"""

from __future__ import annotations

import binascii
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

Nonces = Callable[[int], bytes]

KEY_BYTES = 32
NONCE_BYTES = 12
PREFIX = "enc1."


class SealBrokenError(ValueError):
    """Sealed data that this key does not open: another key, another place than it was sealed for, or altered bytes."""


def new_data_key() -> bytes:
    """A random key for one subject, 32 bytes."""
    return os.urandom(KEY_BYTES)


def wrap_key(wrapping_key: bytes, subject: str, data_key: bytes) -> bytes:
    """The subject's data key as it is kept in the database: nonce and ciphertext, bound to the subject."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(wrapping_key).encrypt(nonce, data_key, _wrap_aad(subject))


def unwrap_key(wrapping_key: bytes, subject: str, wrapped: bytes) -> bytes:
    """The subject's data key; raises `SealBrokenError` when it was not wrapped for this subject with this key."""
    return _open(wrapping_key, wrapped, _wrap_aad(subject))


def seal(data_key: bytes, plain: bytes, aad: bytes, *, nonces: Nonces = os.urandom) -> str:
    """`plain` encrypted (AES-256-GCM) as `"enc1." + base64url(nonce || ciphertext)`, openable only with the same `aad`."""
    nonce = nonces(NONCE_BYTES)
    return PREFIX + urlsafe_b64encode(nonce + AESGCM(data_key).encrypt(nonce, plain, aad)).decode()


def unseal(data_key: bytes, sealed: str, aad: bytes) -> bytes:
    """What `seal` was given; raises `SealBrokenError` when key, place or bytes are not the same."""
    if not sealed.startswith(PREFIX):
        msg = "this is not sealed data"
        raise SealBrokenError(msg)
    try:
        raw = urlsafe_b64decode(sealed[len(PREFIX) :])
    except (binascii.Error, ValueError) as error:
        msg = "sealed data is not base64url"
        raise SealBrokenError(msg) from error
    return _open(data_key, raw, aad)


def _open(key: bytes, raw: bytes, aad: bytes) -> bytes:
    try:
        return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], aad)
    except (InvalidTag, ValueError) as error:
        msg = "sealed data does not open with this key in this place"
        raise SealBrokenError(msg) from error


def _wrap_aad(subject: str) -> bytes:
    return b"data-key|" + subject.encode()
