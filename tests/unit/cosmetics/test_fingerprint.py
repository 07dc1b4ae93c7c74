"""Fingerprints and their index (I-63): found again after what people do to a picture, and fast among a hundred thousand."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image, ImageOps

from services.cosmetics.imaging.fingerprint import GRID, asked_prints, decoded, known_prints
from services.cosmetics.imaging.index import PrintIndex
from services.cosmetics.slots.serving import wanted
from tests.support.images import texture


def grid(image: Image.Image) -> bytes:
    return image.convert("RGB").resize((GRID, GRID), Image.Resampling.LANCZOS).tobytes()


def cropped(image: Image.Image, part: int) -> Image.Image:
    across, down = image.width * part // 100, image.height * part // 100
    return image.crop((across, down, image.width - across, image.height - down))


CHANGES: dict[str, Callable[[Image.Image], Image.Image]] = {
    "half": lambda image: image.resize((image.width // 2, image.height // 2), Image.Resampling.LANCZOS),
    "larger": lambda image: image.resize((image.width * 3 // 2, image.height * 3 // 2), Image.Resampling.BICUBIC),
    "cropped by 1 %": lambda image: cropped(image, 1),
    "cropped by 4 %": lambda image: cropped(image, 4),
    "mirrored": ImageOps.mirror,
    "mirrored and small": lambda image: ImageOps.mirror(image).resize((100, 100)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_picture_is_found_again(change: str) -> None:
    """I-63."""
    index, images = PrintIndex(), [texture(("found", n)) for n in range(40)]
    for n, image in enumerate(images):
        index.put(str(n), decoded(known_prints(grid(image))))
    missed = [n for n, image in enumerate(images) if index.find(asked_prints(grid(CHANGES[change](image))))[:1] != [str(n)]]
    assert missed == []


def test_other_pictures_are_not_found() -> None:
    """I-63."""
    index = PrintIndex()
    for n in range(60):
        index.put(str(n), decoded(known_prints(grid(texture(("known", n))))))
    assert [n for n in range(60) if index.find(asked_prints(grid(texture(("other", n)))))] == []


def test_plain_pictures_are_told_apart_by_their_colour() -> None:
    """I-63: images without detail look alike to a hash of brightness."""
    index = PrintIndex()
    index.put("yellow", decoded(known_prints(grid(Image.new("RGB", (9, 9), (250, 240, 20))))))
    assert index.find(asked_prints(grid(Image.new("RGB", (9, 9), (20, 20, 90))))) == []
    assert index.find(asked_prints(grid(Image.new("RGB", (9, 9), (249, 240, 22))))) == ["yellow"]


def test_a_picture_that_was_taken_out_is_not_found_even_as_the_index_grows() -> None:
    index = PrintIndex()
    prints = decoded(known_prints(grid(texture("out"))))
    for n in range(330):
        index.put(str(n), prints[:1] if n == 3 else decoded(known_prints(grid(texture(n, 64, 64))))[:4])
        if n == 10:
            index.drop("3")
    assert "3" not in index.find(asked_prints(grid(texture("out"))))
    assert index.find(asked_prints(grid(texture(329, 64, 64))))[:1] == ["329"]
    assert len(index) == 329


def test_a_hundred_thousand_known_pictures_are_searched_in_milliseconds() -> None:
    """Issue 5: under 5 ms; the figure is printed, the test allows for a busy machine."""
    index, chance = PrintIndex(), np.random.default_rng(5)
    raw = chance.integers(0, 256, 1_000_000, np.uint8).tobytes()
    for n in range(20_000):  # as many rows as 100,000 pictures with five fingerprints each have, in a fifth of the time
        index.put(str(n), [raw[at : at + 200] for at in range(n * 7, n * 7 + 5000, 200)])
    asked = asked_prints(grid(texture("asked")))
    took = []
    for _ in range(30):
        begin = time.perf_counter()
        index.find(asked)
        took.append(time.perf_counter() - begin)
    print(f"index of 100,000 pictures (500,000 prints): median {sorted(took)[15] * 1000:.2f} ms, best {min(took) * 1000:.2f} ms")
    assert min(took) < 0.02


@pytest.mark.parametrize(
    ("accept", "alpha", "given"),
    [
        ("", False, "image/webp"), ("*/*", False, "image/webp"), ("image/avif,image/webp,*/*;q=0.8", False, "image/webp"),
        ("image/png", False, "image/png"), ("image/jpeg", True, "image/jpeg"), ("image/webp;q=0, image/*", False, "image/jpeg"),
        ("image/webp;q=0, image/*", True, "image/png"), ("image/png;q=0.5, image/jpeg", True, "image/jpeg"), ("text/html", False, "image/webp"),
        ("\xff;;;q=,", False, "image/webp"), ("image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", False, "image/png"),
        ("image/jpeg, image/webp;q=0.5", True, "image/jpeg"), ("image/webp;q=0.9, image/png;q=1.5", True, "image/png"),
    ],
)  # fmt: skip
def test_the_format_follows_accept(accept: str, alpha: bool, given: str) -> None:  # noqa: FBT001
    """Issue 5: WebP, with PNG and JPEG where asked."""
    assert wanted(accept, alpha=alpha) == given
