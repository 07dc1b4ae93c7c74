"""What an operation gives that is no JSON: bytes with their media type."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """The bytes as they came. `etag` names them, quotes included: given back as `if_none_match` it spares their second coming."""

    data: bytes = field(repr=False)
    media_type: str
    etag: str | None
