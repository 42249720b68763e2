"""What the journeys share: an evening of one's own, on SQLite, or on both databases where a test says so."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.databases import drop_databases, fresh_url

pytest.register_assert_rewrite("tests.journeys.evening")

from tests.journeys.evening import Evening  # noqa: E402 - its assertions are rewritten first
from tests.journeys.evening import evening as begin_evening  # noqa: E402


@pytest.fixture(scope="session")
def _databases() -> Iterator[None]:
    yield
    drop_databases()


@pytest.fixture
def kind() -> str:
    """The database; ``@pytest.mark.parametrize("kind", KINDS)`` plays a journey on both."""
    return "sqlite"


@pytest.fixture
async def begin(
    kind: str, _databases: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Callable[..., Awaitable[Evening]]]:
    """Begin an evening with limits or a speed of one's own; whatever happens in it, it has to end well."""
    async with AsyncExitStack() as stack:

        async def opened(**more: Any) -> Evening:
            url = await fresh_url(kind, tmp_path)
            return await stack.enter_async_context(begin_evening(url, monkeypatch, **more))

        yield opened


@pytest.fixture
async def evening(begin: Callable[..., Awaitable[Evening]]) -> Evening:
    """An evening without limits on how fast it is played."""
    return await begin()
