"""Taps and words of people as commands of the game: translation, and nothing else.

Every function looks at the update and the open table and says what is meant; it calls neither Telegram nor the
database. What is meant may also be something that is not a move: see `tgbot.meanings`.
"""

import secrets

from telegram import Message, MessageEntity, Update

from domain import commands as c
from domain.choices import require_game
from domain.hand import Side
from domain.refusals import Reason, Refusal
from domain.table import Phase, Player, Table
from tgbot.amounts import read_amount
from tgbot.buttons import Tap
from tgbot.context import Context, tap_of
from tgbot.meanings import (
    Ask,
    AskWhom,
    Meaning,
    NewTable,
    Nothing,
    Nudge,
    ShowBoard,
    ShowMore,
    ShowOdds,
    ShowRules,
    TurnPage,
    UnknownGame,
    Unreadable,
)
from tgbot.menu import Page, game_named, next_rules, next_settings, preset


def _player(update: Update) -> Player:
    user = update.effective_user
    if user is None:
        raise Refusal(Reason.NOT_SEATED)
    return user.id


def _table(context: Context) -> Table:
    if context.sitting is None or context.sitting.table is None:
        raise Refusal(Reason.GAME_OVER)
    return context.sitting.table


def _amount(update: Update) -> int:
    tap = tap_of(update)
    return tap.amount if tap and tap.amount is not None else 0


async def new_table(update: Update, context: Context) -> Meaning:
    """/newgame, perhaps with the name of a game, or the button of the greeting and of the last board."""
    game = game_named(context.args or ())
    return UnknownGame() if context.args and game is None else NewTable(_player(update), game)


async def join(update: Update, _: Context) -> Meaning:
    """/join or its button."""
    return c.Join(_player(update))


async def leave(update: Update, _: Context) -> Meaning:
    """/leave or its button."""
    return c.Leave(_player(update))


async def start(update: Update, _: Context) -> Meaning:
    """The start button; the luck of the whole game is drawn here, outside the game."""
    return c.Start(_player(update), secrets.token_hex(32))


async def cut(update: Update, _: Context) -> Meaning:
    """A place at which to cut."""
    return c.Cut(_player(update), _amount(update))


async def bet(update: Update, _: Context) -> Meaning:
    """A ready-made amount."""
    return c.Bet(_player(update), _amount(update))


async def call_high(update: Update, _: Context) -> Meaning:
    """An ace called high."""
    return c.CallAce(_player(update), low=False)


async def call_low(update: Update, _: Context) -> Meaning:
    """An ace called low."""
    return c.CallAce(_player(update), low=True)


async def guess_higher(update: Update, _: Context) -> Meaning:
    """Higher than the pair."""
    return c.Guess(_player(update), Side.HIGHER)


async def guess_lower(update: Update, _: Context) -> Meaning:
    """Lower than the pair."""
    return c.Guess(_player(update), Side.LOWER)


async def raise_(update: Update, _: Context) -> Meaning:
    """More on a blind bet, or nothing more."""
    return c.Raise(_player(update), _amount(update))


async def put_up(update: Update, _: Context) -> Meaning:
    """A dealer's stake."""
    return c.PutUp(_player(update), _amount(update))


async def pass_(update: Update, _: Context) -> Meaning:
    """The pass button."""
    return c.Pass(_player(update))


async def other_amount(update: Update, context: Context) -> Meaning:
    """The button for an amount of one's own: the bot asks for it, if it is this player's turn."""
    if _table(context).actor != _player(update):
        raise Refusal(Reason.NOT_YOUR_TURN)
    return Ask(_player(update))


async def typed_bet(update: Update, context: Context) -> Meaning:
    """/bet 7; while the deck is being cut, /bet 20 cuts below the twentieth card."""
    return _typed(update, context, " ".join(context.args or []))


async def replied_amount(update: Update, context: Context) -> Meaning:
    """A reply to the bot's question for an amount; a reply to anything else is talk and none of our business."""
    message = update.effective_message
    sitting = context.sitting
    asked = message.reply_to_message if message else None
    if message is None or asked is None or sitting is None or asked.message_id != sitting.prompt:
        return Nothing()
    return _typed(update, context, message.text or "")


def _typed(update: Update, context: Context, text: str) -> Meaning:
    player, table, message = _player(update), _table(context), update.effective_message
    amount = read_amount(text)
    if amount is None:
        return Unreadable()
    if message is None or context.sitting is None or not context.sitting.hear(message.message_id):
        return Nothing()
    match table.phase:
        case Phase.CUT:
            return c.Cut(player, amount)
        case Phase.STAKE:
            return c.PutUp(player, amount)
        case Phase.RAISE:
            return c.Raise(player, amount)
        case _:
            return c.Bet(player, amount)


async def back(update: Update, _: Context) -> Meaning:
    """The button of a player who was away."""
    return c.Back(_player(update))


async def rebuy(update: Update, _: Context) -> Meaning:
    """The button for new chips."""
    return c.Rebuy(_player(update))


async def end(update: Update, _: Context) -> Meaning:
    """/end: after this round, by the host's word, an admin's, or a vote."""
    return c.End(_player(update))


async def end_now(update: Update, _: Context) -> Meaning:
    """The button that does not wait for the round."""
    return c.End(_player(update), now=True)


async def kick(update: Update, _: Context) -> Meaning:
    """/kick in reply to somebody or with a mention of him, or the button with his name; else: who is meant?"""
    tap, message = tap_of(update), update.effective_message
    if tap:
        return c.Kick(_player(update), _amount(update))
    if not isinstance(message, Message):
        return Nothing()
    for entity in message.entities:
        if entity.type == MessageEntity.TEXT_MENTION and entity.user:
            return c.Kick(_player(update), entity.user.id)
    replied = message.reply_to_message
    # In a forum every message counts as a reply to the one that opened its topic; nobody is meant by that.
    if replied and replied.from_user and not replied.from_user.is_bot and not replied.forum_topic_created:
        return c.Kick(_player(update), replied.from_user.id)
    return AskWhom()


async def share_pot(update: Update, _: Context) -> Meaning:
    """/share: the pot has grown too big, let us share it."""
    return c.SharePot(_player(update))


async def pass_bank(update: Update, _: Context) -> Meaning:
    """/passbank: somebody else deals from the next round on."""
    return c.PassBank(_player(update))


async def max_bet(update: Update, context: Context) -> Meaning:
    """/max 20: another most bet from the next round on."""
    amount = read_amount(" ".join(context.args or []))
    return Unreadable("/max 20") if amount is None else c.SetMaxBet(_player(update), amount)


async def turn_page(update: Update, _: Context) -> Meaning:
    """A page of the lobby's menu."""
    number = _amount(update)
    if number not in set(Page):
        raise Refusal(Reason.OLD_BUTTON)
    return TurnPage(_player(update), Page(number))


async def choose_preset(update: Update, context: Context) -> Meaning:
    """A game from the menu."""
    rules = preset(_amount(update))
    table = _table(context)
    return c.SetUp(_player(update), rules, table.settings.fitted(rules, table.rules))


async def change_switch(update: Update, context: Context) -> Meaning:
    """The next value of a switch."""
    table = _table(context)
    rules = next_rules(table.rules, table.settings, _amount(update))
    return c.SetUp(_player(update), rules, table.settings.fitted(rules, table.rules))


async def change_setting(update: Update, context: Context) -> Meaning:
    """The next value of an agreement."""
    table = _table(context)
    settings = next_settings(table.rules, table.settings, _amount(update), len(table.seats))
    return c.SetUp(_player(update), table.rules, settings)


async def show_odds(_: Update, context: Context) -> Meaning:
    """The odds of the hand on the table."""
    if not _table(context).settings.odds:
        raise Refusal(Reason.ODDS_OFF)
    return ShowOdds()


async def nudge(update: Update, context: Context) -> Meaning:
    """/nudge: any player of the table has whoever is asked reminded."""
    table, player = _table(context), _player(update)
    require_game(table, player)
    return Nudge(player)


async def show_board(_: Update, context: Context) -> Meaning:
    """/table: the board again, at the bottom."""
    _table(context)
    return ShowBoard()


async def show_rules(_: Update, context: Context) -> Meaning:
    """/rules, perhaps with the name of a game, or the button of the lobby."""
    game = game_named(context.args or ())
    return UnknownGame() if context.args and game is None else ShowRules(game)


async def show_more(_: Update, __: Context) -> Meaning:
    """The button with three dots."""
    return ShowMore()


def stale(tap: Tap, table: Table, number: int) -> bool:
    """Whether a button belongs to another table, to a question that has been answered, or to a game that was restored
    to an earlier hand."""
    return tap.table != number or (tap.word.answers and not table.asked <= tap.move <= table.move)
