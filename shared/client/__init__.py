"""A typed client of the API. The types of its bodies and replies are in `shared.client.api.RESOURCE`.

Everything below `shared/client/api` is written by `python -m tests.golden.client` from the declared endpoints, and a test holds them to that.
"""

from __future__ import annotations

from shared.client.client import Client
from shared.client.following import FeedType, Following
from shared.client.media import Media
from shared.client.paged import Paged
from shared.client.paging import FeedPages
from shared.client.problem import FieldError, Problem, Unreachable
from shared.client.retries import NO_RETRIES, Retries
from shared.client.streaming import Patience

__all__ = [
    "NO_RETRIES",
    "Client",
    "FeedPages",
    "FeedType",
    "FieldError",
    "Following",
    "Media",
    "Paged",
    "Patience",
    "Problem",
    "Retries",
    "Unreachable",
]
