"""The least that a durable bot has to do: the update parsed, the rows written by the driver, the same two calls.

Nothing of a game is in it: no rules, no words, no drawing, no locks, nobody's rights. python-telegram-bot's stock
request calls, and each database's own driver writes the rows that a move writes, and later that it was shown.
"""

import asyncio
import json
import os
import sqlite3
from typing import Any

import psycopg
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, Message, Update
from telegram.request import HTTPXRequest

_REST = json.dumps({"queue": [1, 2, 3], "shoe": ["5H"] * 52, "played": [["5H", "8C", "7D"]] * 3})
_EVENTS = json.dumps([{"kind": "bet", "player": 1, "chips": 2}, {"kind": "won", "player": 1, "chips": 2}] * 2)


class Rows:
    """The rows of a move, in a table of the bot's own schema."""

    def __init__(self, url: str) -> None:
        self._is_sqlite = url.startswith("sqlite")
        if self._is_sqlite:
            file = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
                file.execute(f"PRAGMA {pragma}")
            self._connection: Any = file
        else:
            self._connection = psycopg.connect(url.replace("+psycopg", ""), autocommit=True)

    def _do(self, statement: str, *values: Any) -> Any:
        return self._connection.execute(statement if self._is_sqlite else statement.replace("?", "%s"), values)

    def open(self, chat: int) -> int:
        """A table of four; its number."""
        now = "2026-12-06 20:15:00+00:00"
        self._do("BEGIN")
        row = "INSERT INTO chats (telegram_id, language, active, free_at) VALUES (?, 'en', ?, ?) RETURNING id"
        (group,) = self._do(row, chat, True, now).fetchone()
        columns = (
            "chat_id, topic, move, asked, phase, host, round, pot, house, seed, shuffles, rules, settings, rest,"
            " opened_at, page, shown, heard"
        )
        values = (group, 0, 1, 1, "decide", 1, 1, 4, 0, "5eed", 1, "{}", "{}", _REST, now, 0, 0, 0)
        marks = ", ".join("?" * len(values))
        (number,) = self._do(f"INSERT INTO tables ({columns}) VALUES ({marks}) RETURNING id", *values).fetchone()  # noqa: S608
        for place in range(4):
            self._do(
                "INSERT INTO seats (table_id, player, place, chips, cashed, bought, rebuys, missed, away, leaving,"
                " gone, newcomer) VALUES (?, ?, ?, 20, 0, 20, 0, 0, ?, ?, ?, ?)",
                *(number, place + 1, place, False, False, False, False),
            )
        self._do("COMMIT")
        return int(number)

    def play(self, number: int, move: int) -> None:
        """One move."""
        lock = "" if self._is_sqlite else " FOR UPDATE OF tables"
        self._do("BEGIN IMMEDIATE" if self._is_sqlite else "BEGIN")
        self._do(f"SELECT * FROM tables JOIN chats ON chats.id = chat_id WHERE tables.id = ?{lock}", number).fetchall()  # noqa: S608
        self._do("SELECT * FROM seats WHERE table_id = ?", number).fetchall()
        changed = "UPDATE tables SET move = ?, asked = ?, phase = 'decide', pot = pot + 1, rest = ? WHERE id = ?"
        self._do(changed, move, move, _REST, number)
        self._do("UPDATE seats SET chips = chips + 1 WHERE table_id = ? AND player = ?", number, move % 4 + 1)
        at = "2026-12-06 20:15:00+00:00"
        self._do("INSERT INTO journal (table_id, move, at, events) VALUES (?, ?, ?, ?)", number, move, at, _EVENTS)
        for account, chips in (("1", -2), ("pot", 2)):
            entry = "INSERT INTO ledger (table_id, move, account, chips) VALUES (?, ?, ?, ?)"
            self._do(entry, number, move, account, chips)
        self._do("COMMIT")

    def shown(self, number: int, move: int) -> None:
        """The board shows it."""
        self._do("UPDATE tables SET shown = ? WHERE id = ?", move, number)


class Floor:
    """A table in every group that asks for one; whoever taps there has made a move."""

    def __init__(self, bot: Bot, rows: Rows) -> None:
        self._bot, self._rows = bot, rows
        self._tables: dict[int, int] = {}
        self._moves: dict[int, int] = {}

    async def handle(self, update: Update) -> None:
        """A wish for a table, or a tap."""
        if update.message and (update.message.text or "").startswith("/newgame"):
            chat = update.message.chat_id
            self._tables[chat], self._moves[chat] = self._rows.open(chat), 1
            text, keyboard = self._board(chat, update.message.from_user.first_name if update.message.from_user else "")
            await self._bot.send_message(chat, text, reply_markup=keyboard)
        elif update.callback_query and isinstance(update.callback_query.message, Message):
            query, message = update.callback_query, update.callback_query.message
            chat = message.chat.id
            self._moves[chat] += 1
            self._rows.play(self._tables[chat], self._moves[chat])
            text, keyboard = self._board(chat, query.from_user.first_name)
            await asyncio.gather(
                query.answer("You bet 1 and win 1."),
                self._bot.edit_message_text(text, chat, message.message_id, reply_markup=keyboard),
            )
            self._rows.shown(self._tables[chat], self._moves[chat])

    def _board(self, chat: int, name: str) -> tuple[str, InlineKeyboardMarkup]:
        move = self._moves[chat]
        text = f"In-Between\nPot 4\n\n{name} 20, Bo 20, Cem 20, Ola 20\n\n{move} moves\n\n{name}, your turn:"
        words = ("bet", "bet", "bet", "other", "odds", "pass")
        buttons = [InlineKeyboardButton(f"{n}", callback_data=f"{word}:1:{move}:{n}") for n, word in enumerate(words)]
        return text, InlineKeyboardMarkup([buttons[:3], buttons[3:]])


async def main() -> None:
    """Play until it is killed."""
    token, telegram = os.environ["TELEGRAM_BOT_TOKEN"], os.environ["TELEGRAM_API_URL"]
    bot = Bot(token, base_url=f"{telegram}/bot", request=HTTPXRequest(connection_pool_size=256))
    async with bot, asyncio.TaskGroup() as handling:
        floor, offset = Floor(bot, Rows(os.environ["DATABASE_URL"])), 0
        while True:
            for update in await bot.get_updates(offset, timeout=10):
                offset = update.update_id + 1
                handling.create_task(floor.handle(update))


if __name__ == "__main__":
    asyncio.run(main())
