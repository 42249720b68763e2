"""One soak on one database, from the first group to the last check."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path

from persistence.boards import Boards
from persistence.database import Database
from persistence.engine import utc_now
from persistence.tables import Tables
from tests.databases import fresh_url
from tests.journeys.process import environment
from tests.ports import free_port
from tests.soak import checks, flood
from tests.soak.bots import Door, Life, Replica
from tests.soak.checks import Games, Verdict
from tests.soak.groups import Group, found_groups, open_tables
from tests.soak.people import Guest
from tests.soak.trouble import Trouble
from tests.soak.witness import Witness
from tgbot.playground import Playground, talk
from tgbot.playground.world import Json

_SECRET = "the-secret-of-a-soak"
_SETTLING = 90.0
"""Seconds after which what has not come to rest never will."""
_REPLICAS = {"sqlite": 1, "postgresql": 2}


class Soak:
    """Everything that takes part."""

    def __init__(self, kind: str, folder: Path, seed: int, number: int) -> None:
        self._kind = kind
        self._folder = folder
        self._seed = seed
        self._number = number
        self._telegram = Playground(flood=False)
        self._witness = Witness(self._telegram)
        self._replicas: list[Replica] = []
        self._door: Door | None = None
        self._groups: list[Group] = []
        self._deleted: Collection[tuple[int, int]] = ()
        self.games = Games(0, 0, 0, 0)
        self.trouble: Mapping[str, int] = {}
        self.slowdown: flood.Slowdown | str = "not measured"

    @property
    def people(self) -> Mapping[str, int]:
        """What people did."""
        return self._witness.counts

    @property
    def calls(self) -> Mapping[str, int]:
        """The bot's calls, by method and by status (0: cut)."""
        by_status = {f"status {status}": n for status, n in self._witness.answers.items()}
        return {**self._witness.calls, **by_status}

    @property
    def processes(self) -> Mapping[str, int]:
        """How the bot's processes ended."""
        lives = [life for replica in self._replicas for life in replica.lives]
        ends = Counter(f"ended with {life.status}" for life in lives)
        return {"started": len(lives), "restarted": len(lives) - len(self._replicas), **ends}

    async def run(self, seconds: float, flooded: bool = True) -> list[Verdict]:
        """Play, make trouble, let everything come to rest, check. ``flooded``: also measure what a flood costs."""
        url = await fresh_url(self._kind, self._folder)
        await self._telegram.start()
        self._overhear()
        watching = asyncio.create_task(self._witness.watch())
        try:
            await self._start_bots(url)
            await self._play(url, seconds)
            return await self._finish(url, flooded)
        finally:
            watching.cancel()
            for replica in self._replicas:
                await replica.close()
            if self._door:
                await self._door.stop()
            await self._telegram.stop()

    # -- the bots ----------------------------------------------------------------------------------

    async def _start_bots(self, url: str) -> None:
        number = _REPLICAS[self._kind]
        settings = environment(self._telegram, url, self._folder) | {"GRACE_SECONDS": "0"}
        doors: list[dict[str, str]] = [{}]
        if number > 1:
            ports = [free_port() for _ in range(number)]
            self._door = Door(ports, self._delivered)
            address = await self._door.start()
            doors = [{"WEBHOOK_URL": address, "WEBHOOK_SECRET": _SECRET, "LISTEN_PORT": str(port)} for port in ports]
        for n in range(number):
            self._replicas.append(Replica(n, settings | doors[n], self._folder / f"bot{n}.log"))
        await self._until(self._is_served, "the bot has never called")

    async def _is_served(self) -> bool:
        self._witness.look()
        return bool(self._witness.calls["getUpdates"] or self._telegram.webhook.active)

    def _overhear(self) -> None:
        """Polling: what is fetched goes to the process that runs now."""
        updates = self._telegram.network.updates
        poll = updates.poll

        async def overheard(offset: int, limit: int, timeout: float) -> list[Json]:  # noqa: ASYNC109 - as its original
            found = await poll(offset, limit, timeout)
            self._witness.delivered(found, self._life(0))
            return found

        updates.poll = overheard  # type: ignore[method-assign]

    def _delivered(self, update: Json, number: int) -> None:
        self._witness.delivered([update], self._life(number))

    def _life(self, number: int) -> Life | None:
        return self._replicas[number].life if self._replicas else None

    # -- the evening -------------------------------------------------------------------------------

    async def _play(self, url: str, seconds: float) -> None:
        self._groups = found_groups(self._telegram, self._number, self._seed)
        database = Database(url)
        await open_tables(database, self._groups, self._seed)
        await database.close()
        guests = [
            Guest(group, topic, member, self._seed, self._witness)
            for group in self._groups
            for topic in group.topics
            for member in (group.founder, *group.others)
        ]
        trouble = Trouble(self._telegram, self._groups, self._replicas, self._door, self._seed)
        living = [asyncio.create_task(guest.live()) for guest in guests]
        try:
            await trouble.run(seconds)
        finally:
            self.trouble, self._deleted = trouble.counts, trouble.deleted
            for life in living:
                life.cancel()
            ends = await asyncio.gather(*living, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception):
                raise end

    async def _finish(self, url: str, flooded: bool) -> list[Verdict]:
        """The bots start once more, in peace; then everything has to come to rest."""
        verdicts = []
        for replica in self._replicas:
            await replica.kill()
        for group in self._groups:
            for topic in group.topics:  # a table that is frozen by mistake thaws with the first word that is said
                talk.write(self._telegram.network, group.founder.id, group.chat, "/table", topic=topic or None)
        database = Database(url)
        try:
            verdicts.append(await self._come_to_rest(Boards(database), Tables(database)))
            if flooded:
                self.slowdown = await flood.measure(self._telegram)
                verdicts.append(await self._come_to_rest(Boards(database), Tables(database)))
            settled_at = utc_now()
            lives = [life for replica in self._replicas for life in replica.lives[:-1]]
            logs = [replica.log for replica in self._replicas]
            leaving = [await replica.terminate() for replica in self._replicas]
            verdicts += [
                *await checks.check_books(database),
                await checks.check_waiting(database, settled_at),
                await checks.check_boards(database, self._telegram, self._deleted),
                *checks.check_logs(logs, self._secrets),
                checks.check_taps(self._witness.unanswered()),
                Verdict("every call is one that Telegram knows", list(map(str, self._telegram.mistakes))),
                checks.check_ends(lives, logs),
                Verdict("SIGTERM: left cleanly", [f"status {status}" for status, _ in leaving if status != 0]),
            ]
            self.games = await checks.games(database)
            self._witness.counts["taps cut short by a kill"] = self._witness.cut_short
        finally:
            await database.close()
        return verdicts

    @property
    def _secrets(self) -> Sequence[str]:
        return (self._telegram.token, self._telegram.token.partition(":")[2], _SECRET)

    async def _come_to_rest(self, boards: Boards, tables: Tables) -> Verdict:
        """Nothing is under way to the bot, no deadline has passed, every board is up to its row: twice in a row."""
        rest = 0

        async def is_at_rest() -> bool:
            nonlocal rest
            updates = self._telegram.network.updates
            busy = updates.pending() or updates.held or await boards.behind() or await tables.overdue()
            rest = 0 if busy else rest + 1
            return rest > 1

        name = "everything comes to rest"
        try:
            await self._until(is_at_rest, name, pause=0.5)
        except TimeoutError:
            waiting = [update.content for update in self._telegram.network.updates.pending()]
            behind, overdue = await boards.behind(), await tables.overdue()
            return Verdict(name, [f"boards behind: {behind}; overdue: {overdue}; undelivered: {waiting}"])
        return Verdict(name, [])

    @staticmethod
    async def _until(so: Callable[[], Awaitable[bool]], what: str, pause: float = 0.01) -> None:
        try:
            async with asyncio.timeout(_SETTLING):
                while not await so():
                    await asyncio.sleep(pause)
        except TimeoutError:
            raise TimeoutError(what) from None
