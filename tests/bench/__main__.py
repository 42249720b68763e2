"""What a tap costs: ``python -m tests.bench`` measures the bot and says where it misses its goals.

Every figure is measured here and now, the bot in a process of its own, over HTTP to a local Telegram; ratios compare
what ran side by side in the same minutes. Only the version before is compared by what was recorded of it, as a ratio
to the floor on the machine where that was done.
"""

import argparse
import asyncio
import json
import logging
import os
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.bench.measure import AGAINST_FLOOR, MEASURES, Bench, Figure
from tests.databases import KINDS
from tests.journeys.process import ROOT

_BEFORE = Path(__file__).with_name("v0.3.0.json")
_TIMES = 4.0
"""How many times the throughput of version 0.3.0 is wanted."""


def main() -> int:
    """Measure; the exit status is 1 if a goal was missed and ``--strict`` was said."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a twentieth of everything: does it run at all?")
    parser.add_argument("--only", choices=MEASURES, action="append", help="one measure (may be repeated)")
    parser.add_argument("--database", choices=(*KINDS, "both"), default="both")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    parser.add_argument("--strict", action="store_true", help="a goal that is missed is a failure")
    parser.add_argument("--bot", type=Path, default=ROOT, help="measure the bot of this checkout (throughput only)")
    options = parser.parse_args()
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it complains of connections that are cut
    found: dict[str, Sequence[Figure]] = {}
    with tempfile.TemporaryDirectory(prefix="inbetween-bench-") as folder:
        for kind in KINDS if options.database == "both" else (options.database,):
            bench = Bench(kind, Path(folder) / kind, 0.05 if options.quick else 1.0, options.bot.resolve())
            found[kind] = asyncio.run(_measure(bench, options.only or [*MEASURES]))
    if options.json:
        options.json.write_text(json.dumps(report(found), indent=2, ensure_ascii=False) + "\n")
    missed = [figure for figures in found.values() for figure in figures if not figure.is_met]
    print(f"\n{len(missed)} goals missed" if missed else "\nevery goal is met")
    return 1 if missed and options.strict else 0


async def _measure(bench: Bench, names: Sequence[str]) -> Sequence[Figure]:
    print(f"\n== {bench.kind}, {machine()}", flush=True)
    every: list[Figure] = []
    for name in names:
        begun = time.monotonic()
        figures = [*await MEASURES[name](bench)]
        figures += [against(figure, bench.kind) for figure in figures if figure.name == AGAINST_FLOOR]
        print(f"-- {name} ({time.monotonic() - begun:.0f} s)")
        for figure in figures:
            print(line(figure), flush=True)
        every += figures
    return every


def line(figure: Figure) -> str:
    """One row of the table."""
    goal = "" if figure.goal is None else f"{'at least' if figure.at_least else 'at most'} {figure.goal:g}"
    mark = "" if figure.goal is None else ("ok" if figure.is_met else "MISSED")
    return f"{figure.name:<72} {figure.value:>10.2f} {figure.unit:<4} {goal:<14} {mark}".rstrip()


def against(figure: Figure, kind: str) -> Figure:
    """How many times the throughput of the version before this is, each measured against the same floor."""
    before: dict[str, Any] = json.loads(_BEFORE.read_text())
    (recorded,) = (one["value"] for one in before["figures"][kind] if one["name"] == AGAINST_FLOOR)
    return Figure("moves a second against version 0.3.0", figure.value / recorded, "x", _TIMES, at_least=True)


def report(found: dict[str, Sequence[Figure]]) -> dict[str, Any]:
    """Everything that was found, with when and where."""
    figures = {kind: [figure._asdict() for figure in figures] for kind, figures in found.items()}
    return {"date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": machine(), "figures": figures}


def machine() -> str:
    """Where this is."""
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}"


if __name__ == "__main__":
    sys.exit(main())
