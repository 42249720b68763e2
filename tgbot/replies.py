"""Replies that are more than a toast: questions for an amount or a name, the rules, the board again."""

from collections.abc import Sequence

from telegram import ForceReply, InlineKeyboardButton, InlineKeyboardMarkup, Message, Update

from domain.choices import Bounds, choices, on_pair
from domain.commands import End
from domain.hand import Side, spread
from domain.odds import guess_odds, third_odds, unseen
from domain.presets import HOME_POT, PRESETS
from domain.rules import Rules
from domain.settings import Settings
from domain.table import Phase, Player, Table
from persistence.boards import Boards
from persistence.mapping import Place
from persistence.sitting import Sitting
from persistence.views import NoTableError
from tgbot.boardkeeper import BoardKeeper
from tgbot.buttons import Tap, Word
from tgbot.context import place_of, words_of
from tgbot.meanings import (
    Ask,
    AskWhom,
    Nudge,
    Saying,
    ShowBoard,
    ShowMore,
    ShowOdds,
    ShowRules,
    UnknownGame,
    Unreadable,
)
from tgbot.menu import unknown_game
from tgbot.names import safe_name, shown
from tgbot.reminder import Reminder
from tgbot.rulecard import rule_card
from tgbot.sheet import Scene, display_name
from tgbot.voice import Voice
from tgbot.words import Words, words


class Replies:
    """Everything the bot says in a group besides boards and toasts."""

    def __init__(self, boards: Boards, keeper: BoardKeeper, voice: Voice, reminder: Reminder) -> None:
        self._boards = boards
        self._keeper = keeper
        self._voice = voice
        self._reminder = reminder

    async def reply(self, update: Update, sitting: Sitting, meaning: Saying) -> None:
        """Say what was asked for; the table's transaction is over."""
        tr, place = words_of(update), place_of(update)
        table = sitting.table
        if place is None:
            return
        group = words(sitting.chat.language)
        match meaning:
            case Ask(player) if table is not None:
                await self._voice.answer(update, tr("Reply to my message with a number."))
                self._voice.later(self._ask(place, sitting, player, table, update, group))
            case AskWhom() if table is not None:
                self._voice.later(self._ask_whom(update, sitting.id, table, group))
            case ShowBoard():
                await self._voice.answer(update, tr("The board is at the bottom again.") if _is_tap(update) else "")
                await self.lower_board(sitting)
            case ShowRules(game):
                if update.callback_query:
                    await self._voice.toast(update.callback_query)
                rules, settings = _game(game, sitting)
                self._voice.later(self._explain(place, sitting, rule_card(rules, settings, group)))
            case ShowMore() if table is not None:
                await self._voice.answer(update, more(table.rules, tr), alert=True)
            case Nudge(player) if table is not None:
                await self._nudge(update, sitting, table, player, tr)
            case ShowOdds() if table is not None:
                await self._voice.answer(update, odds(table, tr))
            case UnknownGame():
                await self._voice.answer(update, unknown_game(tr))
            case Unreadable(example):
                await self.refuse(update, sitting, tr("Write a whole number of chips, like {example}", example=example))
            case _:
                pass  # the table that was asked about is gone

    async def _ask(
        self, place: Place, sitting: Sitting, player: Player, table: Table, update: Update, tr: Words
    ) -> None:
        bounds = _bounds(table)
        user = update.effective_user
        if bounds is None or user is None:
            return
        name = safe_name(user.full_name, tr("Player"))
        mention = f'<a href="tg://user?id={player}">{shown(name)}</a>'
        least, most = bounds.least, bounds.most
        if table.phase is Phase.CUT:
            question = tr("{name}, after which card? From {least} to {most}.", name=mention, least=least, most=most)
        elif table.phase is Phase.RAISE:
            question = tr("{name}, how many chips more? From {least} to {most}.", name=mention, least=least, most=most)
        else:
            question = tr("{name}, how many chips? From {least} to {most}.", name=mention, least=least, most=most)
        await self._prompt(sitting, await self._voice.say(place, question, _form(bounds)))

    async def _nudge(self, update: Update, sitting: Sitting, table: Table, player: Player, tr: Words) -> None:
        """The one reminder of a question, before its time: a group is not called to the same player twice."""
        if table.actor == player:
            await self._voice.answer(update, tr("It's your turn yourself."))
        elif await self._boards.take_reminder(sitting.id, table.asked):
            self._voice.later(self._reminder.remind(sitting.id, table.asked))
        else:
            await self._voice.answer(update, tr("A reminder for this hand is out already."))

    async def refuse(self, update: Update, sitting: Sitting | None, text: str) -> None:
        """Say why not; to somebody who replied with a number, together with the question for another one."""
        reply = update.message.reply_to_message if update.message else None
        user, table = update.effective_user, sitting.table if sitting else None
        is_asked = table is not None and user is not None and table.actor == user.id
        if sitting and is_asked and reply and reply.message_id == sitting.prompt:
            self._voice.later(self._ask_again(update, sitting, text))
        else:
            await self._voice.answer(update, text)

    async def _ask_again(self, update: Update, sitting: Sitting, text: str) -> None:
        message = update.effective_message
        bounds = _bounds(sitting.table) if sitting.table else None
        if isinstance(message, Message) and bounds is not None:
            await self._prompt(sitting, await self._voice.reply(message, text, _form(bounds)))

    async def _prompt(self, sitting: Sitting, message: Message | None) -> None:
        """The newest question for an amount counts; the one before is removed."""
        if message is None:
            return
        await self._boards.prompted(sitting.id, message.message_id)
        if sitting.prompt is not None:
            await self._voice.remove(message.chat_id, [sitting.prompt])

    async def lower_board(self, sitting: Sitting) -> None:
        """Send the board again, below what was written since."""
        if sitting.board is not None:
            await self._boards.lower(sitting.id)
            self._keeper.wake(sitting.chat.telegram_id)

    async def _explain(self, place: Place, sitting: Sitting, card: str) -> None:
        """Tell the rules, and bring the board of a game under way below them again."""
        await self._voice.say(place, card)
        if sitting.table is not None and sitting.table.round:
            await self.lower_board(sitting)

    async def _ask_whom(self, update: Update, number: int, table: Table, tr: Words) -> None:
        message = update.effective_message
        if not isinstance(message, Message):
            return
        try:
            names = (await self._boards.view(number)).names
        except NoTableError:
            return
        scene = Scene(number, names)
        buttons = [
            InlineKeyboardButton(
                display_name(scene, seat.player, place, tr),
                callback_data=Tap(Word.KICK, number, table.move, seat.player).pack(),
            )
            for place, seat in enumerate(table.present, 1)
        ]
        await self._voice.reply(message, tr("Who has to leave the table?"), InlineKeyboardMarkup(_in_rows(buttons)))

    def offer_to_stop_now(self, update: Update, sitting: Sitting, command: End) -> None:
        """Whoever may end the game by his word may also do it before the round is over."""
        table, message = sitting.table, update.effective_message
        by_word = table is not None and (command.admin or command.player == table.host)
        if table is None or not table.ending or table.phase is Phase.ENDED or not by_word:
            return
        tr = words(sitting.chat.language)
        data = Tap(Word.NOW, sitting.id, table.move).pack()
        keyboard = InlineKeyboardMarkup.from_button(InlineKeyboardButton(tr("Stop at once"), callback_data=data))
        if isinstance(message, Message):
            self._voice.later(self._voice.reply(message, tr("The game ends after this round."), keyboard))

    async def confirm_by_button(self, update: Update) -> None:
        """An admin who writes as the group has no name there, but his tap has one (trap 9)."""
        message = update.effective_message
        command = (message.text or "").partition("@")[0].split()[0].lower() if isinstance(message, Message) else ""
        word = {"/join": Word.JOIN, "/leave": Word.LEAVE, "/newgame": Word.NEW, "/end": Word.END}.get(command)
        place = place_of(update)
        if word is None or place is None or not isinstance(message, Message):
            return
        number, move = await self._boards.number(place)
        tr = words_of(update)
        tap = Tap(word if number else Word.NEW, number, move)
        keyboard = InlineKeyboardMarkup.from_button(InlineKeyboardButton(tr("It's me"), callback_data=tap.pack()))
        await self._voice.reply(message, tr("You write as the group. Tap, so that I see who you are."), keyboard)


def _game(name: str | None, sitting: Sitting) -> tuple[Rules, Settings]:
    """The game that is named, or the one on the table, or the one that the group would open."""
    if name is not None:
        return PRESETS[name], Settings().fitted(PRESETS[name])
    if sitting.table is not None:
        return sitting.table.rules, sitting.table.settings
    return sitting.choice or (HOME_POT, Settings())


def more(rules: Rules, tr: Words) -> str:
    """The commands that a board has no button for, in one toast."""
    return "\n".join(
        [
            tr("/bet 7 – any amount"),
            tr("/nudge – wake the sleeper"),
            tr("/table – board to the bottom"),
            tr("/join, /leave – come and go"),
            tr("/rules – how we play"),
            *([tr("/share – share the pot")] if rules.has_pot else []),
            *([tr("/passbank – new dealer")] if rules.has_dealer else []),
            tr("/end – stop after the round"),
        ]
    )


def odds(table: Table, tr: Words) -> str:
    """What the third card can do, counted over the cards that nobody has seen."""
    posts = [card.rank for card in table.posts]
    left = unseen(table)
    cards = sum(left.values())
    if on_pair(table):
        higher, lower = (guess_odds(table.rules, posts[0], left, side) for side in Side)
        return tr(
            "A pair: of {cards} unseen cards {higher} are higher, {lower} lower, {same} the same.",
            cards=cards,
            higher=higher,
            lower=lower,
            same=left.get(posts[0], 0),
        )
    third = third_odds(table.rules, posts, left, table.low_call is True)
    between = spread(table.rules, table.posts, table.low_call is True) or 0
    return tr.count(
        "{n} rank between: {win} of {cards} unseen cards win, {post} hit a post.",
        "{n} ranks between: {win} of {cards} unseen cards win, {post} hit a post.",
        between,
        win=third.win,
        cards=cards,
        post=third.post,
    )


def _form(bounds: Bounds) -> ForceReply:
    return ForceReply(selective=True, input_field_placeholder=f"{bounds.least} – {bounds.most}")


def _bounds(table: Table) -> Bounds | None:
    open_question = choices(table)
    return open_question.cut or open_question.stake or open_question.bet or open_question.more


def _is_tap(update: Update) -> bool:
    return update.callback_query is not None


def _in_rows(buttons: Sequence[InlineKeyboardButton]) -> list[Sequence[InlineKeyboardButton]]:
    return [buttons[start : start + 2] for start in range(0, len(buttons), 2)]
