"""The one reminder of a question: an edited board notifies nobody, a mention does."""

from telegram import ReplyParameters

from domain.table import Phase
from persistence.boards import Boards
from tgbot.names import shown
from tgbot.sheet import Scene, display_name
from tgbot.voice import Voice
from tgbot.words import words


class Reminder:
    """Calls a player, once for each question: near its end the clock does, or earlier anybody at the table."""

    def __init__(self, boards: Boards, voice: Voice) -> None:
        self._boards = boards
        self._voice = voice

    async def remind(self, number: int, asked: int) -> None:
        """Mention whoever has to answer this question; the message goes when he has acted."""
        view = await self._boards.view(number)
        player = view.table.actor
        if player is None or view.table.asked != asked:
            return
        tr = words(view.language)
        places = [seat.player for seat in view.table.seats]
        name = shown(display_name(Scene(number, view.names), player, places.index(player) + 1, tr))
        mention = f'<a href="tg://user?id={player}">{name}</a>'
        cutting = view.table.phase is Phase.CUT
        text = (
            tr("{name}, the deck waits for your cut.", name=mention)
            if cutting
            else tr("{name}, it's your turn!", name=mention)
        )
        quote = ReplyParameters(view.board, allow_sending_without_reply=True) if view.board else None
        message = await self._voice.say(view.place, text, quote=quote)
        if message and not await self._boards.reminded(number, asked, message.message_id):
            await self._voice.remove(view.place.chat, [message.message_id])  # he was faster
