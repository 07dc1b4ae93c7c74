"""Personal data that can be forgotten: each subject has a data key, and destroying the key makes what it sealed unreadable for ever.

The data key itself is kept wrapped by a key derived from the master key, so the database alone opens nothing. Sealed data names its key, so what was
sealed under a destroyed one is told from what was altered, also after the subject has got a new key.
"""

from __future__ import annotations

import binascii
import hashlib
import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

Nonces = Callable[[int], bytes]

KEY_BYTES = 32
NONCE_BYTES = 12
KEY_ID_BYTES = 8
TAG_BYTES = 16
PREFIX = "enc1."


class SealBrokenError(ValueError):
    """Sealed data that its own key does not open: another place than it was sealed for, or altered bytes."""


class OtherKeyError(Exception):
    """Sealed data of another key than those at hand: where a subject has one key at a time, of one that was destroyed."""


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


def key_id(data_key: bytes) -> bytes:
    """What names a data key in the data that it sealed, 8 bytes; it tells nothing of the key, which is random."""
    return hashlib.sha256(b"simorg-data-key-id\n" + data_key).digest()[:KEY_ID_BYTES]


def seal(data_key: bytes, plain: bytes, aad: bytes, *, nonces: Nonces = os.urandom) -> str:
    """`plain` encrypted (AES-256-GCM) as `"enc1." + base64url(key id || nonce || ciphertext)`, openable only with the same `aad`."""
    nonce = nonces(NONCE_BYTES)
    return PREFIX + urlsafe_b64encode(key_id(data_key) + nonce + AESGCM(data_key).encrypt(nonce, plain, aad)).decode()


def unseal(data_key: bytes | Sequence[bytes], sealed: str, aad: bytes) -> bytes:
    """What `seal` was given; of several keys the one that it names opens it.

    Raises `OtherKeyError` when it was sealed with none of them, `SealBrokenError` when it is not what that key sealed for this place.
    """
    raw = _raw(sealed)
    for key in (data_key,) if isinstance(data_key, bytes) else data_key:
        if hmac.compare_digest(key_id(key), raw[:KEY_ID_BYTES]):
            return _open(key, raw[KEY_ID_BYTES:], aad)
    msg = "the key that sealed this is not at hand"
    raise OtherKeyError(msg)


def nonce_of(sealed: str) -> bytes:
    """The random part of sealed data: with it and the key the same data is sealed to the same text again."""
    return _raw(sealed)[KEY_ID_BYTES : KEY_ID_BYTES + NONCE_BYTES]


def _raw(sealed: str) -> bytes:
    if not sealed.startswith(PREFIX):
        msg = "this is not sealed data"
        raise SealBrokenError(msg)
    try:
        raw = urlsafe_b64decode(sealed[len(PREFIX) :])
    except (binascii.Error, ValueError) as error:
        msg = "sealed data is not base64url"
        raise SealBrokenError(msg) from error
    if urlsafe_b64encode(raw).decode() != sealed[len(PREFIX) :]:
        msg = "sealed data is not base64url as it was written"  # another text for the same bytes was altered all the same
        raise SealBrokenError(msg)
    if len(raw) < KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES:
        msg = "sealed data is cut short"
        raise SealBrokenError(msg)
    return raw


def _open(key: bytes, raw: bytes, aad: bytes) -> bytes:
    try:
        return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], aad)
    except (InvalidTag, ValueError) as error:
        msg = "sealed data does not open with this key in this place"
        raise SealBrokenError(msg) from error


def _wrap_aad(subject: str) -> bytes:
    return b"data-key|" + subject.encode()
