"""What the tests of the speaking parts share: a house over empty rows, with time that stands."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from persistence.database import Database
from persistence.pace import group_pace
from tests.databases import fresh_url
from tests.tgbot.house import FakeBot, House, StandingClock


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """An empty database; what differs between the two engines is tested where the rows are."""
    database = Database(await fresh_url("sqlite", tmp_path))
    yield database
    await database.close()


@pytest.fixture
def now() -> StandingClock:
    return StandingClock()


@pytest.fixture
def bot() -> FakeBot:
    return FakeBot()


@pytest.fixture
async def house(database: Database, now: StandingClock, bot: FakeBot) -> AsyncIterator[House]:
    """A group may be written to as often as one likes."""
    house = House(database, now, bot)
    yield house
    await _close(house)


@pytest.fixture
async def thrifty_house(database: Database, now: StandingClock, bot: FakeBot) -> AsyncIterator[House]:
    """Four calls at once, then one in 3.75 seconds, as Telegram wants it."""
    house = House(database, now, bot, group_pace(20))
    yield house
    await _close(house)


async def _close(house: House) -> None:
    await house.keeper.close()
    for task in [*house.voice._tasks]:
        task.cancel()
    await house.voice.finish()
