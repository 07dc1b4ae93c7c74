"""Who calls, before anything else of the request is looked at, and whether their role may."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.types import Scope

from shared.http.endpoint import Endpoint
from shared.http.headers import credentials
from shared.refusal import Refusal
from shared.security.principals import DirectoryHolder, Principal
from shared.security.roles import Role

Epoch = Callable[[], Awaitable[int]]
"""Reads the configuration's epoch, which moves with every change to tokens and staff."""


class Authenticator:
    """Tells who calls, from the directory of now: a revocation counts from the next request on."""

    __slots__ = ("_epoch", "_holder")

    def __init__(self, epoch: Epoch, holder: DirectoryHolder) -> None:
        self._epoch = epoch
        self._holder = holder

    async def epoch(self) -> int:
        """The configuration's epoch of now."""
        return await self._epoch()

    async def principal(self, authorization: str | None, acting: str | None) -> Principal:
        """The principal behind `Authorization` and `Acting-Staff`. Raises `Refusal` 401 or 403, and `Unavailable` when it can't tell."""
        return await self.principal_at(await self._epoch(), authorization, acting)

    async def principal_at(self, epoch: int, authorization: str | None, acting: str | None) -> Principal:
        """The same for whoever has read the epoch already, since the request came in: a revocation that was committed before counts."""
        directory = self._holder.held(epoch) or await self._holder.at(epoch)
        return directory.authenticate(authorization, acting)


async def caller(scope: Scope, authenticator: Authenticator, epoch: int | None = None) -> Principal:
    """The request's principal; at the epoch, when it has been read since the request came in."""
    authorization, acting = credentials(scope["headers"])
    if epoch is None:
        return await authenticator.principal(authorization, acting)
    return await authenticator.principal_at(epoch, authorization, acting)


def check_role(endpoint: Endpoint, principal: Principal) -> None:
    """Raise 403 unless the endpoint is for this role."""
    if principal.role in endpoint.roles:
        return
    code = (endpoint.role_code or {}).get(principal.role, "forbidden")
    raise Refusal(code, f"This is not for the role {principal.role.value}.", allowed=role_names(endpoint.roles))


def role_names(roles: frozenset[Role]) -> list[str]:
    """The roles by name, in the order of the register's levels."""
    return [role.value for role in Role if role in roles]
