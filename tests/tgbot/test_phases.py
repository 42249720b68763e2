"""Whoever is meant by an update is found in one look; he is whoever would be found by asking one after the other."""

from datetime import UTC, datetime

import pytest
from telegram import CallbackQuery, Chat, Message, MessageEntity, Update, User
from telegram.ext import ExtBot

from domain.table import Phase
from tgbot.buttons import Tap, Word
from tgbot.phases import ALWAYS, OPEN, PHASES, Handler, concerns_a_table, handler_for

GROUP = Chat(-100, Chat.SUPERGROUP)
ANN = User(5, "Ann", is_bot=False)


class NamedBot(ExtBot[None]):
    """A bot that knows its name without asking Telegram."""

    @property
    def username(self) -> str:
        return "inbetween_bot"


BOT = NamedBot("1:A")


def message(text: str, chat: Chat = GROUP, *, reply: bool = False, edited: bool = False) -> Update:
    begin = text.partition(" ")[0]
    entities = [MessageEntity(MessageEntity.BOT_COMMAND, 0, len(begin))] if begin.startswith("/") else []
    sent = datetime(2026, 12, 6, tzinfo=UTC)
    quoted = Message(1, sent, chat, text="How many?") if reply else None
    said = Message(2, sent, chat, from_user=ANN, text=text, entities=entities, reply_to_message=quoted)
    said.set_bot(BOT)
    return Update(1, edited_message=said) if edited else Update(1, message=said)


def tap(data: str) -> Update:
    return Update(1, callback_query=CallbackQuery("1", ANN, "1", data=data))


COMMANDS = (
    *("newgame", "join", "leave", "bet", "table", "rules", "end", "kick", "share", "passbank", "max", "nudge"),
    *("start", "help", "language", "unknown"),
)
UPDATES = [
    *(tap(Tap(word, 1, 2, amount).pack()) for word in Word for amount in (None, 3)),
    *(tap(data) for data in ("nonsense", "bet:x")),
    *(message(f"/{name}{rest}") for name in COMMANDS for rest in ("", " 5", "@inbetween_bot", "@other_bot 5", "@")),
    *(message(f"/{name.upper()}") for name in COMMANDS),
    *(message(text, reply=reply) for text in ("7", "hello /bet", "/bet 5", "/unknown") for reply in (True, False)),
    message("/bet 5", edited=True),
    message("7", reply=True, edited=True),
    message("/join", Chat(5, Chat.PRIVATE)),
    message("/join", Chat(-7, Chat.CHANNEL)),
    Update(1),
]


def matches(handler: Handler, update: Update) -> bool:
    check = handler.check_update(update)
    return check is not None and check is not False


@pytest.mark.parametrize("phase", [None, *Phase])
def test_the_same_handler_is_found_as_by_asking_all_of_them(phase: Phase | None) -> None:
    handlers = OPEN if phase is None else (*PHASES.get(phase, ()), *ALWAYS)
    found = 0
    for update in UPDATES:
        first = next((handler for handler in handlers if matches(handler, update)), None)
        answer = handler_for(phase, update)
        assert (answer and answer[0]) is first, update
        assert answer is None or answer[1] == answer[0].check_update(update)
        found += answer is not None
    assert found > len(COMMANDS)


def test_what_concerns_a_table_is_what_any_handler_is_meant_by() -> None:
    every = (*OPEN, *ALWAYS, *(handler for handlers in PHASES.values() for handler in handlers))
    for update in UPDATES:
        assert concerns_a_table(update) == any(matches(handler, update) for handler in every), update
