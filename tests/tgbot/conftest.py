"""What the tests of the speaking parts share: a house over empty rows, with time that stands."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from persistence.boards import INTERVAL
from persistence.engine import create_engine
from tests.databases import fresh_url
from tests.tgbot.house import FakeBot, House, StandingClock


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """An empty database; what differs between the two engines is tested where the rows are."""
    engine = create_engine(await fresh_url("sqlite", tmp_path))
    yield engine
    await engine.dispose()


@pytest.fixture
def now() -> StandingClock:
    return StandingClock()


@pytest.fixture
def bot() -> FakeBot:
    return FakeBot()


@pytest.fixture
async def house(engine: AsyncEngine, now: StandingClock, bot: FakeBot) -> AsyncIterator[House]:
    """A group may be written to as often as one likes."""
    house = House(engine, now, bot, timedelta())
    yield house
    await _close(house)


@pytest.fixture
async def thrifty_house(engine: AsyncEngine, now: StandingClock, bot: FakeBot) -> AsyncIterator[House]:
    """Four calls at once, then one in 3.75 seconds, as Telegram wants it."""
    house = House(engine, now, bot, INTERVAL)
    yield house
    await _close(house)


async def _close(house: House) -> None:
    await house.keeper.close()
    for task in [*house.voice._tasks]:
        task.cancel()
    await house.voice.finish()
