"""The conversation at a table: a `ConversationHandler` whose state is the phase in the table's row.

The stock handler keeps its states in memory, and after a restart, a move by the clock or by another replica memory
and row disagree. This one keeps nothing: for every update it opens the table (one transaction, the row locked),
takes the handlers of the phase it finds there, lets one of them translate the update into a command, plays it,
commits, and only then speaks to Telegram.
"""

import logging
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from telegram import Update
from telegram.error import TelegramError
from telegram.ext import ConversationHandler
from telegram.warnings import PTBUserWarning

from domain import commands as c
from domain.choices import require_host
from domain.events import Event
from domain.presets import HOME_POT, PRESETS
from domain.refusals import Reason, Refusal
from domain.rules import Rules
from domain.settings import Settings
from domain.table import Player, Table
from persistence.mapping import Place
from persistence.sitting import Sitting
from persistence.tables import Tables
from tgbot import answers, commands
from tgbot.boardkeeper import BoardKeeper
from tgbot.buttons import Word
from tgbot.context import GROUP_ANONYMOUS_BOT, App, Context, person_of, place_of, tap_of, words_of
from tgbot.meanings import Meaning, NewTable, Nothing, Saying, TurnPage
from tgbot.phases import ALWAYS, OPEN, PHASES, concerns_a_table, handler_for
from tgbot.replies import Replies
from tgbot.request import log_level
from tgbot.voice import Voice

_LOG = logging.getLogger(__name__)

_ADMINS = frozenset({"creator", "administrator"})
_PRIVILEGED = (c.SetUp, c.Start, c.Kick, c.End, c.SetMaxBet, TurnPage)
"""What the host may do, and a chat admin as well."""


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
        return True if concerns_a_table(update) else None

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
            sitting, context.sitting = context.sitting, None
        if sitting is not None and sitting.is_frozen:
            self._voice.later(self._thaw(place.chat))

    async def _thaw(self, chat: int) -> None:
        if await self._voice.try_again(chat):
            self._keeper.wake(chat)

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
            if isinstance(meaning, _PRIVILEGED) and _is_somebody_else(meaning.player, sitting.table):
                if admin is None:
                    raise _RightsMatter
                meaning = replace(meaning, admin=admin)
            told = self._carry_out(update, place, sitting, meaning)
            if update.message and not isinstance(meaning, Saying | Nothing):
                sitting.lower_board()  # what was typed has pushed it up: it follows, to show what the words did
        return sitting, meaning, told

    async def _meaning(self, update: Update, sitting: Sitting, application: App, context: Context) -> Meaning:
        table, tap = sitting.table, tap_of(update)
        if table and tap and tap.word is not Word.NEW and commands.stale(tap, table, sitting.id):
            raise Refusal(Reason.OLD_BUTTON)
        found = handler_for(table.phase if table else None, update)
        if found is None:
            return Nothing()
        handler, check = found
        meaning: Meaning = await handler.handle_update(update, application, check, context)
        return meaning

    @staticmethod
    def _carry_out(update: Update, place: Place, sitting: Sitting, meaning: Meaning) -> Sequence[Event]:
        """Everything that is to be written when this transaction is committed."""
        user = update.effective_user
        if user is None or isinstance(meaning, Nothing):
            return ()
        sitting.remember(person_of(user))
        if isinstance(meaning, Saying):
            return ()
        match meaning:
            case NewTable(player, preset):
                sitting.chat.language = sitting.chat.language or words_of(update).language
                sitting.open(place, player, *_game(preset, sitting.choice))
            case TurnPage(player, page, admin):
                require_host(_table(sitting), player, admin)
                sitting.turn_page(page)
            case command:
                return sitting.play(command)
        return ()

    async def _after(
        self, update: Update, place: Place, sitting: Sitting, meaning: Meaning, told: Sequence[Event]
    ) -> None:
        """Everything that has to do with Telegram; the transaction is committed."""
        user, tr = update.effective_user, words_of(update)
        if user is None or isinstance(meaning, Nothing):
            return
        match meaning:
            case _ if isinstance(meaning, Saying):
                await self._replies.reply(update, sitting, meaning)
            case _:
                text = answers.done(user.id, told, sitting.table, tr) if sitting.table else ""
                if update.callback_query:
                    await self._voice.toast(update.callback_query, text)
                if isinstance(meaning, NewTable):
                    self._strip(update, place)
                elif isinstance(meaning, c.End) and sitting.table:
                    self._replies.offer_to_stop_now(update, sitting, meaning)
        self._keeper.wake(place.chat, sitting.view)
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
            _LOG.log(log_level(error), "chat %s does not say who is an admin: %s", chat, error)
            return False
        return member.status in _ADMINS


def _game(preset: str | None, choice: tuple[Rules, Settings] | None) -> tuple[Rules, Settings]:
    """The game that was named, or the group's last choice, or the default."""
    before, settings = choice or (HOME_POT, Settings())
    if preset is None:
        return before, settings
    return PRESETS[preset], settings.fitted(PRESETS[preset], before)


def _table(sitting: Sitting) -> Table:
    if sitting.table is None:
        raise Refusal(Reason.GAME_OVER)
    return sitting.table


def _is_somebody_else(player: Player, table: Table | None) -> bool:
    return table is not None and table.host != player


class _RightsMatter(Exception):  # noqa: N818 - not an error, but a question to be asked first
    """Whether he is an admin of the group makes a difference now."""
