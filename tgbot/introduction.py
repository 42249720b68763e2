"""What people read about the bot before they know it: its commands and descriptions in every language (trap 26)."""

import logging

from telegram import BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats
from telegram.error import TelegramError
from telegram.ext import ExtBot

from tgbot.talk import commands, private_commands
from tgbot.words import LANGUAGES, SOURCE, words

_LOG = logging.getLogger(__name__)


async def introduce(bot: ExtBot[None]) -> None:
    """Tell Telegram. A bot without commands and descriptions plays just as well."""
    try:
        for language in LANGUAGES:
            tr = words(language)
            code = None if language == SOURCE else language
            groups = [BotCommand(*command) for command in commands(tr)]
            private = [BotCommand(*command) for command in private_commands(tr)]
            await bot.set_my_commands(groups, BotCommandScopeAllGroupChats(), code)
            await bot.set_my_commands(private, BotCommandScopeAllPrivateChats(), code)
            about = tr("In-Between (Acey-Deucey) for your group: I deal, keep the pot and never lose a chip.")
            await bot.set_my_short_description(about, code)
            await bot.set_my_description(about + "\n\n" + tr("Add me to a group and send /newgame."), code)
    except TelegramError as error:
        _LOG.warning("commands and descriptions could not be registered: %s", error)
