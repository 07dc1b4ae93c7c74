"""Operations and types of `common`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.common.bodies import DiscretionBody, NamedSanction, ReasonBody
from shared.client.api.common.replies import Ban, Standing

__all__ = [
    "Ban",
    "DiscretionBody",
    "NamedSanction",
    "ReasonBody",
    "Standing",
]
