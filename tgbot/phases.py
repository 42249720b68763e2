"""Which words count when: the handlers of every phase of a table."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from telegram import MessageEntity, Update
from telegram.ext import BaseHandler, CallbackQueryHandler, CommandHandler, MessageHandler, filters

from domain.refusals import Reason, Refusal
from domain.table import Phase
from tgbot import commands
from tgbot.buttons import Word, read_tap
from tgbot.context import Context
from tgbot.meanings import Meaning

Translate = Callable[[Update, Context], Coroutine[Any, Any, Meaning]]
Handler = BaseHandler[Update, Context, Any]


_ANY_TAP = "any tap"
_A_REPLY = "a reply"
_KEYS: dict[Handler, str] = {}
"""What each handler looks for, by which it is found: a tap's word, a command with its slash, or one of the above."""


def _found_by(key: str, handler: Handler) -> Handler:
    _KEYS[handler] = key
    return handler


def _tap(word: Word, translate: Translate) -> Handler:
    is_meant = lambda data: bool((tap := read_tap(data)) and tap.word is word)  # noqa: E731 - PTB's form of a pattern
    return _found_by(word, CallbackQueryHandler(translate, pattern=is_meant))


def _any_tap(translate: Translate) -> Handler:
    return _found_by(_ANY_TAP, CallbackQueryHandler(translate))


def _command(name: str, translate: Translate) -> Handler:
    # Edited commands are talk about an earlier wish, not a new one (trap 10).
    said = filters.UpdateType.MESSAGE & filters.ChatType.GROUPS
    return _found_by(f"/{name}", CommandHandler(name, translate, filters=said))


def _reply(translate: Translate) -> Handler:
    said = filters.REPLY & filters.TEXT & ~filters.COMMAND & filters.UpdateType.MESSAGE & filters.ChatType.GROUPS
    return _found_by(_A_REPLY, MessageHandler(said, translate))


async def _not_ours(_: Update, __: Context) -> Meaning:
    """A button that no board of ours has: forged, or from another time of the bot."""
    raise Refusal(Reason.OLD_BUTTON)


async def _no_table(_: Update, __: Context) -> Meaning:
    """Anything but opening a table, where none stands."""
    raise Refusal(Reason.GAME_OVER)


_OTHER = _tap(Word.OTHER, commands.other_amount)
_ODDS = _tap(Word.ODDS, commands.show_odds)
_TABLE_COMMANDS = ("leave", "bet", "table", "end", "kick", "share", "passbank", "max", "nudge")

OPEN: Sequence[Handler] = (
    _command("newgame", commands.new_table),
    _command("join", commands.new_table),
    _tap(Word.NEW, commands.new_table),
    _command("rules", commands.show_rules),
    *(_command(name, _no_table) for name in _TABLE_COMMANDS),
    _any_tap(_no_table),
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
    _reply(commands.replied_amount),
    _tap(Word.NEW, commands.show_board),
    _tap(Word.JOIN, commands.join),
    _tap(Word.LEAVE, commands.leave),
    _tap(Word.BACK, commands.back),
    _tap(Word.REBUY, commands.rebuy),
    _tap(Word.KICK, commands.kick),
    _tap(Word.END, commands.end),
    _tap(Word.NOW, commands.end_now),
    _tap(Word.MORE, commands.show_more),
    _any_tap(_not_ours),
)
"""What can be said at a table whatever it asks."""


def _by_key(*handlers: Handler) -> Mapping[str, Handler]:
    """Of two that look for the same the first counts."""
    return {_KEYS[handler]: handler for handler in reversed(handlers)}


_OF_NO_TABLE = _by_key(*OPEN)
_OF_TABLES = {phase: _by_key(*handlers, *ALWAYS) for phase, handlers in PHASES.items()}
_OF_ENDED = _by_key(*ALWAYS)
_OF_ANY = _by_key(*OPEN, *ALWAYS, *(handler for handlers in PHASES.values() for handler in handlers))


def handler_for(phase: Phase | None, update: Update) -> tuple[Handler, object] | None:
    """Whoever is meant by an update at a table in this phase (``None``: where no table stands), with what PTB wants
    to know from his check; ``None`` if nobody is."""
    return _find(_OF_NO_TABLE if phase is None else _OF_TABLES.get(phase, _OF_ENDED), update)


def concerns_a_table(update: Update) -> bool:
    """Whether any handler of any phase is meant."""
    return _find(_OF_ANY, update) is not None


def _find(handlers: Mapping[str, Handler], update: Update) -> tuple[Handler, object] | None:
    """One look, whatever the update says: asking every handler would cost more than playing the move."""
    handler = handlers.get(_key(update)) or (handlers.get(_ANY_TAP) if update.callback_query else None)
    check = handler.check_update(update) if handler else None
    return None if handler is None or check is None or check is False else (handler, check)


def _key(update: Update) -> str:
    if update.callback_query:
        tap = read_tap(update.callback_query.data)
        return tap.word if tap else _ANY_TAP
    message = update.message
    if message is None or not message.text:
        return ""
    first = message.entities[0] if message.entities else None
    if first and first.type == MessageEntity.BOT_COMMAND and first.offset == 0:
        return message.text[: first.length].partition("@")[0].lower()
    return _A_REPLY if message.reply_to_message else ""
