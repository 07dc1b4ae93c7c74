"""What every bar may ask for: a PostgreSQL server of the bars' own, and an empty world in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.bars.harness import cluster as clusters
from tests.bars.harness.world import World


@pytest.fixture(scope="session")
def bars_cluster() -> Iterator[clusters.Cluster]:
    """The server; a bar that kills it starts it again."""
    with clusters.cluster() as made:
        yield made


@pytest.fixture
async def world(bars_cluster: clusters.Cluster, tmp_path: Path) -> AsyncIterator[World]:
    """An empty database with staff and tokens."""
    name = bars_cluster.create()
    made = World(cluster=bars_cluster, database=name, folder=tmp_path)
    try:
        await made.populate()
        yield made
    finally:
        bars_cluster.drop(name)
