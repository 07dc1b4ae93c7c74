"""A typed client of the API. The types of its bodies and replies are in `shared.client.api.RESOURCE`.

Everything below `shared/client/api` is written by `python -m tests.golden.client` from the declared endpoints, and a test holds them to that.
"""

from __future__ import annotations

from shared.client.client import Client
from shared.client.paged import Paged
from shared.client.problem import FieldError, Problem, Unreachable
from shared.client.retries import NO_RETRIES, Retries

__all__ = ["NO_RETRIES", "Client", "FieldError", "Paged", "Problem", "Retries", "Unreachable"]
