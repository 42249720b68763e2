"""The one place where everything is wired."""

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncEngine
from telegram import BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats, Update
from telegram.error import TelegramError
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    ChatMemberHandler,
    CommandHandler,
    ContextTypes,
    ExtBot,
    MessageHandler,
    filters,
)

from persistence.boards import BURST, Boards
from persistence.chats import Chats
from persistence.engine import create_engine, migrate, utc_now
from persistence.tables import Tables
from tgbot.boardkeeper import BoardKeeper
from tgbot.buttons import Word, read_tap
from tgbot.clock import Clock
from tgbot.context import App, Context, words_of
from tgbot.conversation import TableConversation
from tgbot.lines import ChatLines
from tgbot.membership import Membership
from tgbot.replies import Replies
from tgbot.settings import Settings
from tgbot.talk import Talk, commands, private_commands
from tgbot.voice import Voice
from tgbot.words import LANGUAGES, SOURCE, words

_LOG = logging.getLogger(__name__)
ALLOWED_UPDATES = [Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER, Update.CHAT_MEMBER]
_GROUP_COMMANDS = ["newgame", "join", "leave", "bet", "table", "end", "kick"]
_FLUSH_SECONDS = 5.0
os.environ.setdefault("PTB_TIMEDELTA", "1")  # PTB's coming way of saying how long to wait; it warns without


class WebhookSetError(RuntimeError):
    """Somebody else receives this bot's updates: polling would take the webhook away from him."""


class House(NamedTuple):
    """The parts of a running bot."""

    app: App
    engine: AsyncEngine
    tables: Tables
    boards: Boards
    keeper: BoardKeeper
    clock: Clock
    voice: Voice


def build(settings: Settings, now: Callable[[], datetime] = utc_now) -> House:
    """Wire a bot; nothing is started yet."""
    engine = create_engine(settings.database_url)
    interval = timedelta(seconds=60 / (settings.group_calls_a_minute - BURST))
    tables, boards, chats = Tables(engine, now), Boards(engine, now, interval), Chats(engine, now)
    app: App = (
        Application.builder()
        .token(settings.telegram_bot_token.get_secret_value())
        .base_url(f"{settings.telegram_api_url}/bot")
        .base_file_url(f"{settings.telegram_api_url}/file/bot")
        .context_types(ContextTypes(context=Context))
        .concurrent_updates(ChatLines())
        .job_queue(None)  # deadlines stand on the rows; nothing is scheduled in memory
        .build()
    )
    voice = Voice(app.bot, boards, chats)
    keeper = BoardKeeper(app.bot, boards, voice, now)
    _add_handlers(
        app,
        Talk(chats, keeper, voice),
        Membership(tables, chats, keeper, voice),
        TableConversation(tables, keeper, voice, Replies(boards, voice)),
    )
    return House(app, engine, tables, boards, keeper, Clock(tables, boards, keeper, voice), voice)


def _add_handlers(app: App, talk: Talk, membership: Membership, conversation: TableConversation) -> None:
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
    _LOG.error("an update could not be handled", exc_info=context.error)
    if isinstance(update, Update) and update.callback_query:
        tr = words_of(update)
        with contextlib.suppress(TelegramError):
            await update.callback_query.answer(tr("Something went wrong. Try again in a moment."))


@asynccontextmanager
async def running(house: House, settings: Settings) -> AsyncIterator[None]:
    """A bot that polls until the block ends, and then stops cleanly: taps finished, boards shown.

    Raises:
        WebhookSetError: the bot's updates go to a webhook.
        telegram.error.InvalidToken: Telegram does not know the token.
    """
    await migrate(house.engine)
    await house.tables.grant_grace(settings.grace_seconds)
    async with house.app:
        await _refuse_foreign_webhook(house.app.bot)
        await _introduce(house.app.bot)
        await house.app.start()
        loops = [asyncio.create_task(house.keeper.run()), asyncio.create_task(house.clock.run())]
        if house.app.updater is None:
            raise RuntimeError("the application was built without an updater")
        await house.app.updater.start_polling(allowed_updates=ALLOWED_UPDATES, drop_pending_updates=False)
        try:
            yield
        finally:
            await house.app.updater.stop()
            await house.app.stop()  # waits for the updates that are being handled
            for loop in loops:
                loop.cancel()
            await asyncio.gather(*loops, return_exceptions=True)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_FLUSH_SECONDS):
                    await house.voice.finish()
                    await house.keeper.finish()
            await house.keeper.close()
    await house.engine.dispose()


async def _refuse_foreign_webhook(bot: ExtBot[None]) -> None:
    webhook = await bot.get_webhook_info()
    if webhook.url:
        raise WebhookSetError(
            "another program receives this bot's updates through a webhook; "
            "stop it and call deleteWebhook, or use another token"
        )


async def _introduce(bot: ExtBot[None]) -> None:
    """Commands and descriptions in every language (trap 26). A bot without them plays just as well."""
    try:
        for language in LANGUAGES:
            tr = words(language)
            code = None if language == SOURCE else language
            groups = [BotCommand(*command) for command in commands(tr)]
            private = [BotCommand(*command) for command in private_commands(tr)]
            await bot.set_my_commands(groups, BotCommandScopeAllGroupChats(), code)
            await bot.set_my_commands(private, BotCommandScopeAllPrivateChats(), code)
            about = tr("In-Between (Acey-Deucey) for your group: I deal, keep the pot and never lose a chip.")
            await bot.set_my_short_description(about, code)
            await bot.set_my_description(about + "\n\n" + tr("Add me to a group and send /newgame."), code)
    except TelegramError as error:
        _LOG.warning("commands and descriptions could not be registered: %s", error)
