"""Who calls, before anything else of the request is looked at, and whether their role may."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.types import Scope

from shared.http.endpoint import Endpoint
from shared.http.headers import credentials
from shared.refusal import Refusal
from shared.security.principals import Principal, Role

Authenticate = Callable[[str | None, str | None], Awaitable[Principal]]
"""From the values of `Authorization` and `Acting-Staff` to the principal; raises `Refusal` 401 or 403, `Unavailable` when it can't tell."""


async def caller(scope: Scope, authenticate: Authenticate) -> Principal:
    """The request's principal."""
    authorization, acting = credentials(scope["headers"])
    return await authenticate(authorization, acting)


def check_role(endpoint: Endpoint, principal: Principal) -> None:
    """Raise 403 unless the endpoint is for this role."""
    if principal.role in endpoint.roles:
        return
    code = (endpoint.role_code or {}).get(principal.role, "forbidden")
    raise Refusal(code, f"This is not for the role {principal.role.value}.", allowed=role_names(endpoint.roles))


def role_names(roles: frozenset[Role]) -> list[str]:
    """The roles by name, in the order of the register's levels."""
    return [role.value for role in Role if role in roles]
