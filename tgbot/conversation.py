"""The conversation at a table: a `ConversationHandler` whose state is the phase in the table's row.

The stock handler keeps its states in memory, and after a restart, a move by the clock or by another replica memory
and row disagree. This one keeps nothing: for every update it opens the table (one transaction, the row locked),
takes the handlers of the phase it finds there, lets one of them translate the update into a command, plays it,
commits, and only then speaks to Telegram.
"""

import logging
import warnings
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any

from telegram import Update
from telegram.error import TelegramError
from telegram.ext import (
    BaseHandler,
    CallbackQueryHandler,
    CommandHandler,
    ConversationHandler,
    MessageHandler,
    filters,
)
from telegram.warnings import PTBUserWarning

from domain import commands as c
from domain.events import Event
from domain.presets import HOME_POT
from domain.refusals import Reason, Refusal
from domain.settings import Settings
from domain.table import Phase, Player, Table
from persistence.tables import Place, Sitting, Tables
from tgbot import answers, commands
from tgbot.boardkeeper import BoardKeeper
from tgbot.buttons import Word, read_tap
from tgbot.context import GROUP_ANONYMOUS_BOT, App, Context, person_of, place_of, tap_of, words_of
from tgbot.meanings import Ask, AskWhom, Meaning, NewTable, Nothing, ShowBoard, ShowMore, ShowRules, Unreadable
from tgbot.replies import Replies
from tgbot.voice import Voice

_LOG = logging.getLogger(__name__)

Translate = Callable[[Update, Context], Coroutine[Any, Any, Meaning]]
Handler = BaseHandler[Update, Context, Any]
_ADMINS = frozenset({"creator", "administrator"})


def _tap(word: Word, translate: Translate) -> Handler:
    return CallbackQueryHandler(translate, pattern=lambda data: bool((tap := read_tap(data)) and tap.word is word))


def _command(name: str, translate: Translate) -> Handler:
    # Edited commands are talk about an earlier wish, not a new one (trap 10).
    return CommandHandler(name, translate, filters=filters.UpdateType.MESSAGE & filters.ChatType.GROUPS)


async def _not_ours(_: Update, __: Context) -> Meaning:
    """A button that no board of ours has: forged, or from another time of the bot."""
    raise Refusal(Reason.OLD_BUTTON)


async def _no_table(_: Update, __: Context) -> Meaning:
    """Anything but opening a table, where none stands."""
    raise Refusal(Reason.GAME_OVER)


_REPLY = filters.REPLY & filters.TEXT & ~filters.COMMAND & filters.UpdateType.MESSAGE & filters.ChatType.GROUPS

OPEN: Sequence[Handler] = (
    _command("newgame", commands.new_table),
    _command("join", commands.new_table),
    _tap(Word.NEW, commands.new_table),
    _command("rules", commands.show_rules),
    *(_command(name, _no_table) for name in ("leave", "bet", "table", "end", "kick")),
    CallbackQueryHandler(_no_table),
)
"""What can be said where no table stands."""

PHASES: Mapping[Phase, Sequence[Handler]] = {
    Phase.LOBBY: (
        _tap(Word.START, commands.start),
        _tap(Word.RULES, commands.show_rules),
    ),
    Phase.CUT: (_tap(Word.CUT, commands.cut), _tap(Word.OTHER, commands.other_amount)),
    Phase.DECIDE: (
        _tap(Word.BET, commands.bet),
        _tap(Word.PASS, commands.pass_),
        _tap(Word.OTHER, commands.other_amount),
    ),
    Phase.REST: (_tap(Word.BACK, commands.back), _tap(Word.REBUY, commands.rebuy), _tap(Word.END, commands.end)),
}
"""The answers that each waiting phase asks for."""

ALWAYS: Sequence[Handler] = (
    _command("join", commands.join),
    _command("leave", commands.leave),
    _command("bet", commands.typed_bet),
    _command("table", commands.show_board),
    _command("newgame", commands.show_board),
    _command("rules", commands.show_rules),
    _command("end", commands.end),
    _command("kick", commands.kick),
    MessageHandler(_REPLY, commands.replied_amount),
    _tap(Word.NEW, commands.show_board),
    _tap(Word.JOIN, commands.join),
    _tap(Word.LEAVE, commands.leave),
    _tap(Word.BACK, commands.back),
    _tap(Word.REBUY, commands.rebuy),
    _tap(Word.KICK, commands.kick),
    _tap(Word.END, commands.end),
    _tap(Word.NOW, commands.end_now),
    _tap(Word.MORE, commands.show_more),
    CallbackQueryHandler(_not_ours),
)
"""What can be said at a table whatever it asks."""


class TableConversation(ConversationHandler[Context]):
    """All talk of a group about its table."""

    def __init__(self, tables: Tables, keeper: BoardKeeper, voice: Voice, replies: Replies) -> None:
        with warnings.catch_warnings():
            # PTB warns that taps are tracked per chat and not per message: here they are tracked by their own data.
            warnings.simplefilter("ignore", PTBUserWarning)
            super().__init__(
                entry_points=[*OPEN],
                states={phase: [*handlers] for phase, handlers in PHASES.items()},
                fallbacks=[*ALWAYS],
                per_chat=True,
                per_user=False,
            )
        self._tables = tables
        self._keeper = keeper
        self._voice = voice
        self._replies = replies

    def check_update(self, update: object) -> Any:
        """Whether somebody in a group said something about a table; in which phase it is, the row will tell."""
        if not isinstance(update, Update) or place_of(update) is None or update.effective_user is None:
            return None
        message = update.message
        if message and message.sender_chat and message.sender_chat.id != message.chat_id:
            return None  # somebody speaks as a channel of his: nobody whom the table knows
        if update.effective_user.is_bot and not (message and message.sender_chat):
            return None  # another bot; an admin who writes as the group looks like one, too, and is asked who he is
        every = (*OPEN, *ALWAYS, *(handler for phase in PHASES.values() for handler in phase))
        return True if any(_matches(handler, update) for handler in every) else None

    async def handle_update(self, update: Update, application: App, check_result: object, context: Context) -> None:
        """One tap's life, from the open table to the answer."""
        place = place_of(update)
        if place is None:
            return
        if update.message and update.message.sender_chat:
            await self._replies.confirm_by_button(update)
            return
        try:
            await self._live(update, place, application, context)
        except Refusal as refused:
            await self._refuse(update, refused, context.sitting)
        finally:
            context.sitting = None

    async def _live(self, update: Update, place: Place, application: App, context: Context) -> None:
        try:
            done = await self._transact(update, place, application, context, admin=None)
        except _RightsMatter:  # nothing was written; between two transactions Telegram may be asked who he is
            admin = await self._is_admin(place.chat, update)
            done = await self._transact(update, place, application, context, admin)
        await self._after(update, place, *done)

    async def _transact(
        self, update: Update, place: Place, application: App, context: Context, admin: bool | None
    ) -> tuple[Sitting, Meaning, Sequence[Event]]:
        async with self._tables.at(place) as sitting:
            context.sitting = sitting
            meaning = await self._meaning(update, sitting, application, context)
            if isinstance(meaning, c.End | c.Kick | c.Start) and _is_somebody_else(meaning.player, sitting.table):
                if admin is None:
                    raise _RightsMatter
                meaning = replace(meaning, admin=admin)
            return sitting, meaning, await self._carry_out(update, place, sitting, meaning)

    async def _meaning(self, update: Update, sitting: Sitting, application: App, context: Context) -> Meaning:
        table, tap = sitting.table, tap_of(update)
        if table and tap and tap.word is not Word.NEW and commands.stale(tap, table, sitting.id):
            raise Refusal(Reason.OLD_BUTTON)
        for handler in (*PHASES.get(table.phase, ()), *ALWAYS) if table else OPEN:
            check = handler.check_update(update)
            if check is not None and check is not False:
                meaning: Meaning = await handler.handle_update(update, application, check, context)
                return meaning
        return Nothing()

    async def _carry_out(self, update: Update, place: Place, sitting: Sitting, meaning: Meaning) -> Sequence[Event]:
        """Everything that has to do with the database."""
        user = update.effective_user
        if user is None or isinstance(meaning, Nothing):
            return ()
        await sitting.remember(person_of(user))
        match meaning:
            case NewTable(player):
                sitting.chat.language = sitting.chat.language or words_of(update).language
                await sitting.open(place, player, HOME_POT, Settings())
                return ()
            case Ask() | AskWhom() | ShowBoard() | ShowRules() | ShowMore() | Unreadable():
                return ()
            case command:
                return await sitting.play(command)

    async def _after(
        self, update: Update, place: Place, sitting: Sitting, meaning: Meaning, told: Sequence[Event]
    ) -> None:
        """Everything that has to do with Telegram; the transaction is committed."""
        user, tr = update.effective_user, words_of(update)
        if user is None or isinstance(meaning, Nothing):
            return
        match meaning:
            case Ask() | AskWhom() | ShowBoard() | ShowRules() | ShowMore() | Unreadable():
                await self._replies.reply(update, sitting, meaning)
            case _:
                text = answers.done(user.id, told, sitting.table, tr) if sitting.table else ""
                if update.callback_query:
                    await self._voice.toast(update.callback_query, text)
                else:
                    # What somebody typed has pushed the board up: it follows, so that he sees what his words did.
                    await self._replies.lower_board(sitting)
                if isinstance(meaning, NewTable):
                    self._strip(update, place)
                elif isinstance(meaning, c.End) and sitting.table:
                    self._replies.offer_to_stop_now(update, sitting, meaning)
        self._keeper.wake(place.chat)
        if sitting.litter:
            self._voice.later(self._voice.remove(place.chat, sitting.litter))

    async def _refuse(self, update: Update, refused: Refusal, sitting: Sitting | None) -> None:
        await self._replies.refuse(update, sitting, answers.refusal(refused, words_of(update)))
        self._strip_old_board(update, refused, sitting)

    def _strip_old_board(self, update: Update, refused: Refusal, sitting: Sitting | None) -> None:
        """Buttons that can only be refused go, so that nobody taps them twice (trap 4)."""
        query, place = update.callback_query, place_of(update)
        if query is None or query.message is None or place is None:
            return
        old = refused.reason in (Reason.OLD_BUTTON, Reason.GAME_OVER)
        if old and (sitting is None or sitting.board != query.message.message_id):
            self._strip(update, place)

    def _strip(self, update: Update, place: Place) -> None:
        """Take the buttons off a message whose buttons have done their work."""
        if update.callback_query and update.callback_query.message:
            self._voice.later(self._keeper.strip(place.chat, update.callback_query.message.message_id))

    async def _is_admin(self, chat: int, update: Update) -> bool:
        """Ask Telegram now: somebody may have been promoted a minute ago (trap 16)."""
        user = update.effective_user
        if user is None or user.id == GROUP_ANONYMOUS_BOT:
            return False
        try:
            member = await update.get_bot().get_chat_member(chat, user.id)
        except TelegramError as error:
            _LOG.info("chat %s does not say who is an admin: %s", chat, error)
            return False
        return member.status in _ADMINS


def _matches(handler: Handler, update: Update) -> bool:
    check = handler.check_update(update)
    return check is not None and check is not False


def _is_somebody_else(player: Player, table: Table | None) -> bool:
    return table is not None and table.host != player


class _RightsMatter(Exception):  # noqa: N818 - not an error, but a question to be asked first
    """Whether he is an admin of the group makes a difference now."""
