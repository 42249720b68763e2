"""A soak: groups play for a while, everything goes wrong that can, and at the end the books are checked.

``python -m tests.soak --seconds 120 --seed 7`` plays so long on SQLite with one process that polls, and then on
PostgreSQL with two replicas behind one webhook. The exit status is 1 if anything was wrong.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from tests.databases import KINDS
from tests.soak.evening import Soak


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="how long everything goes wrong (default: 120)")
    parser.add_argument("--seed", type=int, default=7, help="what people do and what goes wrong (default: 7)")
    parser.add_argument("--groups", type=int, default=12, help="how many groups play (default: 12)")
    parser.add_argument("--database", choices=(*KINDS, "both"), default="both")
    parser.add_argument("--keep", type=Path, help="leave the databases and logs in this folder")
    options = parser.parse_args()
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it complains of connections that we cut
    kinds = KINDS if options.database == "both" else (options.database,)
    faults = 0
    with tempfile.TemporaryDirectory(prefix="inbetween-soak-") as folder:
        for kind in kinds:
            place = (options.keep or Path(folder)) / kind
            place.mkdir(parents=True, exist_ok=True)
            faults += asyncio.run(_soak(kind, place, options))
    print("no faults" if not faults else f"{faults} faults")
    return 1 if faults else 0


async def _soak(kind: str, folder: Path, options: argparse.Namespace) -> int:
    print(f"== {kind}: {options.groups} groups for {options.seconds:g} s, seed {options.seed}", flush=True)
    soak = Soak(kind, folder, options.seed, options.groups)
    verdicts = await soak.run(options.seconds)
    print(f"groups {options.groups}, {', '.join(f'{name} {n}' for name, n in soak.games._asdict().items())}")
    print("people:", _listed(soak.people))
    print("trouble:", _listed(soak.trouble))
    print("processes:", _listed(soak.processes))
    print("calls:", _listed(soak.calls))
    print(soak.slowdown)
    for verdict in verdicts:
        print(verdict)
    for verdict in verdicts:
        for fault in verdict.faults[:10]:
            print(f"\n-- {verdict.name}:\n{_short(fault)}")
    return sum(len(verdict.faults) for verdict in verdicts)


def _short(fault: str) -> str:
    """A traceback's beginning and end tell enough; the whole is in the log."""
    lines = fault.splitlines()
    return fault if len(lines) <= 12 else "\n".join([*lines[:2], "...", *lines[-8:]])


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in Counter(counts).most_common())


if __name__ == "__main__":
    sys.exit(main())
