"""One picture's decoder: a process of its own that is given a file and a job, answers, and ends.

It runs as a script with an empty environment and knows nothing of the service: no secret, no connection, no other player's picture. What a file
made to break its decoder can reach is this process, which may not open other files, start programs, reach the network or other processes
(`confine.py`), use more memory or time than it is given, or outlive its parent's patience. Only the loaders of the three formats are open.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import runpy
import socket
import sys
from pathlib import Path
from typing import Any

GRID = 64
_LOADERS = ("VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp")


def give_way(*, wholly: bool) -> None:
    """Whoever asks for a standing goes first: wholly, so that this runs only while nothing else wants the core, or with a small share of it."""
    os.nice(5)
    with contextlib.suppress(OSError):  # SCHED_BATCH: a decoder that wakes up interrupts nobody
        os.sched_setscheduler(0, os.SCHED_IDLE if wholly else os.SCHED_BATCH, os.sched_param(0))


def lock_in() -> None:
    """Give up what no decoder needs."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
    import ctypes

    libc = ctypes.CDLL(None)
    libc.prctl(1, 9, 0, 0, 0)  # PR_SET_PDEATHSIG: ends with its parent
    libc.prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: nobody looks inside


def main() -> None:
    """Wait for the one job on standard input, a socket: a line of JSON with the file's descriptor. The argument `idle`: give way to everybody."""
    channel = socket.socket(fileno=os.dup(0))
    confine = runpy.run_path(str(Path(__file__).with_name("confine.py")))["confine"]
    give_way(wholly=sys.argv[1:] == ["idle"])
    lock_in()
    import pyvips

    pyvips.cache_set_max(0)
    pyvips.operation_block_set("VipsForeignLoad", state=True)
    for loader in _LOADERS:
        pyvips.operation_block_set(loader, state=False)
    text, files, _, _ = socket.recv_fds(channel, 65536, 1)
    if not text or not files:
        return
    job = json.loads(text)
    confined = confine(files[0])
    resource.setrlimit(resource.RLIMIT_AS, (job["memory"], job["memory"]))
    resource.setrlimit(resource.RLIMIT_CPU, (job["cpu_seconds"], job["cpu_seconds"] + 1))
    try:
        head, parts = run(pyvips, f"/proc/self/fd/{files[0]}", job)
    except pyvips.Error as error:
        head, parts = {"error": str(error)[:500]}, []
    except MemoryError:
        head, parts = {"error": "memory"}, []
    head |= {"lengths": [len(part) for part in parts], "confined": confined}
    channel.sendall(json.dumps(head).encode() + b"\n" + b"".join(parts))
    channel.shutdown(socket.SHUT_RDWR)
    os._exit(0)  # nothing to tidy up that the end of the process does not


def run(vips: Any, path: str, job: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """Do the job: `convert` to another format, or `fit` into sizes."""
    if job["op"] == "convert":
        image = vips.Image.new_from_file(path, fail_on="error")
        return {}, [convert(image, job["to"])]
    return fit(vips.Image, path, job["sizes"])


def convert(image: Any, to: str) -> bytes:
    """One of our own pictures in another format; JPEG has no transparency and gets a white ground."""
    if to == "image/png":
        return bytes(image.pngsave_buffer(compression=6, keep="none"))
    flat = image.flatten(background=255) if image.hasalpha() else image
    return bytes(flat.jpegsave_buffer(Q=88, keep="none"))


def fit(images: Any, path: str, sizes: list[list[int]]) -> tuple[dict[str, Any], list[bytes]]:
    """The picture cut from its centre to each size (the first is the largest, all of one shape), and what it looks like as a whole."""
    if not sizes:
        return {}, [grid_of(standard(shrunk(images, path, GRID, GRID)))]
    width, height = sizes[0]
    across, down = upright(images, path)
    scale = max(width / across, height / down)
    wide, tall = max(width, round(across * scale)), max(height, round(down * scale))
    if wide * tall <= 4 * width * height:  # one decoding serves the whole picture and the cut
        whole = standard(shrunk(images, path, wide, tall)).copy_memory()
        cut = whole.crop((wide - width) // 2, (tall - height) // 2, width, height)
        seen = grid_of(whole)
    else:
        cut = standard(slice_of(images, path, width, height)).copy_memory()
        seen = grid_of(standard(shrunk(images, path, GRID, GRID)))
    parts = [seen, grid_of(cut)]
    for across, down in sizes:
        image = cut if (across, down) == (width, height) else cut.thumbnail_image(across, height=down, size="force")
        parts.append(bytes(image.webpsave_buffer(Q=86, alpha_q=100, effort=2, keep="none")))
    return {"alpha": bool(cut.hasalpha())}, parts


def slice_of(images: Any, path: str, width: int, height: int) -> Any:
    """The middle of a long shape (I09): cut before it is scaled, as the whole of it would be huge; the centre is the same before it is turned."""
    image = images.new_from_file(path, access="sequential", fail_on="error")
    if is_turned(image):
        width, height = height, width
    across = max(1, min(image.width, round(image.height * width / height)))
    down = max(1, min(image.height, round(image.width * height / width)))
    image = image.crop((image.width - across) // 2, (image.height - down) // 2, across, down)
    return image.thumbnail_image(width, height=height, size="force", no_rotate=True, output_profile="srgb").copy_memory().autorot()


def is_turned(image: Any) -> bool:
    """Whether the orientation swaps the sides."""
    return image.get_typeof("orientation") != 0 and image.get("orientation") in (5, 6, 7, 8)


def upright(images: Any, path: str) -> tuple[int, int]:
    """Width and height once the orientation is applied; a broken orientation is none (I01)."""
    image = images.new_from_file(path, access="sequential", fail_on="error")
    return (image.height, image.width) if is_turned(image) else (image.width, image.height)


def shrunk(images: Any, path: str, width: int, height: int) -> Any:
    """The whole upright picture at exactly this size, in sRGB. The decoder itself shrinks where it can, and lines are read once, in order."""
    how = {} if is_plain(images.new_from_file(path, access="sequential")) else {"output_profile": "srgb"}
    return images.thumbnail(path, width, height=height, size="force", fail_on="error", **how)


def is_plain(image: Any) -> bool:
    """Whether its colours are sRGB or grey already: then the third of the time that a colour transform takes is saved."""
    return image.get_typeof("icc-profile-data") == 0 and image.interpretation in {"srgb", "b-w", "rgb16", "grey16"}


def standard(image: Any) -> Any:
    """Three bands of 8 bits, or four with transparency; what is fully transparent has no hidden colour."""
    image = image.colourspace("srgb")
    if image.format != "uchar":
        image = image.cast("uchar")
    if image.hasalpha():
        seen = image[image.bands - 1] > 0
        image = seen.ifthenelse(image, 0)
    return image


def grid_of(image: Any) -> bytes:
    """64 x 64 pixels of three bytes on a grey ground, whatever the shape was."""
    flat = image.flatten(background=128) if image.hasalpha() else image
    return bytes(flat.thumbnail_image(GRID, height=GRID, size="force").write_to_memory())


if __name__ == "__main__":
    sys.path[:] = [entry for entry in sys.path if entry]
    main()
