"""The site of the examples passes on what its page asks for and what the service says (issue 5, point 6)."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from examples.cosmetics.site import PLAYER, site
from services.cosmetics.imaging.spool import LIMIT
from services.cosmetics.slots.endpoints import ENDPOINTS
from services.cosmetics.slots.layout import SLOTS
from tests.support import app
from tests.support.images import encode, texture

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module")
async def browser(service: app.Service) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on the page; behind it the service as the site's server reaches it."""
    service.http.headers["Authorization"] = f"Bearer {service.tokens.game_server}"
    async with httpx.AsyncClient(transport=httpx.ASGITransport(site(service.http)), base_url="http://site") as client:
        yield client
    del service.http.headers["Authorization"]


async def test_the_page_knows_every_slot_the_limit_and_a_word_for_every_refusal(browser: httpx.AsyncClient) -> None:
    page = (await browser.get("/")).text
    slots = re.search(r"const SLOTS = (\[.*?\]);", page)
    assert slots is not None
    assert json.loads(slots[1]) == list(SLOTS)
    assert f"const LIMIT = {LIMIT};" in page
    (upload,) = (endpoint for endpoint in ENDPOINTS if endpoint.method == "PUT")
    said = {"too_large", "unsupported_media_type", *upload.codes} - {"unknown_slot"}  # the page asks for none that is not there
    assert {code for code in said if not re.search(rf"\b{code}: \"", page)} == set()


async def test_a_picture_goes_up_is_shown_as_the_browser_likes_it_and_goes(browser: httpx.AsyncClient) -> None:
    key = {"Idempotency-Key": "one-upload"}
    made = await browser.put("/slots/avatar", content=encode(texture("example")), headers=key)
    assert (made.status_code, made.json()["player_id"]) == (201, PLAYER)
    assert (await browser.put("/slots/avatar", content=encode(texture("example")), headers=key)).content == made.content
    (item,) = (await browser.get("/slots")).json()["items"]
    address = f"/images/{item['cosmetic_id']}?size=1x"
    shown = await browser.get(address, headers={"Accept": "image/png,image/*;q=0.8"})
    assert (shown.headers["content-type"], shown.headers["x-content-type-options"]) == ("image/png", "nosniff")
    assert "Accept" in shown.headers["vary"]
    kept = {"Accept": "image/png,image/*;q=0.8", "If-None-Match": shown.headers["etag"]}
    assert (await browser.get(address, headers=kept)).status_code == 304
    assert (await browser.delete("/slots/avatar", headers={"Idempotency-Key": "one-removal"})).status_code == 200
    assert (await browser.get(address)).status_code == 410


async def test_a_refusal_reaches_the_page_with_its_code(browser: httpx.AsyncClient) -> None:
    refused = await browser.put("/slots/avatar", content=b"text", headers={"Idempotency-Key": "text"})
    assert (refused.status_code, refused.json()["code"]) == (415, "unsupported_media_type")


async def test_a_service_that_is_away_is_a_not_now() -> None:
    async def away(_: httpx.Request) -> httpx.Response:
        detail = "gone"
        raise httpx.ConnectError(detail)

    service = httpx.AsyncClient(transport=httpx.MockTransport(away), base_url="http://service")
    async with service, httpx.AsyncClient(transport=httpx.ASGITransport(site(service)), base_url="http://site") as client:
        answer = await client.get("/slots")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
