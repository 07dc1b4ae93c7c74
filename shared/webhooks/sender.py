"""One attempt to deliver one message."""

from __future__ import annotations

import asyncio
import ssl
import time
from dataclasses import dataclass, field
from typing import Final

import httpx

from shared.webhooks.signing import headers
from shared.webhooks.targets import Resolve, TargetRefusedError, UnresolvedError, addresses, system_resolve

CONNECT_SECONDS: Final = 5.0
TOTAL_SECONDS: Final = 15.0
ANSWER_BYTES: Final = 64 * 1024
MAX_RETRY_AFTER: Final = 3600.0
TRIED_ADDRESSES: Final = 3
_TIMEOUT: Final = httpx.Timeout(TOTAL_SECONDS, connect=CONNECT_SECONDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a webhook's messages go; `secrets` sign them."""

    webhook_id: str
    url: str
    allow_private: bool
    secrets: tuple[bytes, ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How an attempt went: the answer's status, or why there was none. `retry_after` in seconds, when the receiver asked for it."""

    status: int | None = None
    error: str | None = None
    retry_after: float | None = None
    seconds: float = 0.0

    @property
    def arrived(self) -> bool:
        """Whether the receiver took it: any 2xx."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        """Whether the receiver wants nothing any more."""
        return self.status == 410


class Sender:
    """Sends over one client for each webhook, so that connections to one address under two names are never mixed up.

    Redirects are not followed and proxies of the environment not used: both would lead past the check of the target.
    """

    def __init__(self, *, resolve: Resolve = system_resolve, total: float = TOTAL_SECONDS, verify: ssl.SSLContext | None = None) -> None:
        self._resolve = resolve
        self._total = total
        self._verify = verify
        self._clients: dict[str, httpx.AsyncClient] = {}

    async def send(self, target: Target, message_id: str, body: bytes, timestamp: int) -> Outcome:
        """Deliver once; `timestamp` in seconds since 1970 is signed with it. Nothing that the receiver or the network does raises."""
        began = time.monotonic()
        status, error, after = None, None, None
        try:
            async with asyncio.timeout(self._total):
                status, after = await self._post(target, message_id, body, timestamp)
        except TimeoutError:
            error = f"no answer within {self._total:.0f} s"
        except (TargetRefusedError, UnresolvedError) as problem:
            error = str(problem)
        except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError, OSError, ValueError) as problem:
            error = type(problem).__name__
        return Outcome(status=status, error=error, retry_after=after, seconds=time.monotonic() - began)

    async def forget(self, webhook_id: str) -> None:
        """Close the webhook's connections."""
        client = self._clients.pop(webhook_id, None)
        if client is not None:
            await client.aclose()

    async def close(self) -> None:
        """Close all connections."""
        for webhook_id in list(self._clients):
            await self.forget(webhook_id)

    async def _post(self, target: Target, message_id: str, body: bytes, timestamp: int) -> tuple[int, float | None]:
        url = httpx.URL(target.url)
        port = url.port or (443 if url.scheme == "https" else 80)
        found = await addresses(url.host, port, allow_private=target.allow_private, resolve=self._resolve)
        sent = {
            **headers(target.secrets, message_id, timestamp, body),
            "host": url.netloc.decode("ascii"),
            "content-type": "application/json",
            "user-agent": "simorg-moderation-webhooks/1",
        }
        client = self._client(target.webhook_id)
        for number, address in enumerate(tried := found[:TRIED_ADDRESSES], 1):
            request = client.build_request(
                "POST", url.copy_with(host=address), content=body, headers=sent, timeout=_TIMEOUT, extensions={"sni_hostname": url.host}
            )
            try:
                return await _answered(client, request)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if number == len(tried):
                    raise
        raise AssertionError

    def _client(self, webhook_id: str) -> httpx.AsyncClient:
        client = self._clients.get(webhook_id)
        if client is None:
            if self._verify is None:
                self._verify = ssl.create_default_context()
            client = self._clients[webhook_id] = httpx.AsyncClient(verify=self._verify, trust_env=False, follow_redirects=False)
        return client


async def _answered(client: httpx.AsyncClient, request: httpx.Request) -> tuple[int, float | None]:
    """The answer's status and `Retry-After`. Its body means nothing; a short one is read so that the connection can be used again."""
    reply = await client.send(request, stream=True)
    try:
        size = 0
        async for chunk in reply.aiter_raw():
            size += len(chunk)
            if size > ANSWER_BYTES:
                break
    finally:
        await reply.aclose()
    asked = reply.headers.get("retry-after", "")
    after = min(float(asked), MAX_RETRY_AFTER) if asked.isascii() and asked.isdigit() and len(asked) < 10 else None
    return reply.status_code, after
