"""An application whose description is wrong in known ways: what a test of descriptions has to find."""

from __future__ import annotations

import msgspec
from fastapi import FastAPI

from services.gateway.app import create_app
from services.gateway.routes import ENDPOINTS
from shared.http.call import Call, Reply
from shared.http.endpoint import EVERYONE, Endpoint
from shared.refusal import Refusal
from shared.settings import Settings


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """What the endpoints say they answer."""

    count: int


class Number(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What they are asked."""

    number: int = 0


async def other_shape(_call: Call) -> Reply:
    """A reply of another shape than described."""
    return Reply.json({"count": "many"})


async def plain_refusal(call: Call) -> Reply:
    """A refusal that is no problem document."""
    if call.query.number > 3:
        return Reply(status=422, body=b"no", media_type="text/plain")
    return Reply.json(Counted(count=call.query.number))


async def other_code(_call: Call) -> Reply:
    """A refusal with a code that it does not declare, though others have it."""
    raise Refusal("already_decided", "It has been decided already.")


async def other_header(_call: Call) -> Reply:
    """A header that nobody knows of."""
    return Reply.json(Counted(count=1), headers={"X-Count": "1"})


async def division(call: Call) -> Reply:
    """Fails for one input."""
    return Reply.json(Counted(count=1 // call.query.number))


HANDLERS = {
    "other-shape": other_shape, "plain-refusal": plain_refusal, "other-code": other_code, "other-header": other_header, "division": division,
}  # fmt: skip
LIES = tuple(
    Endpoint(
        method="GET", path=f"/v1/lying/{name}", handler=handler, roles=EVERYONE, summary=f"A lie: {name}", query=Number, reply=Counted,
        reply_example={"count": 1}, codes=("decision_final",), tags=("lying",),
    )
    for name, handler in HANDLERS.items()
)  # fmt: skip


def make_app(settings: Settings) -> FastAPI:
    """The real application and three endpoints more."""
    return create_app(settings, endpoints=(*ENDPOINTS, *LIES))
