"""The bot's processes: started again whenever they end, and what stands in front of them."""

import asyncio
import itertools
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.journeys.process import midwife
from tgbot.playground.world import Json
from tgbot.serving import Server

_MOST = 40
"""Deliveries at once, as many as Telegram makes."""


@dataclass
class Life:
    """One process, from its start to its end."""

    process: int
    begun: float
    ended: float | None = None
    status: int | None = None
    killed: bool = False
    """Whether it was us."""


class Replica:
    """One bot process after the other; whoever watches over it starts the next one when one ends."""

    def __init__(self, number: int, settings: Mapping[str, str], log: Path) -> None:
        self.number = number
        self.log = log
        self.lives: list[Life] = []
        self._settings = settings
        self._closing = False
        self._alive = asyncio.Event()
        self._watch = asyncio.create_task(self._run())

    @property
    def life(self) -> Life | None:
        """The process that runs now, or ran last."""
        return self.lives[-1] if self.lives else None

    async def kill(self) -> None:
        """SIGKILL: no line of the bot runs after this one."""
        await self._send(signal.SIGKILL)

    async def terminate(self) -> tuple[int | None, float]:
        """SIGTERM, for good: the exit status, and the seconds that it took to leave."""
        self._closing = True
        begun = time.monotonic()
        await self._send(signal.SIGTERM)
        await self._watch
        return self.lives[-1].status, time.monotonic() - begun

    async def close(self) -> None:
        """Leave nothing behind."""
        self._closing = True
        if not self._watch.done():
            await self._send(signal.SIGKILL)
            await self._watch

    async def _send(self, sign: signal.Signals) -> None:
        await self._alive.wait()
        life = self.lives[-1]
        life.killed = sign is signal.SIGKILL
        try:
            os.kill(life.process, sign)
        except ProcessLookupError:
            life.killed = False  # it ended by itself at the same moment
        if sign is signal.SIGKILL:
            self._alive.clear()

    async def _run(self) -> None:
        with midwife() as helper:
            while not self._closing or not self.lives:
                process = await asyncio.to_thread(helper.start, self._settings, self.log)
                life = Life(process, time.time())
                self.lives.append(life)
                self._alive.set()
                life.status = await asyncio.to_thread(helper.status)
                life.ended = time.time()
                self._alive.clear()


class Door:
    """The proxy in front of replicas: a delivery goes to the next one that lets it in."""

    def __init__(self, ports: Sequence[int], seen: Callable[[Json, int], None]) -> None:
        self._places = itertools.cycle(enumerate(ports))
        self._number = len(ports)
        self._seen = seen
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=_MOST)
        self._client = httpx.AsyncClient(limits=limits, timeout=60, trust_env=False)
        self._server = Server(Starlette(routes=[Route("/telegram", self._take, methods=["POST"])]))
        self.trouble: deque[str] = deque()
        """What befalls the next deliveries: "refuse" (nobody gets it), "cut" (it arrives, its answer does not)."""

    async def start(self) -> str:
        """Serve; the address for Telegram."""
        return f"http://127.0.0.1:{await self._server.start('127.0.0.1', 0)}/telegram"

    async def stop(self) -> None:
        """Serve no more."""
        await self._server.stop()
        await self._client.aclose()

    async def _take(self, request: Request) -> Response:
        update = await request.json()
        trouble = self.trouble.popleft() if self.trouble else None
        if trouble == "refuse":
            return Response("bad gateway", 502)
        headers = {name: value for name, value in request.headers.items() if name.startswith(("x-", "content-type"))}
        for number, port in itertools.islice(self._places, self._number):
            self._seen(update, number)
            try:
                answer = await self._client.post(
                    f"http://127.0.0.1:{port}/telegram", content=await request.body(), headers=headers
                )
            except httpx.ConnectError:
                continue
            except httpx.HTTPError:
                break
            return Response("cut", 502) if trouble == "cut" else Response(answer.content, answer.status_code)
        return Response("bad gateway", 502)
