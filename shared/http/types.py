"""The types of fields that come from outside: bounded, patterned, and never bent into shape.

Text of any field is free of NUL and at most 4,000 characters and whole numbers stay within ±(2^53 - 1) already by the general checks
(`parse.py`); these types say it in the API description too and add the narrower rules.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from shared.http.problems import invalid

MAX_TEXT = 4000
MAX_INT = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly (P06)."""

FIRST_YEAR, LAST_YEAR = 1970, 9999

GAME_ID_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}\Z"
UUID_PATTERN = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z"

GameId = Annotated[str, Meta(pattern=GAME_ID_PATTERN, max_length=64, description="An id given by the game.", examples=["p1"])]
Uuid = Annotated[str, Meta(pattern=UUID_PATTERN, description="An id given by this service.", examples=["01890a5d-ac96-774b-bcce-b302099a8057"])]
Text4000 = Annotated[str, Meta(max_length=MAX_TEXT, description="Free text, counted in characters.")]
Reason = Annotated[str, Meta(min_length=1, max_length=MAX_TEXT, pattern=r"\S", description="Why, in words; not only blanks.")]
ShortText = Annotated[str, Meta(min_length=1, max_length=256, description="A name or reference.")]
Slug = Annotated[str, Meta(min_length=1, max_length=100, description="An id of a rule table; whether it exists is the rules' to say.")]
Sha256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="A SHA-256 in hexadecimal.")]
Days = Annotated[int, Meta(ge=-MAX_INT, le=MAX_INT, description="Whole days; the rules say which are in range.")]
Count = Annotated[int, Meta(ge=0, le=MAX_INT)]
Version = Annotated[int, Meta(ge=0, le=MAX_INT, description="A version of a stream; 0 before its first event.")]
Limit = Annotated[int, Meta(ge=1, le=200, description="How many items a page holds at most.")]
Cursor = Annotated[str, Meta(max_length=1024, description="`next_cursor` of the page before, with the same filters.")]
Utc = Annotated[datetime, Meta(tz=True, description="A moment in RFC 3339 with an offset; kept and shown in UTC.", examples=["2026-11-30T10:00:00Z"])]
"""A moment: an offset is required; the parser turns it into UTC and refuses years outside 1970 to 9999."""


def utc(moment: datetime, field: str) -> datetime:
    """The moment in UTC; a `Refusal` when its year lies outside 1970 to 9999."""
    try:
        moment = moment.astimezone(UTC)
    except (OverflowError, ValueError):
        raise _out_of_range(field) from None
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise _out_of_range(field)
    return moment


def _out_of_range(field: str) -> Exception:
    return invalid(field, f"A moment lies in the years {FIRST_YEAR} to {LAST_YEAR}.")


class NoBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The body of a command that has nothing to say: absent, or an empty object."""


class NoQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The query of a call without parameters."""


class PageQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The query of a list; lists with filters subclass it."""

    limit: Limit = 50
    cursor: Cursor | None = None
