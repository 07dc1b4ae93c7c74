"""What was ever stored is read by this release as it was meant, and this release stores what the last one stored (E07, bar 7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from shared.eventstore.codec import Codec
from shared.security.shredding import nonce_of
from tests.golden.files import DATA_KEY, FOLDER, Golden, read, registry

TYPES = registry().stored_types()
CURRENT = {form.type: form for form in registry().forms()}


def test_every_stored_form_has_a_golden_file_and_every_file_is_readable() -> None:
    """`python -m tests.golden.write` makes a missing one from the samples; none is ever deleted."""
    assert sorted(TYPES) == sorted(file.stem for file in FOLDER.glob("*.json"))


@pytest.mark.parametrize("stored_type", TYPES)
def test_a_stored_form_means_what_it_meant(stored_type: str) -> None:
    codec = Codec(registry())
    for golden in read(stored_type):
        assert golden.type == stored_type
        read_now = plain(codec.decode(golden.stored(), data_key=DATA_KEY))
        assert {name: read_now[name] for name in golden.value} == golden.value
        assert stored_type not in CURRENT or set(read_now) == set(golden.value)  # a later version may say more, nothing else


@pytest.mark.parametrize("stored_type", TYPES)
def test_without_its_key_a_stored_form_lacks_only_what_is_personal(stored_type: str) -> None:
    codec = Codec(registry())
    for golden in read(stored_type):
        event = codec.decode(golden.stored())
        personal = next(form.personal for form in registry().forms() if form.cls is type(event))
        meant = {**golden.value, **dict.fromkeys(personal)}
        assert {name: value for name, value in plain(event).items() if name in meant} == meant


@pytest.mark.parametrize("stored_type", sorted(CURRENT))
def test_the_current_form_is_stored_byte_for_byte_as_before(stored_type: str) -> None:
    for golden in read(stored_type):
        nonces = _nonces(golden)
        codec = Codec(registry(), nonces=lambda _, taken=nonces: next(taken))  # type: ignore[misc]
        event = codec.decode(golden.stored(), data_key=DATA_KEY)
        encoded = codec.encode(event, stream=golden.stream, version=golden.version, data_key=DATA_KEY)
        assert encoded == (golden.type, golden.payload.encode())


def plain(event: object) -> Any:
    """The event's values as JSON has them, which knows lists and no tuples."""
    return msgspec.json.decode(msgspec.json.encode(event))


def _nonces(golden: Golden) -> Iterator[bytes]:
    """The random part of the sealed fields, in the order in which they are sealed."""
    body = msgspec.json.decode(golden.payload)
    sealed = [body[name] for name in CURRENT[golden.type].personal if body[name] is not None]
    return iter([nonce_of(text) for text in sealed])
