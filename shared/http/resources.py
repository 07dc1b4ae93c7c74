"""What the application holds open, found by type: the composition root registers, handlers ask."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class Resources:
    """One instance per type. Registered at start-up, read by every request."""

    __slots__ = ("_by_type",)

    def __init__(self) -> None:
        self._by_type: dict[type, object] = {}

    def add(self, kind: type[T], instance: T) -> T:
        """Register the instance under this type; `ValueError` when there is one already."""
        if kind in self._by_type:
            raise ValueError(f"there is a {kind.__name__} already")
        self._by_type[kind] = instance
        return instance

    def get(self, kind: type[T]) -> T:
        """The instance of this type; `LookupError` when none was registered."""
        try:
            return self._by_type[kind]  # type: ignore[return-value]
        except KeyError:
            raise LookupError(f"no {kind.__name__} is registered") from None
