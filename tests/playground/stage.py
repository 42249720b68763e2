"""The local Telegram as a test plays it: both sides, without a socket, with a clock that is moved by hand."""

from typing import Any

import httpx

from tgbot.playground import Playground


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_796_074_000.0

    def __call__(self) -> float:
        return self.now


class Stage:
    """A local Telegram with short ways to play both sides of it."""

    def __init__(self, playground: Playground, client: httpx.AsyncClient, clock: Clock) -> None:
        self.playground = playground
        self.client = client
        self.clock = clock

    @property
    def bot(self) -> int:
        return self.playground.world.bot.id

    async def call(self, method: str, **parameters: Any) -> Any:
        """The bot calls a method: the result, or an assertion with the refusal."""
        answer = await self.answer(method, **parameters)
        assert answer["ok"], answer
        return answer["result"]

    async def answer(self, method: str, **parameters: Any) -> Any:
        """The whole answer, whatever it is."""
        return (await self.client.post(f"/bot{self.playground.token}/{method}", json=parameters)).json()

    async def refusal(self, method: str, **parameters: Any) -> str:
        answer = await self.answer(method, **parameters)
        assert not answer["ok"], answer
        description: str = answer["description"]
        return description

    async def do(self, who: int, verb: str, /, **body: Any) -> Any:
        """A person does something: the result, or an assertion with the refusal."""
        response = await self.client.post(f"/people/{who}/{verb}", json=body)
        assert response.status_code == 200, response.text
        return response.json()

    async def refused(self, who: int, verb: str, /, **body: Any) -> int:
        response = await self.client.post(f"/people/{who}/{verb}", json=body)
        assert response.json()["error"]
        return response.status_code

    async def person(self, first_name: str, **more: Any) -> int:
        response = await self.client.post("/people", json={"first_name": first_name, **more})
        number: int = response.json()["id"]
        return number

    async def group(self, who: int, *members: int, **more: Any) -> int:
        chat: int = (await self.do(who, "groups", title="Game night", members=list(members), **more))["id"]
        return chat

    async def updates(self) -> list[Any]:
        """What the bot has not seen yet, confirmed."""
        found: list[Any] = await self.call("getUpdates")
        if found:
            await self.call("getUpdates", offset=found[-1]["update_id"] + 1, limit=1)
        return found

    async def events(self, after: int = 0) -> list[Any]:
        response = await self.client.get("/people/events", params={"after": after, "timeout": 0})
        found: list[Any] = response.json()["events"]
        return found
