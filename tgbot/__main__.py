"""The command line: ``inbetween`` runs the bot, ``inbetween demo`` plays without Telegram."""

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx
from pydantic import ValidationError
from telegram.error import InvalidToken, NetworkError, RetryAfter

from domain.presets import PRESETS
from persistence.backup import BackupError, backup, restore
from persistence.locks import SecondProcessError
from persistence.trouble import is_trouble
from tgbot.application import build, running
from tgbot.logs import set_up_logging
from tgbot.oddstables import as_json, as_text, table, table_as_json
from tgbot.polling import StalledError, WebhookSetError
from tgbot.serving import CannotListenError
from tgbot.settings import HEALTH, DatabaseSettings, Settings
from tgbot.web import WebhookRefusedError

_LOG = logging.getLogger(__name__)
_HEALTH_TIMEOUT = 5.0
"""Seconds that a bot which is well needs at most to say so."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 2 for what the host has to mend."""
    parser = argparse.ArgumentParser(prog="inbetween", description="In-Between (Acey-Deucey) for Telegram groups")
    parser.set_defaults(command=_run)
    subcommands = parser.add_subparsers(title="commands")
    subcommands.add_parser("run", help="run the bot (the default)").set_defaults(command=_run)
    trial = subcommands.add_parser("demo", help="play on this machine, with a local Telegram in the browser")
    trial.add_argument("--port", type=int, default=8080)
    trial.add_argument("--database", help="keep the tables in this SQLite file (default: a temporary one)")
    trial.set_defaults(command=_demo)
    health = subcommands.add_parser("health", help="ask the bot that runs here how it is (exit status 0: well)")
    health.set_defaults(command=_health)
    odds = subcommands.add_parser("odds", help="print the exact odds")
    odds.add_argument("--preset", choices=PRESETS, help="which game (default: home_pot)")
    odds.add_argument("--decks", type=int, choices=range(1, 9), help="how many decks (default: the game's own)")
    odds.add_argument("--json", action="store_true", help="as JSON; alone: all about a fresh deck")
    odds.set_defaults(command=_odds)
    copy = subcommands.add_parser("backup", help="copy the SQLite database to a file, also while the bot runs")
    copy.add_argument("file", type=Path)
    copy.set_defaults(command=_backup)
    back = subcommands.add_parser("restore", help="put such a copy back, also while the bot runs")
    back.add_argument("file", type=Path)
    back.set_defaults(command=_restore)
    options = parser.parse_args(arguments)
    status: int = options.command(options)
    return status


def _run(_: argparse.Namespace) -> int:
    settings = _settings()
    if settings is None:
        return 2
    secret = settings.webhook_secret.get_secret_value() if settings.webhook_secret else None
    set_up_logging(settings.log_level, settings.telegram_bot_token.get_secret_value(), *filter(None, [secret]))
    try:
        asyncio.run(serve(settings))
    except InvalidToken:
        print("Telegram does not know this token. @BotFather shows the right one.", file=sys.stderr)
        return 2
    except (WebhookSetError, WebhookRefusedError, SecondProcessError, CannotListenError) as error:
        print(error, file=sys.stderr)
        return 2
    except (NetworkError, RetryAfter) as error:
        print(f"Telegram cannot be reached: {error}", file=sys.stderr)
        return 1
    except StalledError as error:
        print(error, file=sys.stderr)
        return 1
    except Exception as error:
        if not is_trouble(error):
            raise
        print(f"The database cannot be reached: {error}", file=sys.stderr)
        return 1
    return 0


def _settings() -> Settings | None:
    """What the host decided, or nothing, and he is told why."""
    try:
        return Settings()
    except ValidationError as error:
        for problem in error.errors():
            print(f"{'_'.join(map(str, problem['loc'])).upper()}: {problem['msg']}", file=sys.stderr)
        print("Set it in the environment or in a file .env; README.md tells how.", file=sys.stderr)
        return None


async def serve(settings: Settings) -> None:
    """Run the bot until it is told to stop (SIGTERM or SIGINT), or until nothing but a new start can help it."""
    house = build(settings)
    async with running(house, settings) as looked_after:
        _LOG.info("playing as @%s, tables in %s", house.app.bot.username, house.database.engine.url)
        told = asyncio.create_task(stopped())
        await asyncio.wait({told, looked_after}, return_when=asyncio.FIRST_COMPLETED)
        if not told.done():
            told.cancel()
            looked_after.result()
        _LOG.info("stopping")


async def stopped() -> None:
    """Wait for the signal to stop."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, stop.set)
    await stop.wait()


def _demo(options: argparse.Namespace) -> int:
    from tgbot.demo import demo  # only the demo needs a web server

    asyncio.run(demo(options.port, options.database, stopped))
    return 0


def _health(_: argparse.Namespace) -> int:
    """Ask the bot that runs on this machine how it is."""
    settings = _settings()
    if settings is None:
        return 2
    if settings.port is None:
        print("This bot serves no health page: set LISTEN_PORT.", file=sys.stderr)
        return 2
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.listen_host, settings.listen_host)  # noqa: S104
    address = f"http://{f'[{here}]' if ':' in here else here}:{settings.port}{HEALTH}"
    try:
        answer = httpx.get(address, timeout=_HEALTH_TIMEOUT, trust_env=False)
    except httpx.HTTPError as error:
        print(f"{address}: {error}", file=sys.stderr)
        return 1
    print(answer.text)
    return 0 if answer.is_success else 1


def _odds(options: argparse.Namespace) -> int:
    if options.json and options.preset is options.decks is None:
        print(as_json())
        return 0
    odds = table(options.preset or "home_pot", options.decks)
    print(table_as_json(odds) if options.json else "\n".join(as_text(odds)))
    return 0


def _backup(options: argparse.Namespace) -> int:
    return _copied(lambda database: backup(database.database_url, options.file))


def _restore(options: argparse.Namespace) -> int:
    return _copied(lambda database: asyncio.run(restore(database.database_url, options.file, database.grace_seconds)))


def _copied(copy: Callable[[DatabaseSettings], None]) -> int:
    try:
        copy(DatabaseSettings())
    except (BackupError, ValidationError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
