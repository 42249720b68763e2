"""Talk outside the game: hello, help, the rules in private, and the language of a group."""

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Message, Update

from domain.presets import PRESETS
from domain.settings import Settings
from persistence.chats import Chats
from tgbot.boardkeeper import BoardKeeper
from tgbot.buttons import Tap, Word
from tgbot.context import Context, place_of, tap_of, words_of
from tgbot.menu import game_named, unknown_game
from tgbot.rulecard import prices, rule_card
from tgbot.voice import Voice
from tgbot.words import LANGUAGES, Words, words

_LANGUAGE_NAMES = {"en": "English", "pl": "Polski"}


class Talk:
    """Handlers of everything that is not about a table."""

    def __init__(self, chats: Chats, keeper: BoardKeeper, voice: Voice) -> None:
        self._chats = chats
        self._keeper = keeper
        self._voice = voice

    async def start(self, update: Update, context: Context) -> None:
        """/start in private: what this is, and the button that adds the bot to a group."""
        tr = words_of(update)
        link = f"https://t.me/{context.bot.username}?startgroup=play"
        button = InlineKeyboardButton(tr("Add me to a group"), url=link, style="primary")
        text = tr(
            "Hello! I deal <b>In-Between</b>, also known as Acey-Deucey: two cards are open, and you bet that "
            "the third falls between them. The chips are only for play.\n\nAdd me to the group of your friends "
            "and send /newgame there."
        )
        await self._say(update, text, InlineKeyboardMarkup.from_button(button))

    async def help(self, update: Update, _: Context) -> None:
        """/help: every command in a line."""
        await self._say(update, help_text(await self._words(update)))

    async def rules(self, update: Update, context: Context) -> None:
        """/rules in private: the default game, or the one that is named."""
        tr = words_of(update)
        game = game_named(context.args) if context.args else "home_pot"
        if game is None:
            await self._say(update, unknown_game(tr))
        else:
            await self._say(update, rule_card(PRESETS[game], Settings().fitted(PRESETS[game]), tr))

    async def group_only(self, update: Update, _: Context) -> None:
        """A command of the table, sent in private."""
        tr = words_of(update)
        await self._say(update, tr("That works in a group. Add me to one and send it there."))

    async def language(self, update: Update, _: Context) -> None:
        """/language: which one this group plays in."""
        tr = words_of(update)
        if place_of(update) is None:
            await self._say(update, tr("I speak the language of your Telegram. In a group, /language chooses its own."))
            return
        buttons = [
            InlineKeyboardButton(_LANGUAGE_NAMES[name], callback_data=Tap(Word.LANGUAGE, amount=n).pack())
            for n, name in enumerate(LANGUAGES)
        ]
        await self._say(update, tr("Which language does this group play in?"), InlineKeyboardMarkup.from_row(buttons))

    async def language_chosen(self, update: Update, _: Context) -> None:
        """A tap on one of the languages."""
        tap, place, query = tap_of(update), place_of(update), update.callback_query
        if query is None or place is None or tap is None or tap.amount is None or tap.amount >= len(LANGUAGES):
            if query:
                await self._voice.toast(query)
            return
        language = LANGUAGES[tap.amount]
        await self._chats.set_language(place.chat, language)
        tr = words(language)
        await self._voice.toast(query, tr("This group plays in English now."))
        self._keeper.wake(place.chat)
        if isinstance(query.message, Message):
            self._voice.later(self._voice.remove(place.chat, [query.message.message_id]))

    async def _words(self, update: Update) -> Words:
        place = place_of(update)
        return words(await self._chats.language(place.chat)) if place else words_of(update)

    async def _say(self, update: Update, text: str, keyboard: InlineKeyboardMarkup | None = None) -> None:
        if isinstance(update.effective_message, Message):
            self._voice.later(self._voice.reply(update.effective_message, text, keyboard))


def commands(tr: Words) -> list[tuple[str, str]]:
    """The commands of a group with their descriptions, as the client's menu shows them."""
    return [
        ("newgame", tr("open a table")),
        ("join", tr("take a seat")),
        ("bet", tr("bet any amount: /bet 7")),
        ("table", tr("the board again, at the bottom")),
        ("rules", tr("the rules of this table")),
        ("share", tr("share a pot that is too big, if all agree")),
        ("passbank", tr("let the next one deal")),
        ("max", tr("another most bet (host): /max 20")),
        ("nudge", tr("remind whoever is asked")),
        ("leave", tr("take your chips and go")),
        ("end", tr("stop after this round")),
        ("kick", tr("make somebody leave (host, admin)")),
        ("language", tr("choose the group's language")),
        ("help", tr("how it all works")),
    ]


def private_commands(tr: Words) -> list[tuple[str, str]]:
    """The commands of a private chat."""
    return [("start", tr("add me to a group")), ("rules", tr("how the game goes")), ("help", tr("how it all works"))]


def help_text(tr: Words) -> str:
    """How to play, for somebody who has never seen the bot."""
    return "\n".join(
        [
            tr("<b>How it works</b>"),
            tr("/newgame opens a table, everybody taps Join, the host taps Start. Then tap what you bet."),
            "",
            *(f"/{name} – {what}" for name, what in commands(tr)),
            "",
            tr("What a hand brings or costs on average, in parts of the bet, if you play it best:"),
            *prices(tr),
            "",
            tr("Whoever is silent too long is reminded once; then the least bet is made for them."),
            tr("The chips are only for play: they cannot be bought or sold for money."),
        ]
    )
