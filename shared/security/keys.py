"""Keys: one master key, given to the process from outside, and a key derived from it for each purpose.

A derived key never leaves its purpose, so what is known of one says nothing about another; the master key itself encrypts nothing.
"""

from __future__ import annotations

import binascii
import os
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES: Final = 32
DIGEST_BYTES: Final = 16

# The purposes are part of what stored hashes and wrapped keys depend on: never change one.
_TOKEN_HASH: Final = b"simorg/token-hash/v1"
_NETWORK_HASH: Final = b"simorg/network-hash/v1"
_CURSOR_MAC: Final = b"simorg/cursor-mac/v1"
_KEY_WRAPPING: Final = b"simorg/key-wrapping/v1"
_LOG_SIGNING: Final = b"simorg/log-signing/v1"
_ERASURE_LEDGER: Final = b"simorg/erasure-ledger/v1"
_ACT_HASH: Final = b"simorg/act-hash/v1"
_REQUEST_HASH: Final = b"simorg/request-hash/v1"


class MasterKeyError(ValueError):
    """The master key is missing or is not 32 bytes in base64; the message never holds any of it."""


class KeyedHash:
    """A digest that only the holder of the key can compute or look up: how tokens and networks are matched without being kept."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            msg = f"a key has {KEY_BYTES} bytes"
            raise ValueError(msg)
        self._key = key

    def digest(self, text: str) -> bytes:
        """16 bytes for this text (keyed BLAKE2b)."""
        return self.digest_bytes(text.encode())

    def digest_bytes(self, data: bytes) -> bytes:
        """16 bytes for these bytes (keyed BLAKE2b)."""
        return blake2b(data, key=self._key, digest_size=DIGEST_BYTES).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The derived keys, each for one purpose; printing it shows none of them.

    `act_hash`: the names of acts (`external_id`). `request_hash`: idempotency keys and what was asked under them. Both are kept for ever and may be
    made of words about a player, so nobody without the key can try words on them.
    """

    token_hash: KeyedHash = field(repr=False)
    network_hash: KeyedHash = field(repr=False)
    cursor_mac: bytes = field(repr=False)
    key_wrapping: bytes = field(repr=False)
    log_signing: bytes = field(repr=False)
    erasure_ledger: KeyedHash = field(repr=False)
    act_hash: KeyedHash = field(repr=False)
    request_hash: KeyedHash = field(repr=False)

    def kept_key(self, idempotency_key: str) -> str:
        """An idempotency key as it is kept: callers may make keys of personal words."""
        return self.request_hash.digest(f"key:{idempotency_key}").hex()


def derive_keys(master: bytes) -> Keys:
    """The keys of this master key; raises `MasterKeyError` when it is not 32 bytes long."""
    if len(master) != KEY_BYTES:
        msg = f"the master key must have {KEY_BYTES} bytes, not {len(master)}"
        raise MasterKeyError(msg)
    return Keys(
        token_hash=KeyedHash(_derive(master, _TOKEN_HASH)),
        network_hash=KeyedHash(_derive(master, _NETWORK_HASH)),
        cursor_mac=_derive(master, _CURSOR_MAC),
        key_wrapping=_derive(master, _KEY_WRAPPING),
        log_signing=_derive(master, _LOG_SIGNING),
        erasure_ledger=KeyedHash(_derive(master, _ERASURE_LEDGER)),
        act_hash=KeyedHash(_derive(master, _ACT_HASH)),
        request_hash=KeyedHash(_derive(master, _REQUEST_HASH)),
    )


def parse_master_key(text: str) -> bytes:
    """The 32 bytes behind their base64 form, as it stands in the environment or a file; raises `MasterKeyError`."""
    try:
        master = b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        msg = "the master key is not base64"
        raise MasterKeyError(msg) from None  # the cause would quote the key
    if len(master) != KEY_BYTES:
        msg = f"the master key must have {KEY_BYTES} bytes, not {len(master)}"
        raise MasterKeyError(msg)
    return master


def new_master_key() -> str:
    """A random master key in the base64 form that `parse_master_key` reads."""
    return b64encode(os.urandom(KEY_BYTES)).decode()


def _derive(master: bytes, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=purpose).derive(master)
