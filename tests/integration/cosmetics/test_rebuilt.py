"""A rebuild reaches the running service: what the new table says of barred pictures holds for the next upload, without a restart (I-63)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from PIL import Image

from services.cosmetics.views import known
from services.cosmetics.views.known import KnownImages
from shared.refusal import Unavailable
from tests.support import app
from tests.support.cosmetics import put, removed
from tests.support.database import Database
from tests.support.images import encode, texture
from tests.support.rebuilding import VIEWS, rebuilder

OFTEN = 7
"""More than the five times after which PostgreSQL may keep one plan for a prepared statement."""
PRINTS = "SELECT prints FROM known_images WHERE name = $1"
BARS_NOTHING = "UPDATE known_images SET listed = false, prints = '[]' WHERE name = $1"
BARS = "UPDATE known_images SET listed = true, prints = $2 WHERE name = $1"
NOBODYS = "INSERT INTO known_images (name, kind, listed, prints, position) VALUES ('gallery:nobodys', 'gallery', true, $1, 1)"


async def gallery(service: app.Service, method: str, card: str, data: bytes | None = None) -> str:
    """Put a card's artwork in, or take it out; the name of its row."""
    reply = await service.http.request(method, f"/v1/gallery/{card}", content=data, headers={"Authorization": f"Bearer {service.tokens.game_server}"})
    assert reply.status_code in {200, 201}, reply.text
    return f"gallery:{card}"


async def refusals(service: app.Service, *pictures: Image.Image) -> list[str | None]:
    """Why nobody may upload these pictures; None for those that anybody may."""
    replies = [await put(service, app.fresh(), encode(picture)) for picture in pictures]
    return [None if reply.status_code == 201 else reply.json()["code"] for reply in replies]


def seen(picture: Image.Image) -> bytes:
    """What the decoder shows the index of it, near enough."""
    return picture.resize((64, 64), Image.Resampling.BOX).tobytes()


async def rebuild(database: Database) -> None:
    """As `moderation rebuild known_images` does."""
    await rebuilder(database, views=[view for view in VIEWS if view.table == "known_images"]).rebuild()


async def test_what_a_rebuild_mends_holds_for_the_next_upload(database: Database) -> None:
    """A row that should bar and did not, one that should not and did, and one that stands for nothing; all were read before."""
    barred, freed, nobodys = (texture(name) for name in ("barred", "freed", "nobody's"))
    async with app.serving(database) as service:
        fetch = service.store.fetch
        _, gone = await removed(service, encode(barred))
        name = await gallery(service, "PUT", "card-1", encode(freed))
        freed_prints = await service.store.fetch_value(PRINTS, name)
        await gallery(service, "PUT", "card-1", encode(nobodys))
        nobodys_prints = await service.store.fetch_value(PRINTS, name)
        await gallery(service, "DELETE", "card-1")
        await fetch(BARS_NOTHING, gone["cosmetic_id"])
        await fetch(BARS, name, freed_prints)
        await fetch(NOBODYS, nobodys_prints)
        assert await refusals(service, barred, freed, nobodys) == [None, "unlock_gallery_artwork", "unlock_gallery_artwork"]
        for _ in range(OFTEN):
            assert [like.name for like in await service.resources.get(KnownImages).like(seen(freed))] == [name]

        await rebuild(database)
        assert await refusals(service, barred, freed, nobodys) == ["previously_removed", None, None]


async def test_what_was_barred_stays_barred_over_rebuilds_that_change_nothing(database: Database) -> None:
    async with app.serving(database) as service:
        one, other = texture("one"), texture("other")
        await gallery(service, "PUT", "card-1", encode(one))
        for _ in range(2):
            assert await refusals(service, one) == ["unlock_gallery_artwork"]
            await rebuild(database)
        await gallery(service, "PUT", "card-2", encode(other))
        assert await refusals(service, one, other) == ["unlock_gallery_artwork"] * 2
        await gallery(service, "DELETE", "card-1")
        assert await refusals(service, one, other) == [None, "unlock_gallery_artwork"]


async def test_a_rebuild_in_the_middle_of_reading_is_noticed_and_a_cut_leaves_nothing_half_read(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every page tells of which table it is; what was asked for is answered from one table, whole, or not at all."""
    monkeypatch.setattr(known, "_PAGE", 1)
    pictures = {card: texture(card) for card in ("card-1", "card-2", "card-3")}
    async with app.serving(database) as service:
        first, *_ = [await gallery(service, "PUT", card, encode(picture)) for card, picture in pictures.items()]
        meanwhile: dict[int, Any] = {}
        pages = 0

        async def fetch(sql: str, *arguments: Any) -> Sequence[Any]:
            nonlocal pages
            pages += 1
            if pages in meanwhile:
                await meanwhile[pages]()
            return await service.store.fetch(sql, *arguments)

        async def cut() -> None:
            detail = "The connection is lost."
            raise Unavailable(detail)

        async def all_are_known() -> bool:
            return [[like.name for like in await images.like(seen(picture))] for picture in pictures.values()] == [
                [f"gallery:{card}"] for card in pictures
            ]

        images = KnownImages(fetch)
        assert await all_are_known()
        await rebuild(database)
        await service.store.fetch(BARS_NOTHING, first)  # in the new table, whose first page is read before the next rebuild
        pages, meanwhile = 0, {4: lambda: rebuild(database)}
        assert await all_are_known()
        await service.store.fetch(BARS_NOTHING, first)
        await rebuild(database)
        for at in range(1, 6):
            await rebuild(database)
            pages, meanwhile = 0, {at: cut}
            with pytest.raises(Unavailable):
                await images.like(seen(pictures["card-1"]))
            assert await all_are_known()
