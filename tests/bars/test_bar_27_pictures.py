"""Bar 27: a picture of 20 MB costs about what libvips' own tool costs, and little memory, also the largest that is taken.

Controls: Pillow on the same file, and our own decoder when it holds the largest whole.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from services.cosmetics.imaging import worker

pytestmark = [pytest.mark.bar(27), pytest.mark.full]
SIZES = [[512, 512], [256, 256], [128, 128]]
SIDE = 10_000  # 100 megapixels (I-61)
FIT = f"""
import importlib.util, json, re, sys, time
spec = importlib.util.spec_from_file_location("worker", {worker.__file__!r})
worker = importlib.util.module_from_spec(spec); spec.loader.exec_module(worker)
import pyvips
begin = time.process_time()
worker.fit(pyvips.Image, sys.argv[1], {SIZES})
print(json.dumps([time.process_time() - begin, int(re.search("VmHWM:\\s+([0-9]+)", open("/proc/self/status").read())[1])]))"""
WHOLE = FIT.replace("worker.fit(", "worker.shrunk = lambda images, path, width, height: images.new_from_file(path).copy_memory(); worker.fit(")
PILLOW = """
import io, json, re, sys, time
from PIL import Image, ImageOps
begin = time.process_time()
image = ImageOps.exif_transpose(Image.open(sys.argv[1])).convert("RGBA")
for side in (512, 256, 128):
    ImageOps.fit(image, (side, side), Image.Resampling.LANCZOS).save(io.BytesIO(), "WEBP", quality=86)
print(json.dumps([time.process_time() - begin, int(re.search("VmHWM:\\s+([0-9]+)", open("/proc/self/status").read())[1])]))"""


def children() -> float:
    """Processor seconds of the processes that ended: what a busy machine does not change."""
    times = os.times()
    return times.children_user + times.children_system


def picture(folder: Path, kind: str) -> Path:
    """Some 20 MB of noise under soft shapes."""
    width, height = (6400, 4800) if "jpeg" in kind else (3000, 2400)
    noise = np.random.default_rng(27).integers(0, 256, (height // 2, width // 2, 3), np.uint8)
    image = Image.fromarray(noise).resize((width, height), Image.Resampling.BILINEAR)
    file = folder / f"{kind}.{'png' if kind == 'png' else 'jpg'}"
    options = {} if kind == "png" else {"quality": 92, "progressive": kind == "progressive jpeg"}
    image.save(file, **options)  # type: ignore[arg-type]
    return file


def measured(script: str, file: Path) -> tuple[float, float]:
    """Seconds of the work, and the peak of the process's memory in MB."""
    best = []
    for _ in range(2):
        environment = {"VIPS_CONCURRENCY": "1", "PATH": "/usr/bin:/bin"}
        said = subprocess.run([sys.executable, "-I", "-c", script, str(file)], capture_output=True, check=True, env=environment)
        best.append(json.loads(said.stdout))
    return min(seconds for seconds, _ in best), max(kilobytes for _, kilobytes in best) / 1024


@pytest.mark.parametrize(("kind", "most"), [("jpeg", 300), ("png", 300), ("progressive jpeg", 1200)])
def test_a_picture_of_20_mb_is_fitted_at_the_speed_of_libvips(tmp_path: Path, kind: str, most: int) -> None:
    """Bar 27, with the figures of Pillow beside it."""
    file = picture(tmp_path, kind)
    seconds, memory = measured(FIT, file)
    pillow_seconds, pillow_memory = measured(PILLOW, file)
    tool = shutil.which("vipsthumbnail")
    theirs = float("nan")
    if tool is not None:
        runs = []
        for _ in range(2):
            begin = children()
            subprocess.run([tool, str(file), "--size", "512x512", "-m", "centre", "-o", str(tmp_path / "out.webp")], check=True)
            runs.append(children() - begin)
        theirs = min(runs)
    print(
        f"bar 27: {kind} of {file.stat().st_size / 1e6:.1f} MB: ours {seconds:.2f} s and {memory:.0f} MB, vipsthumbnail {theirs:.2f} s "
        f"(ratio {theirs / seconds:.2f}), Pillow {pillow_seconds:.2f} s and {pillow_memory:.0f} MB"
    )
    assert memory < most
    assert kind == "progressive jpeg" or pillow_memory > memory, "the control must need more"


def largest(folder: Path, kind: str) -> Path:
    """100 megapixels in few megabytes."""
    blocks = Image.fromarray(np.random.default_rng(28).integers(0, 256, (SIDE // 40, SIDE // 40, 3), np.uint8))
    image = blocks.resize((SIDE, SIDE), Image.Resampling.NEAREST)
    file = folder / f"{kind}.{'png' if kind == 'png' else 'jpg'}"
    options = {"compress_level": 1} if kind == "png" else {"quality": 60, "progressive": kind == "progressive jpeg"}
    image.save(file, **options)  # type: ignore[arg-type]
    assert file.stat().st_size < 20_971_520
    return file


@pytest.mark.parametrize(("kind", "most"), [("jpeg", 300), ("png", 300), ("progressive jpeg", 1200)])
def test_the_largest_picture_takes_little_memory_and_the_control_that_holds_it_whole_does_not(tmp_path: Path, kind: str, most: int) -> None:
    """Bar 27."""
    file = largest(tmp_path, kind)
    seconds, memory = measured(FIT, file)
    _, whole = measured(WHOLE, file)
    print(
        f"bar 27: {kind} of 100 megapixels and {file.stat().st_size / 1e6:.1f} MB: {seconds:.2f} s and {memory:.0f} MB (at most {most}); "
        f"held whole {whole:.0f} MB"
    )
    assert memory < most
    assert whole > (most if most == 300 else memory)
