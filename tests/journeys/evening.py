"""An evening: a local Telegram, the bot as it really runs, and people who tap and write, all over HTTP on loopback.

The bot's time is the evening's own: ``evening.passes(61)`` lets a minute go by at once, for the bot, for its pauses and
for Telegram alike. After everything that people do the evening is *settled*: the bot has seen it, answered it and
brought the boards up to their rows.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, NamedTuple

import httpx
import pytest
from pydantic import SecretStr
from sqlmodel import Session, SQLModel, col, select

from domain.commands import SetUp
from domain.rules import Rules
from domain.settings import Settings as Agreement
from domain.table import Phase, Table
from persistence.audit import audit
from persistence.database import Database
from persistence.mapping import Place
from persistence.rows import ChatRow, TableRow
from persistence.views import View
from tests.journeys.luck import seed_where
from tests.judges import judge
from tests.ports import free_port
from tgbot.application import House, build, running
from tgbot.board import draw
from tgbot.buttons import Word, read_tap
from tgbot.playground import Playground, keyboards, markup
from tgbot.playground.world import Json, Message
from tgbot.request import certificates
from tgbot.settings import Settings
from tgbot.sheet import Scene
from tgbot.words import words

PATIENCE = 10.0
"""Real seconds after which something that should have happened has not."""
_TOAST = 200
_FORGOTTEN = 300
"""Looks at a bot that does nothing, after which nobody can have woken it."""


class Clock:
    """The evening's time: it runs ``speed`` times as fast as ours, and can be moved on at once."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self._begin = datetime(2026, 11, 30, 20, 15, 3, 141592, tzinfo=UTC)
        self._time = asyncio.get_running_loop().time  # transactions ask for it, too, in threads without a loop
        self._started = self._time()
        self._moved = asyncio.Event()

    def __call__(self) -> datetime:
        return self._begin + timedelta(seconds=(self._time() - self._started) * self.speed)

    def seconds(self) -> float:
        """The same time as Telegram counts it."""
        return self().timestamp()

    def runs(self, speed: float) -> None:
        """From now on it runs faster or slower."""
        self._begin, self._started, self.speed = self(), self._time(), speed
        self.move(0)

    def move(self, seconds: float) -> None:
        """Let time go by; whoever sleeps looks at the clock again."""
        self._begin += timedelta(seconds=seconds)
        self._moved.set()
        self._moved = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """What ``asyncio.sleep`` is for the bot during an evening."""
        due = self() + timedelta(seconds=seconds)
        await asyncio.sleep(0)
        while (left := (due - self()).total_seconds()) > 0:
            moved = self._moved
            with suppress(TimeoutError):
                async with asyncio.timeout(left / self.speed):
                    await moved.wait()


class _Asyncio:
    """asyncio, with another sleep."""

    def __init__(self, sleep: Callable[[float], Awaitable[None]]) -> None:
        self.sleep = sleep

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)


class Logbook(logging.Handler):
    """Everything that is logged during an evening."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name != "uvicorn.error":  # the local Telegram complains of connections that it was told to cut
            self.records.append(record)

    def __call__(self, level: int) -> list[str]:
        """What was logged at this level or above, with its traceback."""
        formatter = logging.Formatter("%(levelname)s %(name)s: %(message)s")
        return [formatter.format(record) for record in self.records if record.levelno >= level]


class Button(NamedTuple):
    """A button as somebody sees it."""

    text: str
    data: str
    url: str
    message: int


class Shown(NamedTuple):
    """A message of the bot as somebody sees it."""

    id: int
    text: str
    rows: Sequence[Sequence[Button]]
    thread: int | None = None
    quotes: int | None = None
    mentions: Sequence[int] = ()

    @property
    def buttons(self) -> Sequence[Button]:
        """All buttons, in reading order."""
        return [button for row in self.rows for button in row]

    @property
    def captions(self) -> Sequence[str]:
        """What stands on the buttons."""
        return [button.text for button in self.buttons]

    def button(self, text: str) -> Button:
        """The button with this caption."""
        found = [button for button in self.buttons if button.text == text]
        assert found, f"no button {text!r} among {self.captions} of\n{self.text}"
        return found[0]


class Room:
    """A group, or one topic of it, as those who sit there see it."""

    def __init__(self, evening: "Evening", chat: int, topic: int = 0) -> None:
        self.evening = evening
        self.chat = chat
        self.topic = topic

    @property
    def place(self) -> Place:
        """Where the bot finds its table."""
        return Place(self.chat, self.topic)

    @property
    def view(self) -> View:
        """The newest table of this place, as the database had it when the evening was last settled."""
        found = self.evening.views.get(self.place)
        assert found is not None, f"no table was ever opened at {self.place}"
        return found

    @property
    def table(self) -> Table:
        """The newest table itself."""
        return self.view.table

    @property
    def board(self) -> Shown:
        """The message that shows the table."""
        view = self.view
        message = self.evening.telegram.world.chats[self.chat].messages.get(view.board or 0)
        assert message is not None, f"table {view.number} has no board"
        return _shown(message)

    @property
    def messages(self) -> Sequence[Shown]:
        """Everything that the bot has written here and not deleted, the oldest first."""
        world = self.evening.telegram.world
        chat = world.chats[self.chat]
        sent = [m for m in chat.messages.values() if m.sender == world.bot.id and not m.service]
        return [_shown(m) for m in sent if not self.topic or m.thread == self.topic]

    @property
    def said(self) -> Shown:
        """The newest message of the bot that is no board."""
        boards = {view.board for view in self.evening.views.values() if view.place.chat == self.chat}
        others = [message for message in self.messages if message.id not in boards]
        assert others, "the bot has said nothing"
        return others[-1]

    @property
    def actor(self) -> "Person":
        """Who is asked."""
        assert self.table.actor is not None, f"nobody is asked in {self.table.phase}"
        return self.evening.people[self.table.actor]

    def chips(self, person: "Person") -> int:
        """What somebody has in front of him."""
        seat = self.table.seat(person.id)
        assert seat is not None, f"{person.name} does not sit here"
        return seat.chips

    async def seats(self, *people: "Person", **agreement: Any) -> None:
        """A table is opened by the first, and the others join by its button."""
        host, *others = people
        await host.writes("/newgame", room=self)
        if agreement:
            await self.agrees(**agreement)
        for person in others:
            await person.taps_word("join", room=self)

    async def starts(self, *people: "Person", **agreement: Any) -> None:
        """The same, and the host starts; somebody is asked to cut."""
        await self.seats(*people, **agreement)
        await people[0].taps_word("start", room=self)
        assert self.table.phase is not Phase.LOBBY

    async def deals(self, *people: "Person", **agreement: Any) -> None:
        """The same, and the deck is cut: somebody has a hand before him, or the game is over already."""
        await self.starts(*people, **agreement)
        await self.cuts()

    async def cuts(self) -> None:
        """Whoever is asked to cut does, as long as somebody is."""
        while self.table.phase is Phase.CUT:
            await self.actor.taps(self.board.buttons[2].text, room=self)

    async def bets(self, amount: int | None = None) -> "Person":
        """Whoever has the turn bets this, or the least, by a button; he is returned."""
        assert self.table.phase is Phase.DECIDE, self.table.phase
        player = self.actor
        bets = [button for button in self.board.buttons if button.data.startswith("bet:")]
        wanted = next((b for b in bets if amount is None or b.data.endswith(f":{amount}")), None)
        assert wanted is not None, f"no button bets {amount}: {self.board.captions}"
        await player.presses(wanted.data, wanted.message, room=self)
        return player

    async def plays(self, until: Callable[[Table], bool], choose: Callable[[Shown], Button] | None = None) -> None:
        """Everybody answers by buttons (the first, or the one that ``choose`` picks) until something is so."""
        for _ in range(2_000):
            if until(self.table):
                return
            assert self.table.actor is not None, f"nobody is asked in {self.table.phase}"
            button = choose(self.board) if choose else self.board.buttons[0]
            await self.actor.presses(button.data, button.message, room=self)
        raise AssertionError(f"it has not become so:\n{self.board.text}")

    async def agrees(self, rules: Rules | None = None, **agreement: Any) -> None:
        """The host chooses rules and settings in the lobby, any value at once."""
        async with self.evening.house.tables.at(self.place) as sitting:
            assert sitting.table is not None
            settings = Agreement(**agreement)
            sitting.play(SetUp(sitting.table.host, rules or sitting.table.rules, settings))
        self.evening.house.keeper.wake(self.chat)
        await self.evening.settled()


class Person:
    """Somebody with Telegram on his phone."""

    def __init__(self, evening: "Evening", user: Json) -> None:
        self.evening = evening
        self.id: int = user["id"]
        self.name: str = user["first_name"]
        self.toast = ""
        """What the last tap was answered."""

    def __repr__(self) -> str:
        return self.name

    async def does(self, verb: str, settle: bool = True, **body: Any) -> Any:
        """Anything that people can do (see `tgbot.playground.people`)."""
        response = await self.evening.client.post(f"/people/{self.id}/{verb}", json=body)
        assert response.status_code == 200, f"{self} cannot {verb} {body}: {response.text}"
        if settle:
            await self.evening.settled()
        return response.json()

    async def writes(
        self, text: str, room: Room | None = None, settle: bool = True, reply_to: int | None = None
    ) -> int:
        """Write into the group; the number of the message."""
        room = room or self.evening.room
        body: Json = {"chat": room.chat, "text": text, "reply_to": reply_to}
        message = await self.does("write", settle, **body, topic=room.topic or None)
        number: int = message["message_id"]
        return number

    async def replies(self, to: Shown, text: str, room: Room | None = None, settle: bool = True) -> int:
        """Reply to a message of the bot."""
        return await self.writes(text, room, settle, reply_to=to.id)

    async def taps(self, caption: str, room: Room | None = None, settle: bool = True) -> str:
        """Tap the button with this caption, on the board or else on the newest message that has it; the toast."""
        room = room or self.evening.room
        messages = [*reversed(room.messages)]
        if room.place in self.evening.views and room.view.board:
            messages.insert(0, room.board)
        found = [button for message in messages for button in message.buttons if button.text == caption]
        assert found, f"nowhere is a button {caption!r}; on the newest message: {messages[:1]}"
        return await self.presses(found[0].data, found[0].message, room, settle)

    async def taps_word(self, word: str, room: Room | None = None) -> str:
        """Tap the board's button with this meaning, whatever language it is in."""
        room = room or self.evening.room
        found = [button for button in room.board.buttons if button.data.startswith(f"{word}:")]
        assert found, f"no button means {word!r}: {room.board.captions}"
        return await self.presses(found[0].data, found[0].message, room)

    async def presses(self, data: str, message: int, room: Room | None = None, settle: bool = True) -> str:
        """Tap a button by its data, which no board needs to have; the toast."""
        room = room or self.evening.room
        body: Json = {"chat": room.chat, "message": message, "data": data, "wait": PATIENCE}
        answer = (await self.does("tap", settle, **body))["answer"]
        assert answer is not None, f"{data!r} of {self} was never answered"
        self.toast = answer["text"]
        return self.toast

    async def private(self, text: str) -> Shown:
        """Write to the bot in private; its newest message there."""
        await self.does("write", chat=self.id, text=text)
        return Room(self.evening, self.id).said


class Evening:
    """The local Telegram, the bot, the people, and the first group they have founded (``room``)."""

    def __init__(
        self, telegram: Playground, client: httpx.AsyncClient, clock: Clock, settings: Settings, log: Logbook
    ) -> None:
        self.telegram = telegram
        self.client = client
        self.clock = clock
        self.settings = settings
        self.log = log
        self.people: dict[int, Person] = {}
        self.views: Mapping[Place, View] = {}
        self._looks: Mapping[Place, object] = {}
        self.seed = "5eed" * 16
        """The luck of every game that is started."""
        self._rooms: list[Room] = []
        self._bot = AsyncExitStack()
        self._house: House | None = None

    # -- the bot -----------------------------------------------------------------------------------

    @property
    def house(self) -> House:
        """The parts of the bot that runs."""
        assert self._house is not None, "the bot does not run"
        return self._house

    async def opens(self) -> None:
        """The bot starts (again)."""
        self._house = build(self.settings, now=self.clock)
        await self._bot.enter_async_context(running(self._house, self.settings))
        await self.settled()

    async def closes(self) -> None:
        """The bot stops."""
        await self._bot.aclose()
        self._house = None

    async def settled(self) -> None:
        """Wait until the bot has seen what happened, said what it has to say, and every board is up to its row."""
        if self._house is None:
            return
        idle = 0
        try:
            async with asyncio.timeout(PATIENCE):
                while not await self._is_settled(self._house):
                    await asyncio.sleep(0.001)
                    idle = 0 if self._is_busy(self._house) else idle + 1
                    assert idle < _FORGOTTEN, "a board is behind, and only the keeper's next round would see it"
        except TimeoutError:
            behind = await self._house.boards.behind()
            pending = [update.content for update in self.telegram.network.updates.pending()]
            raise AssertionError(f"never settled; behind: {behind}; unseen: {pending}; log: {self.log(30)}") from None

    async def _is_settled(self, house: House) -> bool:
        if self.telegram.network.updates.pending():
            return False
        await house.fetching.finished()
        await house.lines.finish()
        await house.voice.finish()
        await house.keeper.finish()
        return not self._is_busy(house) and await self.look()

    def _is_busy(self, house: House) -> bool:
        return bool(self.telegram.network.updates.pending() or house.keeper._workers or house.voice._tasks)

    async def look(self) -> bool:
        """Read the newest table of every place, if it has changed; whether all boards are up to their rows."""
        house = self.house
        statement = select(TableRow, ChatRow).join(ChatRow).order_by(col(TableRow.id))
        found = await house.database.read(lambda session: session.exec(statement).all())
        places = {Place(chat.telegram_id, row.topic): (row, chat.language) for row, chat in found}
        views, looks = {}, {}
        for place, (row, language) in places.items():
            looks[place] = (row.id, row.move, row.shown, row.board, row.due_at, row.reminder, row.page, language)
            if self._looks.get(place) == looks[place]:
                views[place] = self.views[place]
            else:
                views[place] = await house.boards.view(row.id or 0)
        self.views, self._looks = views, looks
        return not any(row.shown < row.move for row, chat in found if chat.active)

    async def until(self, condition: Callable[[], Any], what: str) -> None:
        """Wait for something that will become so, looking often."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not condition():
                    await asyncio.sleep(0.002)
        except TimeoutError:
            raise AssertionError(f"it has not happened: {what}; log: {self.log(logging.WARNING)}") from None

    async def passes(self, seconds: float) -> None:
        """Time goes by at once; the clock sweeps, and whatever follows has happened."""
        self.clock.move(seconds)
        for _ in range(500):
            await self.house.clock.sweep()
            await self.settled()
            if not await self.house.tables.overdue():
                return
            await asyncio.sleep(0.01)  # somebody had the row when the clock came by, and it comes again

    async def rows(self) -> Mapping[str, Sequence[Json]]:
        """Every row of the database, for a look at what has changed. The budget of calls is no state of a game."""

        def look(session: Session) -> Mapping[str, Sequence[Json]]:
            found = {}
            for kind in SQLModel.metadata.sorted_tables:
                result = session.connection().execute(kind.select().order_by(*kind.primary_key.columns))
                kept = [dict(row) for row in result.mappings()]
                found[kind.name] = [{k: v for k, v in row.items() if k != "free_at"} for row in kept]
            return found

        return await self.house.database.read(look)

    # -- the people --------------------------------------------------------------------------------

    async def person(self, name: str, language: str = "en", **more: Any) -> Person:
        """Somebody new."""
        body = {"first_name": name, "language_code": language, **more}
        response = await self.client.post("/people", json=body)
        assert response.status_code == 200, response.text
        person = Person(self, response.json())
        self.people[person.id] = person
        return person

    async def friends(self, *names: str, language: str = "en", **group: Any) -> list[Person]:
        """Several people, and a group of theirs that the first one founds and adds the bot to."""
        people = [await self.person(name, language) for name in names]
        await self.group(*people, **group)
        return people

    async def hand(self, *names: str, language: str = "en", **agreement: Any) -> list[Person]:
        """Friends at a table, with four chips in the pot if they are four; one of them has the turn, the first of the
        round, and nobody has played a hand yet."""
        people = await self.friends(*(names or ("Ada", "Bo", "Cem", "Ola")), language=language, type="supergroup")
        self.seed = seed_where(
            lambda table: len(table.queue) == len(people) - 1 and not table.played, len(people), **agreement
        )
        await self.room.deals(*people, **agreement)
        assert self.table.phase is Phase.DECIDE
        return people

    async def group(self, *members: Person, title: str = "Friday night", **more: Any) -> Room:
        """A group with the bot in it, founded by the first member."""
        founder, *others = members
        chat = await founder.does("groups", title=title, members=[other.id for other in others], **more)
        self._rooms.append(Room(self, chat["id"]))
        return self._rooms[-1]

    @property
    def room(self) -> Room:
        """The first group."""
        assert self._rooms, "nobody has founded a group"
        return self._rooms[0]

    @property
    def board(self) -> Shown:
        """The board in the first group."""
        return self.room.board

    @property
    def table(self) -> Table:
        """The table in the first group."""
        return self.room.table

    @property
    def said(self) -> Shown:
        """The newest message of the bot in the first group that is no board."""
        return self.room.said

    # -- Telegram ----------------------------------------------------------------------------------

    def calls(self, method: str = "", since: int = 0, chat: int | None = None) -> Sequence[Json]:
        """The bot's calls after number ``since``, without its polling."""
        return [
            entry
            for entry in self.telegram.exchanges
            if entry["n"] > since
            and entry["method"] in ((method,) if method else _SPEECH)
            and chat in (None, entry["request"].get("chat_id"))
        ]

    @property
    def now(self) -> int:
        """The number of the bot's latest call."""
        return self.telegram.exchanges[-1]["n"] if self.telegram.exchanges else 0

    async def trouble(self, kind: str, **more: Any) -> None:
        """Telegram or the network misbehaves (see `tgbot.playground.faults`)."""
        response = await self.client.post("/faults", json={"kind": kind, **more})
        assert response.status_code == 200, response.text

    async def delivers(self, kind: str, content: Json) -> None:
        """Telegram delivers an update of any kind, also one that the bot has not asked for."""
        updates = self.telegram.network.updates
        updates.allowed = [*updates.allowed, kind]
        updates.add(kind, content, "lane")
        await self.settled()

    def taps_so_far(self) -> list[Json]:
        """Every tap that was delivered, once each."""
        batches = [entry["response"] for entry in self.telegram.exchanges if entry["method"] == "getUpdates"]
        delivered = [update for batch in batches if batch and batch["ok"] for update in batch["result"]]
        found = {update["update_id"]: update["callback_query"] for update in delivered if "callback_query" in update}
        return [*found.values()]

    async def twice(self, times: int = 1_000_000) -> None:
        """The next updates are delivered twice."""
        await self.client.post("/faults/duplicate", json={"times": times})

    # -- the end -----------------------------------------------------------------------------------

    async def ends_well(self) -> None:
        """What has to be so after every evening, whatever happened in it."""
        if self._house is not None:
            await self.settled()
            await self.check_boards()
            await self.closes()
        database = Database(self.settings.database_url)
        report = await audit(database)
        await database.close()
        assert not report.faults, "\n".join(map(str, report.faults))
        assert self.telegram.mistakes == []
        judge(self.telegram.exchanges)
        toasts = [entry["request"].get("text") or "" for entry in self.calls("answerCallbackQuery")]
        assert [toast for toast in toasts if len(toast) > _TOAST] == []
        assert self.log(logging.ERROR) == []

    async def check_boards(self) -> None:
        """The newest board of every place is its row, drawn again."""
        writable = select(ChatRow.telegram_id).where(ChatRow.active)
        active = set(await self.house.database.read(lambda session: session.exec(writable).all()))
        for place, view in self.views.items():
            if place.chat not in active:
                continue
            messages = self.telegram.world.chats[place.chat].messages
            message = messages.get(view.board or 0)
            assert message is not None, f"the board of {place} is gone"
            board = draw(
                view.table,
                Scene(view.number, view.names, view.due_at, self.clock(), page=view.page),
                words(view.language),
            )
            text = markup.parse(board.text, self.telegram.world.user)
            drawn = keyboards.parse(board.keyboard.to_dict() if board.keyboard else None, _no_reports)
            assert _timeless(message.text) == _timeless(text.text)
            assert _deadline(message.entities) == _deadline(text.entities)
            assert message.markup == drawn


_SPEECH = ("sendMessage", "editMessageText", "editMessageReplyMarkup", "deleteMessage", "answerCallbackQuery")


def _no_reports(what: str) -> None:
    raise AssertionError(what)


def _timeless(text: str) -> str:
    """A board's text without the seconds that were left when it was drawn."""
    return "\n".join("⏳" if line.startswith("⏳") else line for line in text.split("\n"))


def _deadline(entities: Sequence[Json]) -> Sequence[int]:
    return [entity["unix_time"] for entity in entities if entity["type"] == "date_time"]


def _shown(message: Message) -> Shown:
    rows = (message.markup or {}).get("inline_keyboard", [])
    mentions = [entity["user"]["id"] for entity in message.entities if entity["type"] == "text_mention"]
    return Shown(
        message.id,
        message.text.replace("\u2068", "").replace("\u2069", "").replace("\u00a0", " "),
        [[Button(b["text"], b.get("callback_data", ""), b.get("url", ""), message.id) for b in row] for row in rows],
        message.thread,
        message.reply_to,
        mentions,
    )


def _door() -> dict[str, Any]:
    port = free_port()
    address = f"http://127.0.0.1:{port}/telegram"
    return {"webhook_url": address, "webhook_secret": SecretStr("sesame"), "listen_port": port}


@asynccontextmanager
async def evening(
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    speed: float = 1.0,
    flood: bool = False,
    calls_a_minute: int = 60_000,
    tap_life: float = 10_000.0,
    webhook: bool = False,
) -> AsyncIterator[Evening]:
    """An evening on this database. ``speed``: how many of its seconds go by in one of ours; ``webhook``: Telegram
    delivers the updates, and nobody polls."""
    clock, log = Clock(speed), Logbook()
    for module in ("boardkeeper", "voice", "clock", "budget"):
        monkeypatch.setattr(f"tgbot.{module}.asyncio", _Asyncio(clock.sleep))
    telegram = Playground(flood=flood, clock=clock.seconds, tap_life=tap_life)
    settings = Settings(
        telegram_bot_token=SecretStr(telegram.token),
        database_url=url,
        telegram_api_url=await telegram.start(),
        group_calls_a_minute=calls_a_minute,
        calls_a_second=30 if flood else 100_000,
        **(_door() if webhook else {}),
    )
    root = logging.getLogger()
    root.addHandler(log)
    try:
        async with httpx.AsyncClient(base_url=telegram.url, verify=certificates(), timeout=2 * PATIENCE) as client:
            begun = Evening(telegram, client, clock, settings, log)
            monkeypatch.setattr("tgbot.commands.secrets", SimpleNamespace(token_hex=lambda _: begun.seed))
            await begun.opens()
            try:
                yield begun
                await begun.ends_well()
            finally:
                await begun.closes()
    finally:
        await telegram.stop()
        root.removeHandler(log)


async def press(person: Person, evening: Evening, word: Word, amount: int | None = None) -> str:
    """Tap the board's button with this meaning."""
    found = [b for b in evening.board.buttons if (tap := read_tap(b.data)) and (tap.word, tap.amount) == (word, amount)]
    assert found, f"no button {word} {amount} among {evening.board.captions} of\n{evening.board.text}"
    return await person.presses(found[0].data, found[0].message)
