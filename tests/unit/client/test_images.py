"""The client's images against a service that this file plays: what is asked for, what counts as one, and what is raised."""

from __future__ import annotations

import httpx
import pytest

from shared.client import Media, Problem
from tests.unit.client.test_client import Service, problem

PICTURE = httpx.Response(200, content=b"RIFF", headers={"Content-Type": "image/png", "ETag": '"a-png"'})


async def test_an_image_comes_with_its_media_type_and_its_etag() -> None:
    """What the service asks to wait for is waited for, as in every call."""
    service = Service(problem(503, "unavailable", {"Retry-After": "7"}), PICTURE)
    async with service.client() as client:
        seen = await client.cosmetics.get_image("c1", size="thumb", accept="image/png,*/*;q=0.5", if_none_match='"old"', acting_staff="admin-1")
    assert seen == Media(data=b"RIFF", media_type="image/png", etag='"a-png"')
    assert "RIFF" not in repr(seen)
    assert (service.sent("accept"), service.sent("if-none-match")) == (["image/png,*/*;q=0.5"] * 2, ['"old"'] * 2)
    assert (service.sent("acting-staff"), service.sent("idempotency-key"), service.waits) == (["admin-1"] * 2, [None] * 2, [7.0])
    assert str(service.requests[0].url) == "http://service/v1/cosmetics/c1/image?size=thumb"


async def test_without_a_wish_it_is_the_format_of_the_service() -> None:
    """Never the client's own `Accept`, which is for JSON."""
    service = Service(PICTURE)
    async with service.client() as client:
        await client.cosmetics.get_image("c1")
    assert (service.sent("accept"), service.sent("if-none-match")) == (["image/webp"], [None])


async def test_an_image_that_the_caller_has_is_none() -> None:
    service = Service(httpx.Response(304, headers={"ETag": '"a"'}))
    async with service.client() as client:
        assert await client.cosmetics.get_image("c1", if_none_match='"a"') is None


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (problem(410, "gone", current={"state": "purged"}), "gone"),
        (httpx.Response(200, content=b"<html>", headers={"Content-Type": "text/html"}), "unexpected_answer"),
        (httpx.Response(200, content=b"<svg>", headers={"Content-Type": "image/svg+xml"}), "unexpected_answer"),
        (httpx.Response(302, content=b"", headers={"Content-Type": "image/webp", "Location": "/login"}), "unexpected_answer"),
    ],
)
async def test_what_is_no_image_is_a_problem(answer: httpx.Response, code: str) -> None:
    """The page of a proxy must not go on to browsers as a picture."""
    service = Service(answer)
    async with service.client() as client:
        with pytest.raises(Problem) as caught:
            await client.cosmetics.get_image("c1")
    assert (caught.value.status, caught.value.code) == (answer.status_code, code)


async def test_an_upload_says_the_tier_and_nothing_where_none_is_given() -> None:
    upload = httpx.Response(403, content=b"", headers={"Content-Type": "text/plain"})
    service = Service(upload)
    async with service.client() as client:
        for tier in ("pro", None):
            with pytest.raises(Problem):
                await client.cosmetics.upload_cosmetic("p1", "avatar", b"PNG", player_tier=tier)
    assert (service.sent("player-tier"), [request.content for request in service.requests]) == (["pro", None], [b"PNG"] * 2)
