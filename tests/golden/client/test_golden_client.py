"""The client's generated half is that of the declared endpoints (`make golden` writes it)."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import msgspec
import pytest

from services.gateway.routes import ENDPOINTS
from shared.http.endpoint import Endpoint
from tests.golden.client.__main__ import main
from tests.golden.client.files import FOLDER, HOME, write
from tests.golden.client.model import Model, covered


def test_the_client_is_the_golden_one() -> None:
    """An operation without its method, or a type that has changed since, is seen in review."""
    if os.environ.get("UPDATE_GOLDEN"):
        main()
    wanted = write(ENDPOINTS)
    there = {str(path.relative_to(FOLDER)): path.read_text() for path in FOLDER.rglob("*.py")}
    stale = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
    assert not stale, f"the API has changed; if so meant: make golden, or python -m tests.golden.client. Differing: {stale}"


MODEL = Model(covered(ENDPOINTS))
TYPED = [e for e in covered(ENDPOINTS) if e.reply in MODEL.types]


def client_type(declared: Any) -> Any:
    named = MODEL.types[declared]
    return getattr(import_module(f"{HOME}.{named.home}.{named.module}"), named.name)


@pytest.mark.parametrize("endpoint", TYPED, ids=lambda e: e.name)
def test_the_client_reads_every_reply_and_says_every_body(endpoint: Endpoint) -> None:
    """What is documented as an example is read without loss, and a body goes out as it came in."""
    reply = msgspec.json.decode(msgspec.json.encode(endpoint.reply_example), type=client_type(endpoint.reply))
    read = msgspec.to_builtins(reply)
    assert {name for name, value in read.items() if value is not None} <= set(endpoint.reply_example)
    if endpoint.body is not None:
        body = msgspec.json.decode(msgspec.json.encode(endpoint.body_example), type=client_type(endpoint.body))
        sent: Any = msgspec.json.decode(msgspec.json.encode(body), type=endpoint.body)
        assert sent == msgspec.json.decode(msgspec.json.encode(endpoint.body_example), type=endpoint.body)
