"""Each chat stands in a line of its own: its updates one after the other, those of other chats beside them."""

import asyncio
from collections.abc import Awaitable
from typing import Any
from weakref import WeakValueDictionary

from telegram import Update
from telegram.ext import BaseUpdateProcessor

_AT_ONCE = 1024
"""Updates that may wait or run at the same time; a small number lets one flooding chat starve the others."""


class ChatLines(BaseUpdateProcessor):
    """PTB's processor with a lock for each chat; what other processes do is kept apart by the table's row."""

    def __init__(self) -> None:
        super().__init__(_AT_ONCE)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Wait for the chat's turn."""
        chat = update.effective_chat if isinstance(update, Update) else None
        if chat is None:
            await coroutine
            return
        lock = self._locks.setdefault(chat.id, asyncio.Lock())
        async with lock:
            await coroutine

    async def initialize(self) -> None:
        """Nothing to prepare."""

    async def shutdown(self) -> None:
        """Nothing to give back."""
