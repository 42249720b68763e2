"""When Telegram was last heard from."""

import time


class Pulse:
    """Counts the seconds since the last successful getUpdates, or the last update that came by itself."""

    def __init__(self) -> None:
        self._heard = time.monotonic()

    def beat(self) -> None:
        """Telegram was heard just now."""
        self._heard = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since then; since the beginning, if nothing was heard yet."""
        return time.monotonic() - self._heard
