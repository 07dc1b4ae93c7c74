"""One server process: uvicorn, told to lose no request when it ends."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
from collections.abc import Callable, Generator
from typing import Any

import uvicorn

from services.serving.protocol import DrainingProtocol, DrainState
from shared.settings import Settings

LINGER = 1.0  # seconds for which idle connections stay open while draining
KEEP_ALIVE = 65  # seconds; longer than clients and proxies keep idle connections, so that they close first and no request meets a closing one


class DrainingServer(uvicorn.Server):
    """Ends in order: no new connections, answers with `Connection: close`, idle connections a moment later, then the application's own end."""

    def __init__(
        self, config: uvicorn.Config, on_started: Callable[[], None] | None = None, on_drain: Callable[[], None] | None = None
    ) -> None:
        super().__init__(config)
        self.state = DrainState()
        self.server_state = self.state
        self.on_started = on_started
        self.on_drain = on_drain

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then tell whoever waits for it."""
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # what start-up made stays: the collector need not walk it again and again under load
        if self.on_started is not None and self.started:
            self.on_started()

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second; once a second drop the connections that never send a head."""
        if counter % 10 == 0:
            now = asyncio.get_running_loop().time()
            for connection in list(self.state.connections):
                if isinstance(connection, DrainingProtocol) and connection.overdue(now):
                    connection.transport.close()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Drain, then end as uvicorn does."""
        self.state.draining = True
        if self.on_drain is not None:
            self.on_drain()
        for server in self.servers:
            server.close()
        for listener in sockets or []:
            listener.close()
        for connection in list(self.state.connections):
            connection.shutdown()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + LINGER
        while self.state.connections and loop.time() < deadline and not self.force_exit:  # noqa: ASYNC110  uvicorn tells of no ending connection
            await asyncio.sleep(0.02)
        self.state.closing = True
        await super().shutdown(None)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """SIGTERM and SIGINT begin the draining. Unlike the base class nothing is raised again afterwards: the caller has things to close, too."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run_server(app: Any, settings: Settings, listener: socket.socket, on_started: Callable[[], None] | None = None) -> bool:
    """Answer HTTP on this listening socket until SIGTERM or SIGINT; whether it had started."""
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=DrainingProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=[str(network) for network in settings.trusted_proxies],
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=settings.shutdown_seconds,
    )
    drain = getattr(getattr(app, "state", None), "drain", None)  # the application's own: ends its streams
    server = DrainingServer(config, on_started, drain)
    server.run(sockets=[listener])
    return server.started
