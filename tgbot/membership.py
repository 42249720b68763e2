"""Who comes and who goes: the bot itself, the group's people, and the group that becomes a supergroup."""

from telegram import ChatMemberUpdated, InlineKeyboardButton, InlineKeyboardMarkup, Update

from domain import commands as c
from domain.refusals import Refusal
from persistence.chats import Chats
from persistence.mapping import Place
from persistence.tables import Tables
from tgbot.boardkeeper import BoardKeeper
from tgbot.buttons import Tap, Word
from tgbot.context import Context
from tgbot.rights import is_member, may_write
from tgbot.voice import Voice
from tgbot.words import closest, words


class Membership:
    """Handlers of what Telegram says about members."""

    def __init__(self, tables: Tables, chats: Chats, keeper: BoardKeeper, voice: Voice) -> None:
        self._tables = tables
        self._chats = chats
        self._keeper = keeper
        self._voice = voice

    async def bot_changed(self, update: Update, _: Context) -> None:
        """The bot was added, muted, removed, or may write again (trap 14)."""
        change = update.my_chat_member
        if change is None or change.chat.type not in ("group", "supergroup"):
            return
        if not may_write(change.new_chat_member):
            await self._chats.silence(change.chat.id)
            return
        is_news = await self._chats.welcome(change.chat.id)
        self._keeper.wake(change.chat.id)
        if is_news and not is_member(change.old_chat_member):
            self._voice.later(self._greet(change))

    async def _greet(self, change: ChatMemberUpdated) -> None:
        """One warm message in the language of whoever added the bot, with one button that opens a table."""
        chat, adder = change.chat.id, change.from_user
        if not await self._chats.language(chat):
            await self._chats.set_language(chat, closest(adder.language_code))
        tr = words(await self._chats.language(chat))
        text = tr(
            "Hello! I deal In-Between: two cards are open, and you bet that the third falls between them. "
            "The chips are only for play. Who's in?"
        )
        button = InlineKeyboardButton(tr("Open a table"), callback_data=Tap(Word.NEW).pack(), style="primary")
        await self._voice.say(Place(chat), text, InlineKeyboardMarkup.from_button(button))

    async def migrated(self, update: Update, _: Context) -> None:
        """The group has a new id; both of its service messages say so, in any order (trap 2)."""
        message = update.message
        if message is None:
            return
        if message.migrate_to_chat_id:
            await self._chats.moved(message.chat_id, message.migrate_to_chat_id)
            self._keeper.wake(message.migrate_to_chat_id)
        elif message.migrate_from_chat_id:
            await self._chats.moved(message.migrate_from_chat_id, message.chat_id)
            self._keeper.wake(message.chat_id)

    async def person_left(self, update: Update, _: Context) -> None:
        """Somebody left the group: he leaves the table, too (trap 15)."""
        message, change = update.message, update.chat_member
        if message and message.left_chat_member:
            await self._leave_tables(message.chat_id, message.left_chat_member.id)
        elif change and not is_member(change.new_chat_member):
            await self._leave_tables(change.chat.id, change.new_chat_member.user.id)

    async def _leave_tables(self, chat: int, player: int) -> None:
        for topic in await self._tables.topics(chat):
            try:
                async with self._tables.at(Place(chat, topic)) as sitting:
                    if sitting.table is not None:
                        sitting.play(c.Leave(player))
            except Refusal:
                continue  # he did not sit there
            self._keeper.wake(chat)
