"""Lists in pages: opaque cursors that nobody can make or carry to another list.

A cursor is the sort key of the last item shown, with a MAC over it and over what list it belongs to (route, path and filters). So paging is by
keyset: new rows neither repeat nor hide old ones (G01).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

import msgspec

from shared.http.call import Call
from shared.http.problems import invalid

_MAC_BYTES = 16
_MAX_CHARACTERS = 1024
_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder(list[str | int | float | bool | None]).decode

Key = Sequence[str | int | float | bool | None]
"""What a list is sorted by, most significant first, ending in something unique."""


class Cursors:
    """Makes and reads cursors under one secret key (a sub-key made for this purpose)."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if not 16 <= len(key) <= 64:
            raise ValueError("a cursor key has 16 to 64 bytes")
        self._key = key

    def write(self, scope: bytes, key: Key) -> str:
        """The cursor behind the item with this sort key, in the list that `scope` names."""
        payload = _encode(list(key))
        return base64.urlsafe_b64encode(self._mac(scope, payload) + payload).rstrip(b"=").decode()

    def read(self, scope: bytes, cursor: str, parts: int) -> list[Any]:
        """The sort key, of `parts` parts. Raises `Refusal` 422 for whatever was not written for this list."""
        raw = _bytes(cursor)
        mac, payload = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(scope, payload)):
            raise _foreign()
        key = _decode(payload)
        if len(key) != parts:
            raise _foreign()
        return key

    def _mac(self, scope: bytes, payload: bytes) -> bytes:
        text = len(scope).to_bytes(4, "big") + scope + payload
        return hashlib.blake2b(text, digest_size=_MAC_BYTES, key=self._key, person=b"cursor").digest()


def _bytes(cursor: str) -> bytes:
    """The bytes of a cursor in its one spelling."""
    if not cursor or len(cursor) > _MAX_CHARACTERS or not cursor.isascii():
        raise _foreign()
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise _foreign() from None
    if base64.urlsafe_b64encode(raw).rstrip(b"=").decode() != cursor:
        raise _foreign()
    return raw


def _foreign() -> Exception:
    return invalid("cursor", "This is no cursor of this list with these filters.")


def scope_of(call: Call) -> bytes:
    """What list the call is about: its route, its path parameters and its filters, but neither limit nor cursor."""
    filters = {name: value for name, value in call.parameters.items() if name not in {"limit", "cursor", "min_position"}}
    return _encode([call.template, dict(call.path), filters])


def after(call: Call, parts: int) -> list[Any] | None:
    """The sort key (of `parts` parts) after which the page begins; None for the first page. Raises `Refusal` 422."""
    cursor: str | None = call.query.cursor
    return None if cursor is None else call.get(Cursors).read(scope_of(call), cursor, parts)


def next_cursor(call: Call, key: Key | None) -> str | None:
    """The cursor behind the item with this sort key; None when nothing follows."""
    return None if key is None else call.get(Cursors).write(scope_of(call), key)


def page(items: Sequence[Any], cursor: str | None) -> dict[str, Any]:
    """The body of a list's reply (contract, Lists)."""
    return {"items": items, "next_cursor": cursor}


def cut(rows: Sequence[Any], limit: int) -> tuple[Sequence[Any], bool]:
    """From `limit + 1` rows asked for: the rows of the page, and whether more follow."""
    return rows[:limit], len(rows) > limit
