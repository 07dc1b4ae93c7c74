"""The client of the API: `Client` and what it is made with."""

from __future__ import annotations

import ssl
from types import TracebackType
from typing import Self

import httpx

from shared.client.api import Resources
from shared.client.feed import Feed
from shared.client.paging import WAIT_SECONDS, FeedPages
from shared.client.retries import Retries
from shared.client.transport import Transport

DEFAULT_TIMEOUT_SECONDS = 10.0


class Client(Resources):
    """A typed asynchronous client of one service, for one token: `client.RESOURCE.OPERATION(...)`.

        async with Client("https://moderation.example", token) as client:
            standing = await client.standing.get_standing("p1")

    Every command gets an idempotency key that is kept over all its tries, so a lost answer never doubles it. 429, 502 to 504 and lost connections are
    tried again within `retries`. A "no" raises `Problem`, no answer `Unreachable`. `acting_staff` names the member of staff for whom a game server
    acts. `timeout` is in seconds and bounds one try. `verify` is the TLS context of a certificate authority of your own. Proxies of the environment
    are not used: they would see the token. One client serves any number of tasks of one event loop.

    `async for item in client.feed(after=...)` follows the feed (`Following`), `client.feed_pages(after=...)` does so by long poll.
    """

    feed: Feed

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        acting_staff: str | None = None,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        retries: Retries | None = None,
        verify: ssl.SSLContext | bool = True,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {"Accept": "application/json, application/problem+json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        http = httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout, verify=verify, transport=transport, trust_env=False)
        super().__init__(Transport(http, retries=retries or Retries(), acting_staff=acting_staff))
        self.feed = Feed(self.transport)

    def acting(self, staff_id: str) -> Resources:
        """The same client for another member of staff; it shares the connections and is closed with this one."""
        return Resources(self.transport.acting(staff_id))

    def feed_pages(self, *, after: int | None = None, limit: int = 50, wait: int = WAIT_SECONDS) -> FeedPages:
        """The feed behind `after` (None: from about now on) by long poll, for game servers: pages of about `limit` items (1 to 200).

        Each is waited for up to `wait` seconds (0 to 30) at a time; 0 asks about once a second.
        """
        return FeedPages(self.transport, after=after, limit=limit, wait=wait)

    async def aclose(self) -> None:
        """Close the connections."""
        await self.transport.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()
