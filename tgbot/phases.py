"""Which words count when: the handlers of every phase of a table."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from telegram import Update
from telegram.ext import BaseHandler, CallbackQueryHandler, CommandHandler, MessageHandler, filters

from domain.refusals import Reason, Refusal
from domain.table import Phase
from tgbot import commands
from tgbot.buttons import Word, read_tap
from tgbot.context import Context
from tgbot.meanings import Meaning

Translate = Callable[[Update, Context], Coroutine[Any, Any, Meaning]]
Handler = BaseHandler[Update, Context, Any]


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
_OTHER = _tap(Word.OTHER, commands.other_amount)
_ODDS = _tap(Word.ODDS, commands.show_odds)
_TABLE_COMMANDS = ("leave", "bet", "table", "end", "kick", "share", "passbank", "max", "nudge")

OPEN: Sequence[Handler] = (
    _command("newgame", commands.new_table),
    _command("join", commands.new_table),
    _tap(Word.NEW, commands.new_table),
    _command("rules", commands.show_rules),
    *(_command(name, _no_table) for name in _TABLE_COMMANDS),
    CallbackQueryHandler(_no_table),
)
"""What can be said where no table stands."""

PHASES: Mapping[Phase, Sequence[Handler]] = {
    Phase.LOBBY: (
        _tap(Word.START, commands.start),
        _tap(Word.RULES, commands.show_rules),
        _tap(Word.PAGE, commands.turn_page),
        _tap(Word.PRESET, commands.choose_preset),
        _tap(Word.SWITCH, commands.change_switch),
        _tap(Word.SETTING, commands.change_setting),
    ),
    Phase.CUT: (_tap(Word.CUT, commands.cut), _OTHER),
    Phase.STAKE: (_tap(Word.STAKE, commands.put_up), _OTHER),
    Phase.BLIND_BET: (_tap(Word.BET, commands.bet), _tap(Word.PASS, commands.pass_), _OTHER),
    Phase.CALL_ACE: (_tap(Word.HIGH, commands.call_high), _tap(Word.LOW, commands.call_low)),
    Phase.DECIDE: (
        _tap(Word.BET, commands.bet),
        _tap(Word.PASS, commands.pass_),
        _tap(Word.HIGHER, commands.guess_higher),
        _tap(Word.LOWER, commands.guess_lower),
        _OTHER,
        _ODDS,
    ),
    Phase.RAISE: (_tap(Word.RAISE, commands.raise_), _OTHER, _ODDS),
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
    _command("share", commands.share_pot),
    _command("passbank", commands.pass_bank),
    _command("max", commands.max_bet),
    _command("nudge", commands.nudge),
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


def matches(handler: Handler, update: Update) -> bool:
    """Whether a handler is meant by an update."""
    check = handler.check_update(update)
    return check is not None and check is not False


def concerns_a_table(update: Update) -> bool:
    """Whether any handler of any phase is meant."""
    every = (*OPEN, *ALWAYS, *(handler for phase in PHASES.values() for handler in phase))
    return any(matches(handler, update) for handler in every)
