"""An update on its way into the bot, however it came: fetched, or delivered to our door."""

import logging
from typing import Any

from telegram import Update

from tgbot.context import App, Context

_LOG = logging.getLogger(__name__)
Content = dict[str, Any]
"""An update as Telegram's JSON has it; its ``update_id`` is a whole number."""


def is_update(content: Any) -> bool:
    """Whether this is an update, whatever stands in it."""
    return isinstance(content, dict) and type(content.get("update_id")) is int


class Delivery:
    """Has updates handled, each in the line of its chat, and says how that went."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._errors: dict[int, Exception | None] = {}
        app.add_error_handler(self._note)

    async def bring(self, content: Content) -> Exception | None:
        """Have it handled; what its handler raised, if it did. What is no update at all is dropped: it would be none
        the next time either, and hold up every other."""
        try:
            update = Update.de_json(content, self._app.bot)
        except Exception:
            _LOG.exception("update %s is unlike anything known; it is dropped", content["update_id"])
            return None
        handling = self._app.process_update(update)
        self._errors[id(update)] = None
        try:
            await self._app.update_processor.process_update(update, handling)
        except BaseException:
            handling.close()  # if it was cut off while it waited in its line, it was never begun
            raise
        finally:
            error = self._errors.pop(id(update), None)
        return error

    async def _note(self, update: object, context: Context) -> None:
        """PTB hands errors to its handlers and says nothing to whoever gave it the update; so this one is a handler."""
        if id(update) in self._errors:
            self._errors[id(update)] = context.error
