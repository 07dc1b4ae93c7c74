"""Validators of representations: weak ETags and `If-None-Match` (RFC 9110, 8.8.3 and 13.1.2). Versions in `If-Match` are another matter."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from shared.http.headers import RawHeaders, values

_encode = msgspec.json.Encoder(order="sorted").encode
_TAG = re.compile(rb'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
_MAX_BYTES = 8192


def weak_etag(body: Mapping[str, Any], without: Collection[str] = ()) -> str:
    """A weak ETag over the members of the body but those named; equal for equal members, in whatever order."""
    return weak_etag_of(_encode({name: value for name, value in body.items() if name not in without}))


def weak_etag_of(text: bytes) -> str:
    """A weak ETag over bytes that stand for the representation."""
    return f'W/"{hashlib.blake2b(text, digest_size=12, usedforsecurity=False).hexdigest()}"'


def none_match(headers: RawHeaders, etag: str) -> bool:
    """Whether `If-None-Match` is absent or names another representation (then answer in full); False means 304.

    The comparison is weak; `*` matches whatever exists; a header that is no list of tags is as good as absent.
    """
    for value in values(headers, b"if-none-match"):
        text = value.strip()
        if text == b"*":
            return False
        if len(text) <= _MAX_BYTES and etag.removeprefix("W/").encode("latin-1") in _TAG.findall(text):
            return False
    return True
