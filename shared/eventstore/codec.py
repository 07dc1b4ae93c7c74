"""Events to stored bytes and back: msgspec JSON under the registry's names, personal fields encrypted."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, make_dataclass
from dataclasses import field as dataclass_field
from typing import Any

import msgspec

from shared.eventstore.envelope import EventMeta, StoredEvent
from shared.eventstore.registry import EventForm, EventRegistry, Upcaster, personal_class
from shared.security import shredding
from shared.unreadable import UnreadableEvent as UnreadableEvent  # noqa: PLC0414  what decoding raises is found where one decodes

_set = object.__setattr__
_plain_encoder = msgspec.json.Encoder()
_meta_decoder = msgspec.json.Decoder(EventMeta)

# What a payload can provoke while it is decoded or lifted by an upcaster; one bad event must never look like a bug elsewhere (E06).
_UNREADABLE = (msgspec.MsgspecError, ValueError, TypeError, LookupError, AttributeError, RecursionError)

_ENUM_VALUE = re.compile(r"Invalid enum value .*?(?= - at|$)", re.DOTALL)


class _Form:
    """One event class, prepared for encoding and decoding."""

    __slots__ = ("cls", "decoder", "names", "personal", "stored_cls", "type")

    def __init__(self, form: EventForm) -> None:
        self.type = form.type
        self.cls = form.cls
        self.names = tuple(f.name for f in fields(form.cls))
        self.personal: dict[str, msgspec.json.Decoder[Any]] = {name: msgspec.json.Decoder(personal_class(form.cls, name)) for name in form.personal}
        self.stored_cls = _stored_class(form) if form.personal else form.cls
        self.decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(self.stored_cls)


def _stored_class(form: EventForm) -> type:
    """A twin of the class whose personal fields are text: what JSON holds before they are opened.

    It adds no slot, so an instance has the layout of the original and can become one without being copied field by field,
    which would double the cost of decoding.
    """
    kept = {f.name: f for f in fields(form.cls)}
    twins: list[tuple[str, Any, Any]] = []
    for name in form.personal:
        default = kept[name].default
        twins.append((name, str | None, dataclass_field() if default is MISSING else dataclass_field(default=default)))
    return make_dataclass(f"Stored{form.cls.__name__}", twins, bases=(form.cls,), frozen=True, slots=True, kw_only=True)


def _keyless(form: _Form) -> Callable[[bytes], object]:
    """Decoding without a data key, as every fold does: what is sealed reads as None."""
    decode, cls, personal = form.decoder.decode, form.cls, tuple(form.personal)

    def decoded(payload: bytes) -> object:
        event = decode(payload)
        for name in personal:
            _set(event, name, None)
        _set(event, "__class__", cls)
        return event

    return decoded


DataKey = bytes | Sequence[bytes]
"""The data key of the subject; several where a stream holds words of several subjects."""


def place(stream: str, version: int, field: str) -> bytes:
    """The additional authenticated data of a sealed field: it opens nowhere else."""
    return f"{stream}|{version}|{field}".encode()


class Codec:
    """Encodes and decodes the events of a registry, which it freezes; `nonces` is for golden files only."""

    def __init__(self, registry: EventRegistry, *, nonces: Callable[[int], bytes] = os.urandom) -> None:
        registry.freeze()
        self._nonces = nonces
        self._forms: dict[type, _Form] = {}
        self._plain: dict[str, Callable[[bytes], object]] = {}
        self._special: dict[str, tuple[_Form, tuple[Upcaster, ...]]] = {}
        self._sealed: dict[str, Callable[[bytes], object]] = {}
        for registered in registry.forms():
            form = self._forms[registered.cls] = _Form(registered)
            for version in range(1, registered.version + 1):
                stored_type, steps = f"{registered.name}.v{version}", registry.steps(registered.name, version)
                if form.personal or steps:
                    self._special[stored_type] = form, steps
                    if not steps:
                        self._sealed[stored_type] = _keyless(form)
                else:
                    self._plain[stored_type] = form.decoder.decode

    def type_of(self, event: object) -> str:
        """The name under which an event is stored; raises `LookupError` for a class that is not registered."""
        return self._form(event).type

    def needs_key(self, event: object) -> bool:
        """Whether the event holds personal data, so that its subject's data key is needed to encode it."""
        return any(getattr(event, name) is not None for name in self._form(event).personal)

    def encode(self, event: object, *, stream: str, version: int, data_key: bytes | None = None) -> tuple[str, bytes]:
        """The event's stored name and payload, for this version of this stream.

        Raises `ValueError` when it holds personal data and no data key is given, `LookupError` for a class that is not registered.
        """
        form = self._form(event)
        held = [name for name in form.personal if getattr(event, name) is not None]
        if not held:
            return form.type, _plain_encoder.encode(event)
        if data_key is None:
            msg = f"{form.type} holds personal data and its subject's data key is missing"
            raise ValueError(msg)
        body = {name: getattr(event, name) for name in form.names}
        for name in held:
            body[name] = shredding.seal(data_key, _plain_encoder.encode(body[name]), place(stream, version, name), nonces=self._nonces)
        return form.type, _plain_encoder.encode(body)

    def decode(self, stored: StoredEvent, *, data_key: DataKey | None = None) -> object:
        """The event, lifted to its current version; personal fields are None without the data key that sealed them (it may have been destroyed).

        Raises `UnreadableEvent` when the type is unknown, the payload does not fit it, or what the data key sealed was altered.
        """
        try:
            plain = self._plain.get(stored.type)
            if plain is not None:
                return plain(stored.payload)
            sealed = self._sealed.get(stored.type) if data_key is None else None
            if sealed is not None:
                return sealed(stored.payload)
            return self._decode_special(stored, data_key)
        except _UNREADABLE as error:
            raise UnreadableEvent(stored.position, stored.type, _why(stored, error)) from error

    def _decode_special(self, stored: StoredEvent, data_key: DataKey | None) -> object:
        form, steps = self._special[stored.type]
        if steps:
            body = msgspec.json.decode(stored.payload)
            for step in steps:
                body = step(body)
            event: object = msgspec.convert(body, form.stored_cls)
        else:
            event = form.decoder.decode(stored.payload)
        if not form.personal:
            return event
        for name, decoder in form.personal.items():
            sealed = getattr(event, name)
            if sealed is not None:
                _set(event, name, None if data_key is None else _opened(decoder, data_key, sealed, place(stored.stream, stored.version, name)))
        _set(event, "__class__", form.cls)
        return event

    def encode_meta(self, meta: EventMeta) -> bytes:
        """The event's meta data as it is stored."""
        return _plain_encoder.encode(meta)

    def decode_meta(self, stored: StoredEvent) -> EventMeta:
        """Who did it and under what; raises `UnreadableEvent`."""
        try:
            return _meta_decoder.decode(stored.meta)
        except _UNREADABLE as error:
            raise UnreadableEvent(stored.position, stored.type, _why(stored, error)) from error

    def _form(self, event: object) -> _Form:
        form = self._forms.get(type(event))
        if form is None:
            msg = f"{type(event).__name__} is not registered"
            raise LookupError(msg)
        return form


def _opened(decoder: msgspec.json.Decoder[Any], data_key: DataKey, sealed: str, aad: bytes) -> Any:
    """What was sealed, None when the key that sealed it is gone."""
    try:
        return decoder.decode(shredding.unseal(data_key, sealed, aad))
    except shredding.OtherKeyError:
        return None


def _why(stored: StoredEvent, error: Exception) -> str:
    """The reason without any value of the payload: msgspec names types and paths (but also enum values), the rest is reduced to its kind."""
    if isinstance(error, msgspec.MsgspecError) and error.__cause__ is None:
        return _ENUM_VALUE.sub("Invalid enum value", str(error))
    if isinstance(error, shredding.SealBrokenError):
        return str(error)
    if isinstance(error, KeyError) and error.args == (stored.type,):
        return "unknown type"
    return type(error).__name__
