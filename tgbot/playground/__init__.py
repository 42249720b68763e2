"""A local Telegram: the Bot API over HTTP for a bot, and an HTTP interface for simulated people.

It exists so that the bot can be played, demonstrated and tested whole, without an account and without
the network. It knows nothing of the bot or its game; it only has to behave as Telegram does.
"""

from tgbot.playground.server import Playground

__all__ = ["Playground"]
