"""The registry refuses what would make stored events ambiguous or unreadable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from shared.eventstore.registry import EventRegistry, RegistryError


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    who: str
    words: Words | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsaid:
    who: str


def lift(body: dict[str, Any]) -> dict[str, Any]:
    return body


@pytest.mark.parametrize("name", ["said", "Talk.said", "talk.said.v1", "talk said", "", "talk."])
def test_a_stored_name_is_service_and_what_happened(name: str) -> None:
    """E07: names are explicit strings of one shape."""
    with pytest.raises(RegistryError):
        EventRegistry().register(name, 1, Said)


def test_a_name_has_one_class_and_a_class_one_name() -> None:
    registry = EventRegistry()
    registry.register("talk.said", 1, Said)
    with pytest.raises(RegistryError):
        registry.register("talk.said", 2, Unsaid)
    with pytest.raises(RegistryError):
        registry.register("talk.told", 1, Said)


@pytest.mark.parametrize("field", ["who", "count", "nothing"])
def test_a_personal_field_is_an_optional_dataclass(field: str) -> None:
    with pytest.raises(RegistryError):
        EventRegistry().register("talk.said", 1, Said, personal=(field,))


def test_a_later_version_needs_an_upcaster_from_each_earlier_one() -> None:
    """E07: no released form becomes unreadable."""
    registry = EventRegistry()
    registry.register("talk.said", 3, Said)
    registry.upcast("talk.said", 2, lift)
    with pytest.raises(RegistryError, match=r"talk\.said"):
        registry.freeze()
    registry.upcast("talk.said", 1, lift)
    registry.freeze()
    assert registry.stored_types() == ("talk.said.v1", "talk.said.v2", "talk.said.v3")
    assert len(registry.steps("talk.said", 1)) == 2
    assert registry.steps("talk.said", 3) == ()


def test_an_upcaster_that_nothing_needs_is_a_mistake() -> None:
    registry = EventRegistry()
    registry.register("talk.said", 1, Said)
    registry.upcast("talk.said", 1, lift)
    with pytest.raises(RegistryError):
        registry.freeze()


def test_nothing_is_registered_once_the_registry_is_in_use() -> None:
    registry = EventRegistry()
    registry.freeze()
    with pytest.raises(RegistryError):
        registry.register("talk.said", 1, Said)
