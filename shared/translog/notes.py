"""Signed notes (c2sp.org/signed-note): a text with Ed25519 signatures below it, and the keys that make and check them.

A verifier key is written `NAME+KEYID+BASE64(algorithm || public key)`; the key id is the beginning of
SHA-256(NAME || newline || algorithm || public key). Algorithm 1 signs the text itself (a log); algorithm 4 signs it together with a moment
(a witness: c2sp.org/tlog-cosignature).
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

LOG: Final = 1
WITNESS: Final = 4
KEY_ID_BYTES: Final = 4
SEED_BYTES: Final = 32
MAX_NOTE: Final = 100_000
MAX_SIGNATURES: Final = 64
_SIGNATURE_BYTES: Final = {LOG: 64, WITNESS: 72}
_LINE = re.compile(r"\u2014 (?P<name>[^\s+]+) (?P<signature>[A-Za-z0-9+/]+={0,2})\Z")
_NAME = re.compile(r"[^\s+\x00-\x1f\x7f]{1,200}\Z")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")


class NoteError(ValueError):
    """A text is no signed note, a key is no key, or nobody known signed it."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature line: who, under which key, and what was made with it (for a witness the moment comes first)."""

    name: str
    key_id: bytes
    value: bytes

    def line(self) -> str:
        """As it stands below the text."""
        return f"\u2014 {self.name} {b64encode(self.key_id + self.value).decode()}\n"


@dataclass(frozen=True, slots=True)
class Note:
    """A text (its last line break included) and its signatures, of which nothing is checked yet."""

    text: str
    signatures: tuple[Signature, ...]

    def render(self) -> str:
        """The whole note."""
        return self.text + "\n" + "".join(signature.line() for signature in self.signatures)


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """The public half of a key."""

    name: str
    algorithm: int
    public: bytes

    @property
    def key_id(self) -> bytes:
        """How the key's signatures are recognised."""
        return sha256(self.name.encode() + b"\n" + bytes([self.algorithm]) + self.public).digest()[:KEY_ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{b64encode(bytes([self.algorithm]) + self.public).decode()}"

    def verifies(self, text: str, signature: Signature) -> bool:
        """Whether the signature is this key's, over this text."""
        if (signature.name, signature.key_id) != (self.name, self.key_id) or len(signature.value) != _SIGNATURE_BYTES[self.algorithm]:
            return False
        message = text.encode()
        if self.algorithm == WITNESS:
            message = cosigned(text, int.from_bytes(signature.value[:8], "big"))
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature.value[-64:], message)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """A key that signs, made from a seed of 32 bytes; printing it shows no secret."""

    name: str
    seed: bytes = field(repr=False)
    algorithm: int = LOG

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES or not _NAME.match(self.name) or self.algorithm not in _SIGNATURE_BYTES:
            raise NoteError("a key has a seed of 32 bytes and a name without blanks and plus signs")

    @property
    def verifier(self) -> VerifierKey:
        """The public half."""
        return VerifierKey(self.name, self.algorithm, self._key().public_key().public_bytes_raw())

    def sign(self, text: str) -> Signature:
        """The log's signature over the text."""
        if self.algorithm != LOG:
            raise NoteError("this key cosigns, it does not sign")
        return Signature(self.name, self.verifier.key_id, self._key().sign(text.encode()))

    def cosign(self, text: str, seconds: int) -> Signature:
        """The witness's signature over the text, made at this moment (seconds since 1970)."""
        if self.algorithm != WITNESS:
            raise NoteError("this key signs, it does not cosign")
        return Signature(self.name, self.verifier.key_id, seconds.to_bytes(8, "big") + self._key().sign(cosigned(text, seconds)))

    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)


def cosigned(text: str, seconds: int) -> bytes:
    """What a witness signs: that at this moment this was the largest consistent tree it had seen."""
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def parse_verifier(text: str) -> VerifierKey:
    """A verifier key from its written form. Raises `NoteError`."""
    name, _, rest = text.strip().partition("+")
    _, _, encoded = rest.partition("+")
    try:
        raw = b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise NoteError("a verifier key reads NAME+KEYID+BASE64") from None
    if len(raw) != 33 or raw[0] not in _SIGNATURE_BYTES or not _NAME.match(name):
        raise NoteError("a verifier key holds an algorithm (1 or 4) and an Ed25519 key of 32 bytes")
    key = VerifierKey(name, raw[0], raw[1:])
    if str(key) != text.strip():
        raise NoteError("the id of the verifier key does not belong to it")
    return key


def parse_note(raw: bytes) -> Note:
    """A note from its bytes. Raises `NoteError` for what the format does not allow."""
    if len(raw) > MAX_NOTE:
        raise NoteError("the note is too long")
    try:
        whole = raw.decode()
    except UnicodeDecodeError:
        raise NoteError("a note is text in UTF-8") from None
    text, separator, below = whole.rpartition("\n\n")
    if not separator or not text or not below.endswith("\n") or _CONTROL.search(whole):
        raise NoteError("a note is a text, a blank line and signatures")
    lines = below[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise NoteError("the note has too many signatures")
    return Note(text + "\n", tuple(_signature(line) for line in lines))


def signed_by(note: Note, keys: Iterable[VerifierKey]) -> VerifierKey:
    """The first of these keys that signed the note. Raises `NoteError` when none did, or when a signature claims to be one of theirs and is not."""
    found: VerifierKey | None = None
    for key in keys:
        for signature in note.signatures:
            if (signature.name, signature.key_id) != (key.name, key.key_id):
                continue
            if not key.verifies(note.text, signature):
                raise NoteError(f"the signature of {key.name} is not of this text")
            found = found or key
    if found is None:
        raise NoteError("no known key signed this note")
    return found


def _signature(line: str) -> Signature:
    match = _LINE.match(line)
    if match is None:
        raise NoteError("a signature line reads: dash, name, base64")
    try:
        raw = b64decode(match["signature"], validate=True)
    except (binascii.Error, ValueError):
        raise NoteError("a signature is base64") from None
    if len(raw) <= KEY_ID_BYTES or b64encode(raw).decode() != match["signature"]:
        raise NoteError("a signature is a key id and a signature")
    return Signature(match["name"], raw[:KEY_ID_BYTES], raw[KEY_ID_BYTES:])
