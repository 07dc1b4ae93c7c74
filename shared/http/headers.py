"""What requests say in headers, read from the raw bytes: credentials, idempotency key, version, media type."""

from __future__ import annotations

import re
from collections.abc import Iterable

from shared.http.problems import invalid
from shared.refusal import Refusal

RawHeaders = Iterable[tuple[bytes, bytes]]

_KEY = re.compile(rb"[\x20-\x7e]{1,255}\Z")
_VERSION = re.compile(rb'"(0|[1-9][0-9]*)"\Z')
_MEDIA_TYPE = re.compile(rb'application/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?;?\Z', re.IGNORECASE)
_MAX_DIGITS = 18


def values(headers: RawHeaders, name: bytes) -> list[bytes]:
    """All values given for a header (its name in lower case), without the white space around them, which is no part of them (RFC 9110, 5.5)."""
    return [value.strip(b" \t") for key, value in headers if key == name]


def credentials(headers: RawHeaders) -> tuple[str | None, str | None]:
    """`Authorization` and `Acting-Staff`. Given twice, neither can be trusted: 401."""
    authorization = acting = None
    for name, value in headers:
        if name == b"authorization":
            authorization, before = value, authorization
        elif name == b"acting-staff":
            acting, before = value, acting
        else:
            continue
        if before is not None:
            raise Refusal("unauthenticated", "Authorization and Acting-Staff are given at most once.")
    return (
        None if authorization is None else authorization.decode("latin-1"),
        None if acting is None else acting.decode("latin-1"),
    )


def idempotency_key(headers: RawHeaders) -> str | None:
    """The key, None without one. Raises `Refusal` 422 unless it is one value of 1 to 255 printable ASCII characters."""
    found = values(headers, b"idempotency-key")
    if not found:
        return None
    if len(found) > 1 or not _KEY.match(found[0]):
        raise invalid("Idempotency-Key", "A key is given once and has 1 to 255 printable ASCII characters.")
    return found[0].decode("ascii")


def if_match(headers: RawHeaders) -> int | None:
    """The stream version the caller has seen, None without the header.

    Raises `Refusal`: 422 for what is no quoted version, 412 for a number that no version can be.
    """
    found = values(headers, b"if-match")
    if not found:
        return None
    version = _VERSION.match(found[0])
    if len(found) > 1 or not version:
        raise invalid("If-Match", 'One quoted version is expected, as in "7".')
    if len(version[1]) > _MAX_DIGITS:
        raise Refusal("stale_version", "The stream is not at this version.", field="If-Match")
    return int(version[1])


def expect_json(headers: RawHeaders) -> None:
    """Raise 415 unless the body is said to be JSON in UTF-8, in one of the usual notations."""
    found = values(headers, b"content-type")
    if len(found) != 1 or not _MEDIA_TYPE.match(found[0]):
        raise Refusal("unsupported_media_type", "The body is JSON: Content-Type: application/json.", allowed=["application/json"])
