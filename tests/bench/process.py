"""The process that is measured: started, watched from outside by its numbers in /proc, stopped."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from tests.journeys.process import ROOT, environment
from tgbot.playground import Playground

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_START = 60.0


class Process:
    """One bot."""

    def __init__(self, number: int, start: float) -> None:
        self._number = number
        self.start = start
        """Seconds from its first instruction to its first question for updates."""

    @property
    def cpu(self) -> float:
        """Seconds of processor that it has had, all its threads together."""
        fields = Path(f"/proc/{self._number}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def memory(self) -> int:
        """Bytes that it keeps in memory."""
        return int(Path(f"/proc/{self._number}/statm").read_text().split()[1]) * _PAGE


@asynccontextmanager
async def bot(
    telegram: Playground,
    url: str,
    folder: Path,
    *,
    home: Path = ROOT,
    command: Sequence[str] = (),
    settings: Mapping[str, str] = {},
) -> AsyncIterator[Process]:
    """A bot of its own; ``home`` is the checkout that it runs from, with its own environment if it has one."""
    python = home / ".venv" / "bin" / "python"
    line = [str(python if python.exists() else sys.executable), *(command or ("-m", "tgbot", "run"))]
    given = {**os.environ, **environment(telegram, url, folder), **settings}
    asked, begun = _asked(telegram), time.monotonic()
    with (folder / "bot.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(*line, cwd=home, env=given, stdout=log, stderr=log)
    try:
        async with asyncio.timeout(_START):
            while _asked(telegram) == asked:
                if process.returncode is not None:
                    raise RuntimeError(f"it has ended: {(folder / 'bot.log').read_text()[-2000:]}")
                await asyncio.sleep(0.001)
        yield Process(process.pid, time.monotonic() - begun)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            await process.wait()


def _asked(telegram: Playground) -> int:
    """How often updates have been asked for, as far as the record goes back."""
    found = [entry["n"] for entry in telegram.exchanges[-200:] if entry["method"] == "getUpdates"]
    return found[-1] if found else 0
