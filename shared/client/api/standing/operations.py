"""The operations of `standing`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Unpack

from shared.client.api.common.replies import Standing
from shared.client.api.standing.bodies import AccessBody, StandingsBody
from shared.client.api.standing.replies import AccessReply, StandingsReply
from shared.client.options import PublicOptions, ReadOptions
from shared.client.transport import Transport, segment


class StandingOperations:
    """The operations of `standing`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def check_access(self, body: AccessBody, **options: Unpack[PublicOptions]) -> AccessReply:
        """May this account come in from this address.

        Names every reason that holds. Remembers the network for IP bans; no header changes the address. For game_server. Problems of its own:
        invalid_network.
        """
        return await self.transport.fetch("POST", "/v1/access-checks", AccessReply, acts=False, body=body, options=options)

    async def get_standing(
        self, player_id: str, *, as_of: datetime | None = None, known_at: datetime | None = None, at_version: int | None = None,
        min_position: int | None = None, **options: Unpack[ReadOptions]
    ) -> Standing:
        """A player's standing.

        As it is now, or with `as_of` as it stood or will stand at a moment, with `known_at` from what had been recorded by then, with `at_version`
        after that event of the record. A player never seen has a good standing, version 0. Send `If-None-Match` to get 304 while nothing changed. For
        game_server, admin, senior_admin, head_admin, auditor.
        """
        return await self.transport.fetch(
            "GET", f"/v1/players/{segment(player_id)}/standing", Standing,
            query={"as_of": as_of, "known_at": known_at, "at_version": at_version, "min_position": min_position}, options=options
        )

    async def query_standings(self, body: StandingsBody, **options: Unpack[ReadOptions]) -> StandingsReply:
        """The standings of many players.

        In the order asked. A record that can't be read says so and is never taken as clean. For game_server, admin, senior_admin, head_admin,
        auditor.
        """
        return await self.transport.fetch("POST", "/v1/standings/query", StandingsReply, body=body, options=options)
