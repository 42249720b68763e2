"""The one place where everything is wired."""

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from typing import NamedTuple

from telegram import Update
from telegram.error import TelegramError
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    ChatMemberHandler,
    CommandHandler,
    ContextTypes,
    MessageHandler,
    TypeHandler,
    filters,
)

from persistence.boards import Boards
from persistence.chats import Chats
from persistence.database import Database
from persistence.engine import utc_now
from persistence.locks import Locks, locks
from persistence.pace import common_pace, group_pace
from persistence.tables import Tables
from persistence.trouble import report
from tgbot.boardkeeper import BoardKeeper
from tgbot.budget import CallBudget
from tgbot.buttons import Word, read_tap
from tgbot.clock import Clock
from tgbot.context import App, Context, words_of
from tgbot.conversation import TableConversation
from tgbot.delivery import Delivery
from tgbot.duty import Duty
from tgbot.fetching import Fetching
from tgbot.intake import ALLOWED_UPDATES, FIRST, look_at
from tgbot.introduction import introduce
from tgbot.lines import ChatLines
from tgbot.membership import Membership
from tgbot.polling import Polling
from tgbot.pulse import Pulse
from tgbot.reminder import Reminder
from tgbot.replies import Replies
from tgbot.request import Outage, Request
from tgbot.serving import Server
from tgbot.settings import Settings
from tgbot.talk import Talk
from tgbot.voice import Voice
from tgbot.web import Health, Webhook
from tgbot.web import application as web_application

_LOG = logging.getLogger(__name__)
_GROUP_COMMANDS = ["newgame", "join", "leave", "bet", "table", "end", "kick", "share", "passbank", "max", "nudge"]
_FAREWELL_SECONDS = 5
"""What a stop leaves to the updates that are being handled, and then to what is still to be said and shown."""
_FLUSH_SECONDS = 5.0
_CALLS_AT_ONCE = 256
"""Calls to Telegram that may be under way; as many as PTB itself would allow."""
os.environ.setdefault("PTB_TIMEDELTA", "1")  # PTB's coming way of saying how long to wait; it warns without


class House(NamedTuple):
    """The parts of a running bot."""

    app: App
    database: Database
    tables: Tables
    boards: Boards
    lines: ChatLines
    keeper: BoardKeeper
    clock: Clock
    voice: Voice
    duty: Duty
    locks: Locks
    pulse: Pulse
    delivery: Delivery
    fetching: Fetching


def build(settings: Settings, now: Callable[[], datetime] = utc_now) -> House:
    """Wire a bot; nothing is started yet."""
    database = Database(settings.database_url)
    group, everybody = group_pace(settings.group_calls_a_minute), common_pace(settings.calls_a_second)
    pulse, outage = Pulse(), Outage()
    polling_request = Request(outage)
    lines = ChatLines()
    tables, boards, chats = Tables(database, now), Boards(database, now, group, everybody), Chats(database, now)
    app: App = (
        Application.builder()
        .token(settings.telegram_bot_token.get_secret_value())
        .base_url(f"{settings.telegram_api_url}/bot")
        .base_file_url(f"{settings.telegram_api_url}/file/bot")
        .request(Request(outage, connections=_CALLS_AT_ONCE))
        .get_updates_request(polling_request)
        .updater(None)  # updates are fetched in `tgbot.fetching`, which tells why
        .context_types(ContextTypes(context=Context))
        .concurrent_updates(lines)
        .job_queue(None)  # deadlines stand on the rows; nothing is scheduled in memory
        .build()
    )
    delivery = Delivery(app)
    fetching = Fetching(app, polling_request, delivery, pulse, ALLOWED_UPDATES)
    budget = CallBudget(everybody, now)
    voice = Voice(app.bot, boards, chats, budget)
    shared = locks(database)
    keeper = BoardKeeper(app.bot, boards, voice, budget, now, shared)
    reminder = Reminder(boards, voice)
    clock = Clock(tables, boards, keeper, voice, reminder)
    duty = Duty(keeper, clock, partial(tables.grant_grace, settings.grace_seconds))
    _add_handlers(
        app,
        Talk(chats, keeper, voice),
        Membership(tables, chats, keeper, voice),
        TableConversation(tables, keeper, voice, Replies(boards, keeper, voice, reminder)),
    )
    return House(app, database, tables, boards, lines, keeper, clock, voice, duty, shared, pulse, delivery, fetching)


def _add_handlers(app: App, talk: Talk, membership: Membership, conversation: TableConversation) -> None:
    app.add_handler(TypeHandler(Update, look_at), group=FIRST)
    said = filters.UpdateType.MESSAGE
    private = said & filters.ChatType.PRIVATE
    app.add_handler(CommandHandler("start", talk.start, filters=private))
    app.add_handler(CommandHandler("help", talk.help, filters=said))
    app.add_handler(CommandHandler("rules", talk.rules, filters=private))
    app.add_handler(CommandHandler("language", talk.language, filters=said))
    app.add_handler(CommandHandler(_GROUP_COMMANDS, talk.group_only, filters=private))
    app.add_handler(CallbackQueryHandler(talk.language_chosen, pattern=_is_language))
    app.add_handler(ChatMemberHandler(membership.bot_changed, ChatMemberHandler.MY_CHAT_MEMBER))
    app.add_handler(ChatMemberHandler(membership.person_left, ChatMemberHandler.CHAT_MEMBER))
    app.add_handler(MessageHandler(filters.StatusUpdate.MIGRATE, membership.migrated))
    app.add_handler(MessageHandler(filters.StatusUpdate.LEFT_CHAT_MEMBER, membership.person_left))
    app.add_handler(conversation)
    app.add_error_handler(_apologize)


def _is_language(data: object) -> bool:
    tap = read_tap(data)
    return tap is not None and tap.word is Word.LANGUAGE


async def _apologize(update: object, context: Context) -> None:
    """Log what went wrong, and stop the player's button from spinning (trap 20)."""
    if context.error is not None:
        report(_LOG, "an update could not be handled", context.error)
    if isinstance(update, Update) and update.callback_query:
        tr = words_of(update)
        with contextlib.suppress(TelegramError):
            await update.callback_query.answer(tr("Something went wrong. Try again in a moment."))


@asynccontextmanager
async def running(house: House, settings: Settings) -> AsyncIterator[asyncio.Task[None]]:
    """A bot that plays until the block ends, and then stops cleanly: no new updates, taps finished, boards shown.

    The task that it gives looks after the updates; should it end by itself, it tells why the bot cannot go on.

    Raises:
        SecondProcessError: another process has this SQLite file.
        WebhookSetError: the bot is to poll, and its updates go to a webhook.
        WebhookRefusedError: Telegram does not deliver to this address.
        CannotListenError: the port is taken.
        telegram.error.InvalidToken: Telegram does not know the token.
    """
    try:
        await house.locks.enter()
        await house.database.migrate()
        async with house.app:
            await house.app.start()
            async with _receiving(house, settings) as looked_after:
                house.voice.later(introduce(house.app.bot))
                yield looked_after
    finally:
        await house.locks.close()
        await house.database.close()


@asynccontextmanager
async def _receiving(house: House, settings: Settings) -> AsyncIterator[asyncio.Task[None]]:
    receiver = _receiver(house, settings)
    webhook = receiver if isinstance(receiver, Webhook) else None
    health = Health(house.boards, house.pulse, lambda: (receiver.role, receiver.is_well))
    server = Server(web_application(health, webhook), farewell=_FAREWELL_SECONDS)
    looking_after: asyncio.Task[None] | None = None
    try:
        if settings.port is not None:
            await server.start(settings.listen_host, settings.port)
        await receiver.start()
        looking_after = asyncio.create_task(receiver.run())
        yield looking_after
    finally:
        if looking_after is not None:
            looking_after.cancel()
            await asyncio.gather(looking_after, return_exceptions=True)
        await receiver.stop()
        await server.stop()  # waits for the updates that came through it
        await house.app.stop()
        await house.lines.finish()
        await house.duty.end()
        await _flush(house)


async def _flush(house: House) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_FLUSH_SECONDS):
            await house.voice.finish()
            await house.keeper.finish()
    await house.keeper.close()


def _receiver(house: House, settings: Settings) -> Polling | Webhook:
    if settings.webhook_url and settings.webhook_secret:
        secret = settings.webhook_secret.get_secret_value()
        return Webhook(house.app, house.duty, house.delivery, house.pulse, settings.webhook_url, secret)
    return Polling(house.app, house.duty, house.locks, house.fetching, house.pulse)
