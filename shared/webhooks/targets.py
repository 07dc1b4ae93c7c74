"""Where a webhook may go: public addresses only, and exactly the address that was checked.

A name is resolved once for an attempt, every address it has is checked, and the connection is made to one of these addresses, not to the name: a
second look-up could give another answer (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Final

from shared.webhooks.public import is_public

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""The addresses of a name, for a port."""

RESOLVE_SECONDS: Final = 5.0


class TargetRefusedError(Exception):
    """The URL leads, or could lead, to where no webhook may go. The message names no address."""


class UnresolvedError(Exception):
    """The name has no address just now."""


async def addresses(host: str, port: int, *, allow_private: bool, resolve: Resolve) -> list[str]:
    """The checked addresses of a host. Raises `TargetRefusedError` when any of them is not public, `UnresolvedError` when there is none."""
    try:
        async with asyncio.timeout(RESOLVE_SECONDS):
            found = list(dict.fromkeys(await resolve(host, port)))
    except (OSError, UnicodeError, TimeoutError) as error:
        raise UnresolvedError(f"the name can't be resolved ({type(error).__name__})") from error
    if not found:
        raise UnresolvedError("the name has no address")
    if not allow_private and not all(is_public(address) for address in found):
        raise TargetRefusedError("the target is not a public address")
    return found


async def system_resolve(host: str, port: int) -> list[str]:
    """What the system's resolver says."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]
