"""The site's side of cosmetics in one file: `python site.py SERVICE_URL GAME_SERVER_TOKEN_FILE [PORT]`, then open the address that it prints.

A real site knows from its own session who is asking and whether they are PRO; this one takes everybody for the PRO player `p-example`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

PLAYER, TIER = "p-example", "pro"
PAGE = Path(__file__).with_name("index.html")
PASSED_ON = ("content-type", "cache-control", "etag", "vary", "x-content-type-options", "content-security-policy", "retry-after")


def site(service: httpx.AsyncClient) -> Starlette:
    """The page, and what it asks for, passed on with the token."""

    async def page(_: Request) -> Response:
        return FileResponse(PAGE)

    async def slots(request: Request) -> Response:
        page_of = {name: value for name, value in request.query_params.items() if name == "cursor"}
        return passed_on(await service.get(f"/v1/players/{PLAYER}/cosmetics", params={"limit": 200, **page_of}))

    async def upload(request: Request) -> Response:
        async def body() -> AsyncIterator[bytes]:
            async for piece in request.stream():
                yield piece

        headers = {"Player-Tier": TIER, "Idempotency-Key": request.headers.get("idempotency-key", "")}
        if length := request.headers.get("content-length"):
            headers["Content-Length"] = length
        slot = request.path_params["slot"]
        return passed_on(await service.put(f"/v1/players/{PLAYER}/cosmetics/{slot}", content=body(), headers=headers))

    async def empty(request: Request) -> Response:
        key = {"Idempotency-Key": request.headers.get("idempotency-key", "")}
        return passed_on(await service.delete(f"/v1/players/{PLAYER}/cosmetics/{request.path_params['slot']}", headers=key))

    async def image(request: Request) -> Response:
        size = request.query_params.get("size", "2x")
        asked = {name: request.headers[name] for name in ("accept", "if-none-match") if name in request.headers}  # which format, and whether at all
        return passed_on(await service.get(f"/v1/cosmetics/{request.path_params['cosmetic_id']}/image", params={"size": size}, headers=asked))

    async def away(_: Request, __: Exception) -> Response:
        return JSONResponse({"code": "unavailable"}, 503, {"Retry-After": "2"})

    return Starlette(
        routes=[
            Route("/", page),
            Route("/slots", slots),
            Route("/slots/{slot}", upload, methods=["PUT"]),
            Route("/slots/{slot}", empty, methods=["DELETE"]),
            Route("/images/{cosmetic_id}", image),
        ],
        exception_handlers={httpx.TransportError: away},
    )


def passed_on(answer: httpx.Response) -> Response:
    """The service's answer, without what is between the service and the site."""
    return Response(answer.content, answer.status_code, {name: answer.headers[name] for name in PASSED_ON if name in answer.headers})


def main() -> None:
    """Serve the example."""
    url, file, *more = sys.argv[1:]
    token = re.sub(r"^Authorization: Bearer ", "", Path(file).read_text().strip())
    service = httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60, trust_env=False)
    uvicorn.run(site(service), host="127.0.0.1", port=int(more[0]) if more else 8080)


if __name__ == "__main__":
    main()
