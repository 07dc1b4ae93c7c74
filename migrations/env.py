"""Alembic's entry: runs the steps over asyncpg, as the owner of the schema."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import asyncpg
from alembic import context
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from shared.eventstore.schema import METADATA

if TYPE_CHECKING:
    from sqlalchemy import Connection


def _migrate(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=METADATA, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()


async def _run() -> None:
    dsn: str = context.config.attributes["dsn"]
    settings: dict[str, str] = context.config.attributes["settings"]
    engine = create_async_engine("postgresql+asyncpg://", poolclass=NullPool, async_creator=lambda: asyncpg.connect(dsn, server_settings=settings))
    async with engine.connect() as connection:
        await connection.run_sync(_migrate)
        await connection.commit()
    await engine.dispose()


# A thread of its own, because the caller may have a running event loop.
with ThreadPoolExecutor(1) as executor:
    executor.submit(lambda: asyncio.run(_run())).result()
