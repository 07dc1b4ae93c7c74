"""A rebuilder over all tables of a test's database."""

from __future__ import annotations

from typing import Any

from services.calls.api import register_events as register_calls
from services.calls.views import rebuilding as calls
from services.cosmetics.registered import register_events as register_cosmetics
from services.cosmetics.views import rebuilding as cosmetics
from services.moderation.registered import register_events as register_moderation
from services.moderation.views import rebuilding as moderation
from shared.eventstore.codec import Codec
from shared.eventstore.registry import EventRegistry
from shared.projections.rebuild import Rebuilder
from tests.support.database import Database, as_role

VIEWS = (*moderation.VIEWS, *calls.VIEWS, *cosmetics.VIEWS)


def codec() -> Codec:
    """The codec of all events."""
    registry = EventRegistry()
    register_moderation(registry)
    register_calls(registry)
    register_cosmetics(registry)
    return Codec(registry)


def rebuilder(database: Database, **more: Any) -> Rebuilder:
    """With the owner's rights."""
    return Rebuilder(**{"dsn": as_role(database.superuser, "moderation_owner"), "codec": codec(), "views": VIEWS, **more})
