"""A bot of python-telegram-bot played over HTTP, by polling and by webhook; the judges look at everything."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from telegram import ForceReply, InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions, Update
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, NetworkError, RetryAfter
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, ContextTypes

from tests.judges import judge
from tgbot.playground import Playground

Context = ContextTypes.DEFAULT_TYPE
Bot = Application[Any, Any, Any, Any, Any, Any]


def keyboard(count: int) -> InlineKeyboardMarkup:
    more = InlineKeyboardButton(f"More ({count})", callback_data=f"more:{count + 1}", style="success")
    return InlineKeyboardMarkup([[more]])


async def on_board(update: Update, context: Context) -> None:
    assert update.effective_chat is not None
    assert update.effective_message is not None
    await context.bot.send_message(
        update.effective_chat.id,
        'Board of <b>0</b>, <tg-time unix="1796074447" format="r">soon</tg-time>',
        parse_mode="HTML",
        reply_markup=keyboard(0),
        reply_to_message_id=update.effective_message.message_id,
        link_preview_options=LinkPreviewOptions(is_disabled=True),
    )


async def on_tap(update: Update, _: Context) -> None:
    query = update.callback_query
    assert query is not None
    assert query.data is not None
    count = int(query.data.partition(":")[2])
    await query.answer(f"{count} now")
    await query.edit_message_text(f"Board of {count}", reply_markup=keyboard(count))


def application(playground: Playground) -> Bot:
    """An echo of a bot: /board brings a board, a tap on it counts one more."""
    built = (
        Application.builder()
        .token(playground.token)
        .base_url(f"{playground.url}/bot")
        .base_file_url(f"{playground.url}/file/bot")
        .build()
    )
    built.add_handler(CommandHandler("board", on_board))
    built.add_handler(CallbackQueryHandler(on_tap))
    return built


@asynccontextmanager
async def running(bot: Bot) -> AsyncIterator[Bot]:
    """The bot started, without a way yet for updates to come."""
    async with bot:
        await bot.start()
        try:
            yield bot
        finally:
            if bot.updater is not None and bot.updater.running:
                await bot.updater.stop()
            await bot.stop()


@pytest.fixture(autouse=True)
def _durations(monkeypatch: pytest.MonkeyPatch) -> None:
    """python-telegram-bot warns of its old way to give durations as numbers."""
    monkeypatch.setenv("PTB_TIMEDELTA", "1")


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    playground = Playground(flood=False)
    await playground.start()
    yield playground
    await playground.stop()


@pytest.fixture
async def client(playground: Playground) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=playground.url) as client:
        yield client


async def do(client: httpx.AsyncClient, path: str, **body: Any) -> Any:
    response = await client.post(f"/people{path}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


async def table(client: httpx.AsyncClient) -> tuple[int, int, int]:
    """Ann, Bob and their group with the bot."""
    ann = (await do(client, "", first_name="Ann"))["id"]
    bob = (await do(client, "", first_name="Bob"))["id"]
    return ann, bob, (await do(client, f"/{ann}/groups", title="Game night", members=[bob]))["id"]


async def event(client: httpx.AsyncClient, after: int, **wanted: Any) -> Any:
    """The next event that is as wanted."""
    async with asyncio.timeout(5):
        while True:
            news = (await client.get("/people/events", params={"after": after, "timeout": 5})).json()
            for one in news["events"]:
                after = one["seq"]
                if wanted.items() <= one.items():
                    return one


async def play(client: httpx.AsyncClient) -> None:
    """Ann asks for a board, Bob taps on it."""
    ann, bob, chat = await table(client)
    await do(client, f"/{ann}/write", chat=chat, text="chatter that the bot does not see")
    asked = await do(client, f"/{ann}/write", chat=chat, text="/board@inbetween_bot")
    news = (await client.get("/people/events")).json()["events"]
    seq = next(one["seq"] for one in news if one.get("message") == asked)
    board = await event(client, seq, kind="message", chat=chat)
    assert board["message"]["text"] == "Board of 0, soon"
    assert board["message"]["reply_to_message"]["message_id"] == asked["message_id"]
    button = board["message"]["reply_markup"]["inline_keyboard"][0][0]
    assert button == {"text": "More (0)", "callback_data": "more:1", "style": "success"}
    tap = {"chat": chat, "message": board["message"]["message_id"], "data": button["callback_data"]}
    answer = (await do(client, f"/{bob}/tap", **tap, wait=5))["answer"]
    assert answer == {"text": "1 now", "show_alert": False, "url": None}
    edited = await event(client, board["seq"], kind="edited", chat=chat)
    assert edited["message"]["text"] == "Board of 1"


async def test_a_bot_that_polls(playground: Playground, client: httpx.AsyncClient) -> None:
    async with running(application(playground)) as bot:
        assert bot.updater is not None
        await bot.updater.start_polling(poll_interval=0, timeout=2)
        await play(client)
    assert playground.mistakes == []
    judge(playground.exchanges)


async def test_a_bot_with_a_webhook(playground: Playground, client: httpx.AsyncClient) -> None:
    async with running(application(playground)) as bot:
        hook = await asyncio.start_server(receiver(bot), "127.0.0.1", 0)
        port = hook.sockets[0].getsockname()[1]
        await bot.bot.set_webhook(f"http://127.0.0.1:{port}/hook", secret_token="sesame")
        await play(client)
        hook.close()
        await hook.wait_closed()
    assert playground.mistakes == []
    judge(playground.exchanges)


def receiver(bot: Bot) -> Any:
    """The smallest endpoint that hands updates to the bot and answers when they are dealt with."""

    async def receive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        headers = dict(line.split(": ", 1) for line in head.strip().split("\r\n")[1:])
        assert headers["x-telegram-bot-api-secret-token"] == "sesame"
        body = await reader.readexactly(int(headers["content-length"]))
        update = Update.de_json(httpx.Response(200, content=body).json(), bot.bot)
        await bot.process_update(update)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    return receive


async def test_what_a_bot_does_at_its_start(playground: Playground, client: httpx.AsyncClient) -> None:
    async with application(playground) as bot:
        ann, bob, chat = await table(client)
        await bot.bot.set_my_commands([("join", "take a seat")], language_code="de")
        await bot.bot.set_my_description("A card game")
        assert (await bot.bot.get_my_commands(language_code="de"))[0].command == "join"
        assert (await bot.bot.get_my_description()).description == "A card game"
        assert (await bot.bot.get_chat(chat)).accent_color_id >= 0
        assert (await bot.bot.get_chat_member(chat, ann)).status == "creator"
        await do(client, f"/{ann}/promote", chat=chat, who=bot.bot.id)
        assert len(await bot.bot.get_chat_administrators(chat)) == 2
        assert await bot.bot.get_chat_member_count(chat) == 3
        chat = (await do(client, f"/{ann}/restrict", chat=chat, who=bob, can_send=False))["chat"]
        assert (await bot.bot.get_webhook_info()).url == ""
        assert await bot.bot.get_updates()
        await bot.bot.send_message(chat, "How much?", reply_markup=ForceReply(selective=True))
    assert playground.mistakes == []
    judge(playground.exchanges)


async def test_refusals_become_the_exceptions_a_bot_expects(playground: Playground, client: httpx.AsyncClient) -> None:
    async with application(playground) as bot:
        ann, _, chat = await table(client)
        with pytest.raises(BadRequest, match="essage text is empty"):
            await bot.bot.send_message(chat, " ")
        with pytest.raises(Forbidden, match="bot can't initiate conversation with a user"):
            await bot.bot.send_message(ann, "hi")
        faults = [({"kind": "flood", "retry_after": 40}, RetryAfter), ({"kind": "bad_gateway"}, NetworkError)]
        breaks = [({"kind": kind, "seconds": 0.01}, NetworkError) for kind in ("drop", "hang")]
        for fault, expected in [*faults, *breaks]:
            await client.post("/faults", json=fault)
            with pytest.raises(expected):
                await bot.bot.send_message(chat, "x")
        before = len(playground.world.chats[chat].messages)
        await client.post("/faults", json={"kind": "hang", "seconds": 0.01, "executed": True})
        with pytest.raises(NetworkError):
            await bot.bot.send_message(chat, "x")
        assert len(playground.world.chats[chat].messages) == before + 1
        new = (await do(client, f"/{ann}/migrate", chat=chat))["chat"]
        with pytest.raises(ChatMigrated) as caught:
            await bot.bot.send_message(chat, "x")
        assert caught.value.new_chat_id == new
        await do(client, f"/{ann}/remove", chat=new, who=bot.bot.id)
        with pytest.raises(Forbidden, match="bot was kicked from the supergroup chat"):
            await bot.bot.send_message(new, "x")
    judge(playground.exchanges)


async def test_two_pollers_get_in_each_others_way(playground: Playground, client: httpx.AsyncClient) -> None:
    async with application(playground) as first, application(playground) as second:
        poll = asyncio.create_task(first.bot.get_updates(timeout=5))
        await asyncio.sleep(0.05)
        other = asyncio.create_task(second.bot.get_updates(timeout=5))
        with pytest.raises(Conflict, match="terminated by other getUpdates request"):
            await poll
        await table(client)
        assert await other


async def test_the_local_telegram_never_logs_the_token(
    playground: Playground, client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await client.get(f"/bot{playground.token}/getMe")
    await client.get(f"/bot{playground.token}/getMoon")
    others = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))]
    assert not any(playground.token in record.getMessage() for record in others)
