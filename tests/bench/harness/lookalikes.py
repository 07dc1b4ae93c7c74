"""Pictures of many kinds and what people do to them: how often a changed one is not found, and how often another one is taken for it (I-63)."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyvips
from PIL import Image, ImageDraw, ImageOps

from services.cosmetics.imaging import worker
from services.cosmetics.imaging.fingerprint import asked_prints, decoded, known_prints
from services.cosmetics.imaging.index import PrintIndex
from tests.support.images import encode, texture

pyvips.cache_set_max(0)  # as in the decoder: what is read by one descriptor's path is never what was read by it before
Thresholds = tuple[int, float]
CHOSEN: Final[Thresholds] = (14, 9.0)
OTHERS: Final[tuple[Thresholds, ...]] = ((8, 9.0), (11, 9.0), (17, 9.0), (20, 9.0), (14, 5.0), (14, 14.0), (14, 255.0), (64, 9.0))


def _photo(chance: random.Random) -> Image.Image:
    """What a camera sees: light and detail at every scale (the spectrum falls with the frequency)."""
    generator = np.random.default_rng(chance.randrange(2**32))
    across, down = np.fft.fftfreq(256)[None, :, None], np.fft.fftfreq(256)[:, None, None]
    spectrum = np.fft.fft2(generator.normal(size=(256, 256, 3)), axes=(0, 1)) / np.maximum(np.hypot(across, down), 1 / 256) ** 1.2
    light = np.real(np.fft.ifft2(spectrum, axes=(0, 1)))
    light = light @ np.array([[1, 0.7, 0.6], [0, 0.6, 0.2], [0, 0, 0.6]])
    light = (light - light.mean()) / light.std() * 52 + np.array([chance.randrange(70, 180) for _ in range(3)])
    return Image.fromarray(np.clip(light, 0, 255).astype(np.uint8))


def _drawing(chance: random.Random) -> Image.Image:
    """Lines on a light ground."""
    image = Image.new("RGB", (300, 300), tuple(chance.randrange(200, 256) for _ in range(3)))
    draw = ImageDraw.Draw(image)
    for _ in range(chance.randrange(8, 25)):
        points = [(chance.randrange(300), chance.randrange(300)) for _ in range(chance.randrange(2, 6))]
        draw.line(points, fill=tuple(chance.randrange(120) for _ in range(3)), width=chance.randrange(2, 9))
    return image


def _logo(chance: random.Random) -> Image.Image:
    """One shape in the middle of a plain ground."""
    image = Image.new("RGB", (300, 300), tuple(chance.randbytes(3)))
    draw, sides = ImageDraw.Draw(image), chance.randrange(3, 9)
    draw.regular_polygon((150, 150, chance.randrange(60, 140)), sides, rotation=chance.randrange(360), fill=tuple(chance.randbytes(3)))
    draw.ellipse((110, 110, 190, 190), fill=tuple(chance.randbytes(3)))
    return image


def _card(chance: random.Random) -> Image.Image:
    """A card: one frame for all of a colour, in which only the middle is its own."""
    image = Image.new("RGB", (295, 430), chance.choice(((150, 90, 60), (90, 120, 170), (110, 70, 120))))
    draw = ImageDraw.Draw(image)
    draw.rectangle((15, 12, 280, 48), fill=(225, 210, 180))
    draw.rectangle((15, 320, 280, 415), fill=(230, 215, 190))
    image.paste((_photo if chance.random() < 0.5 else lambda c: texture(c.random()))(chance).resize((235, 235)), (30, 66))
    return image


KINDS: Final[tuple[Callable[[random.Random], Image.Image], ...]] = (_photo, _drawing, _logo, _card, lambda chance: texture(chance.random()))
NAMES: Final = ("photograph", "drawing", "logo", "card", "shapes")


def _cropped(image: Image.Image, each: float) -> Image.Image:
    """So much of width and height cut off each edge."""
    across, down = round(image.width * each), round(image.height * each)
    return image.crop((across, down, image.width - across, image.height - down))


def _one_edge(image: Image.Image, part: float) -> Image.Image:
    return image.crop((round(image.width * part), 0, image.width, image.height))


def _size(image: Image.Image, by: float) -> Image.Image:
    return image.resize((round(image.width * by), round(image.height * by)), Image.Resampling.BICUBIC)


def png(image: Image.Image) -> bytes:
    """Packed quickly: there are thousands."""
    return encode(image, compress_level=1)


CHANGES: Final[dict[str, Callable[[Image.Image], bytes]]] = {
    "the same again": png,
    "scaled to a half": lambda image: png(_size(image, 0.5)),
    "scaled to a quarter": lambda image: png(_size(image, 0.25)),
    "scaled by 1.7": lambda image: png(_size(image, 1.7)),
    "JPEG of 75 %": lambda image: encode(image, "JPEG", quality=75),
    "JPEG of 30 %": lambda image: encode(image, "JPEG", quality=30),
    "WebP of 40 %": lambda image: encode(image, "WEBP", quality=40),
    "1 % off each edge": lambda image: png(_cropped(image, 0.01)),
    "3 % off each edge": lambda image: png(_cropped(image, 0.03)),
    "5 % off each edge": lambda image: png(_cropped(image, 0.05)),
    "3 % off one edge": lambda image: png(_one_edge(image, 0.03)),
    "mirrored": lambda image: png(ImageOps.mirror(image)),
    "mirrored, a half, JPEG of 50 %": lambda image: encode(_size(ImageOps.mirror(image), 0.5), "JPEG", quality=50),
    "2 % off each edge, a half, JPEG of 50 %": lambda image: encode(_size(_cropped(image, 0.02), 0.5), "JPEG", quality=50),
}


def seen(data: bytes) -> bytes:
    """What the decoder makes of it for the fingerprint: the service's own code."""
    descriptor = os.memfd_create("picture")
    try:
        os.write(descriptor, data)
        _, parts = worker.fit(pyvips.Image, f"/proc/self/fd/{descriptor}", [])
        return parts[0]
    finally:
        os.close(descriptor)


@dataclass(slots=True)
class Errors:
    """At one pair of thresholds: changed pictures that were not found, by change, and pairs of different ones that were taken for the same."""

    asked: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    pairs: int = 0
    taken: Counter[str] = field(default_factory=Counter)

    @property
    def false_rejects(self) -> float:
        """The share of changed pictures that were not found."""
        return self.missed.total() / self.asked.total()

    @property
    def false_accepts(self) -> float:
        """The share of pairs of different pictures that were taken for the same."""
        return self.taken.total() / self.pairs


def measured(count: int, thresholds: Sequence[Thresholds], seed: int = 18) -> dict[Thresholds, Errors]:
    """All `count` pictures are known; each is asked for after every change, and as many others that nobody knows are asked for as well."""
    made = [KINDS[n % len(KINDS)](random.Random(f"{seed} {n}")) for n in range(count)]
    known = [known_prints(seen(png(image))) for image in made]
    changed = {name: [asked_prints(seen(change(image))) for image in made] for name, change in CHANGES.items()}
    strangers = [asked_prints(seen(png(KINDS[n % len(KINDS)](random.Random(f"{seed} other {n}"))))) for n in range(count)]
    found = {}
    for pair in thresholds:
        index: Any = PrintIndex(max_bits=pair[0], max_colour=pair[1])
        for n, kept in enumerate(known):
            index.put(str(n), decoded(kept))
        errors = found[pair] = Errors(pairs=count * (2 * count - 1))
        for name, asked in changed.items():
            for n, sought in enumerate(asked):
                names = index.find(sought)
                errors.asked[name] += 1
                errors.missed[name] += str(n) not in names
                if name == "the same again":
                    errors.taken[NAMES[n % len(KINDS)]] += sum(other != str(n) for other in names)
        for n, prints in enumerate(strangers):
            errors.taken[NAMES[n % len(KINDS)]] += len(index.find(prints))
    return found
