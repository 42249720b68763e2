"""How fast calls may follow each other: a budget that is one point in time, when it is whole again.

Each call moves the point on by an interval; a call is granted as long as the point lies no further ahead than a burst
allows. So a few quick calls go out at once, and no span ever sees more than it may.
"""

from datetime import datetime, timedelta
from typing import NamedTuple, Self


class ForEverybody(float):
    """Seconds to wait, not for one group's sake: all groups together call as often as Telegram allows."""


class Pace(NamedTuple):
    """``burst`` calls at once after a quiet time, and then one every ``interval``."""

    interval: timedelta
    burst: int

    @classmethod
    def within(cls, calls: int, seconds: float, burst: int, spare: int = 0) -> Self:
        """At most ``calls`` in any so many seconds, of which ``spare`` are never made: what leaves us evenly does not
        arrive so."""
        return cls(timedelta(seconds=seconds / (calls - burst - spare)), burst)

    def price(self, free_at: datetime, now: datetime, spare: int = 0) -> tuple[float, datetime]:
        """Of one call: the seconds until it may be made (0 or less: now), and when the budget is whole again after it.

        ``spare``: what is not urgent leaves so many calls to what is.
        """
        start = max(free_at, now)
        return (start - now - self.interval * (self.burst - 1 - spare)).total_seconds(), start + self.interval


def group_pace(calls_a_minute: int) -> Pace:
    """Of one group, where Telegram takes so many messages and edits a minute: four quick moves are shown at once."""
    return Pace.within(calls_a_minute, 60, burst=4)


def common_pace(calls_a_second: int) -> Pace:
    """Of all groups together, where Telegram takes so many messages and edits a second."""
    return Pace.within(calls_a_second, 1, burst=max(1, calls_a_second // 10), spare=calls_a_second // 15)
