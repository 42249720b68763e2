"""The local Telegram without a socket: requests go straight into the application."""

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.playground.stage import Clock, Stage
from tgbot.playground import Playground


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def stage(clock: Clock) -> AsyncIterator[Stage]:
    """Flood limits off; `stage.playground.flood.on = True` switches them on."""
    playground = Playground(flood=False, clock=clock)
    transport = httpx.ASGITransport(app=playground.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://playground") as client:
        yield Stage(playground, client, clock)
