"""The bot as a process of its own: started, waited for until it polls, killed, started again.

A bot spends nearly all of its start on imports (some two seconds of computing), and dozens of kills would pay for
them dozens of times. So an interpreter that has imported everything stands by and forks: the child is a process like
any other, with a number of its own to kill, and runs ``python -m tgbot run`` from its first line on.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from tgbot.playground import Playground

ROOT = Path(__file__).parents[2]
START_TIME = 60.0
"""Seconds within which a bot polls, however busy the machine is."""

_MIDWIFE = """
import json, os, runpy, sys, traceback
import anyio._backends._asyncio, httpcore, psycopg, sqlalchemy.dialects.postgresql.psycopg
import tgbot.application, tgbot.demo  # and whatever the command line imports besides

for line in sys.stdin:
    order = json.loads(line)
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
        os.dup2(2, 1)
        os.environ.update(order["settings"])
        sys.argv = ["tgbot", "run"]
        status = 0
        try:
            runpy.run_module("tgbot", run_name="__main__", alter_sys=True)
        except SystemExit as leaving:
            status = leaving.code or 0
        except BaseException:
            traceback.print_exc()
            status = 70
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Bot:
    """One bot process after the other, on one database and one Telegram."""

    def __init__(self, playground: Playground, settings: Mapping[str, str], log: Path, midwife: "Midwife") -> None:
        self._playground = playground
        self._settings = settings
        self._sign = "setWebhook" if "WEBHOOK_URL" in settings else "getUpdates"
        self._midwife = midwife
        self.log = log
        self.process: int | None = None

    async def start(self) -> float:
        """Start it and wait until it polls, or opens its door; how many seconds that took."""
        begun, asked = time.monotonic(), calls(self._playground)
        self.begin()
        await polls(self._playground, asked, self.log, self._sign)
        return time.monotonic() - begun

    def begin(self) -> None:
        """Start it, and wait for nothing."""
        self.process = self._midwife.start(self._settings, self.log)

    async def ends(self) -> int:
        """Wait until it ends by itself; its exit status."""
        self.process = None
        return await asyncio.to_thread(self._midwife.status)

    async def kill(self) -> None:
        """SIGKILL: no line of the bot runs after this one."""
        assert await self._end(signal.SIGKILL) == -signal.SIGKILL, self.log.read_text()

    async def terminate(self) -> tuple[int, float]:
        """SIGTERM: its exit status, and the seconds that it took to leave."""
        begun = time.monotonic()
        return await self._end(signal.SIGTERM), time.monotonic() - begun

    async def _end(self, sign: signal.Signals) -> int:
        assert self.process is not None, "it was not started"
        os.kill(self.process, sign)
        self.process = None
        return await asyncio.to_thread(self._midwife.status)


class Midwife:
    """The interpreter that stands by. One bot at a time."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def start(self, settings: Mapping[str, str], log: Path) -> int:
        """The number of a new process."""
        assert self._process.stdin is not None
        print(json.dumps({"settings": dict(settings), "log": str(log)}), file=self._process.stdin, flush=True)
        return int(self._line())

    def status(self) -> int:
        """How the process ended; negative: by which signal. Waits for it."""
        return int(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


@contextmanager
def midwife() -> Iterator[Midwife]:
    """An interpreter that has imported the bot."""
    command = [sys.executable, "-c", _MIDWIFE]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Midwife(process)


@asynccontextmanager
async def bot_process(
    playground: Playground, database_url: str, folder: Path, midwife: Midwife, name: str = "bot", **settings: str
) -> AsyncIterator[Bot]:
    """A bot that can be started; whatever still runs of it at the end is killed."""
    defaults = environment(playground, database_url, folder)
    bot = Bot(playground, defaults | settings, folder / f"{name}.log", midwife)
    try:
        yield bot
    finally:
        if bot.process is not None:
            await bot.kill()


def environment(playground: Playground, database_url: str, folder: Path) -> dict[str, str]:
    """The settings of a bot on a local Telegram that takes any number of calls."""
    no_certificates = folder / "certificates"
    no_certificates.mkdir(exist_ok=True)
    return {
        "TELEGRAM_BOT_TOKEN": playground.token,
        "TELEGRAM_API_URL": playground.url,
        "DATABASE_URL": database_url,
        "GROUP_CALLS_A_MINUTE": "100000",
        "CALLS_A_SECOND": "100000",
        # Reading those that the world trusts is a third of a start, and nothing here is encrypted.
        "SSL_CERT_DIR": str(no_certificates),
        "SSL_CERT_FILE": "",
    }


def calls(playground: Playground) -> int:
    """How many calls the local Telegram has had."""
    number: int = playground.exchanges[-1]["n"] if playground.exchanges else 0
    return number


async def polls(playground: Playground, asked: int, log: Path, sign: str = "getUpdates") -> None:
    """Wait until a bot fetches its updates, or says where they are to be delivered, after call number ``asked``."""
    try:
        async with asyncio.timeout(START_TIME):
            while not any(call["n"] > asked and _is_done(call, sign) for call in playground.exchanges):
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError(f"the bot does not poll:\n{read(log)}") from None


def _is_done(call: Any, sign: str) -> bool:
    """A poll waits for its answer, and that is enough; a webhook is set when it has been answered."""
    return call["method"] == sign and (sign == "getUpdates" or call["status"] == 200)


def read(log: Path) -> str:
    """What the bot has written to standard error."""
    return log.read_text() if log.exists() else ""
