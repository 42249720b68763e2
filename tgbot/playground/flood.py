"""Telegram's flood limits: how soon a bot may send or edit again.

The real numbers are soft and unpublished beyond "about one message a second in a chat, 20 a minute in a
group, 30 a second over all chats"; edits count like messages. A refused call costs nothing here.
"""

import math
from collections import defaultdict, deque
from collections.abc import Callable

_GROUP = (20, 60.0)
_ALL = (30, 1.0)
_BURST = 5
_WEBHOOK_PAUSE = 1.0


class Flood:
    """Sliding windows over what was sent, in all and in each chat."""

    def __init__(self, clock: Callable[[], float], *, on: bool = True) -> None:
        self.on = on
        self._clock = clock
        self._all: deque[float] = deque()
        self._chats: dict[int, deque[float]] = defaultdict(deque)
        self._webhook = -math.inf

    def send(self, chat_id: int, *, group: bool) -> int:
        """Count a message or an edit; 0, or the seconds to wait, and then it does not count."""
        if not self.on:
            return 0
        now = self._clock()
        sent = self._chats[chat_id]
        # Short bursts pass: five at once, then one a second.
        waits = [_wait(self._all, now, *_ALL), _wait(sent, now, _BURST, float(_BURST), keep=_GROUP[1])]
        if group:
            waits.append(_wait(sent, now, *_GROUP))
        if (wait := max(waits)) > 0:
            return math.ceil(wait)
        sent.append(now)
        self._all.append(now)
        return 0

    def webhook(self) -> int:
        """Count a setWebhook, which Telegram allows about once a second."""
        if not self.on:
            return 0
        wait = self._webhook + _WEBHOOK_PAUSE - self._clock()
        if wait > 0:
            return math.ceil(wait)
        self._webhook = self._clock()
        return 0


def _wait(sent: deque[float], now: float, most: int, window: float, *, keep: float | None = None) -> float:
    """Seconds until fewer than `most` lie within the window; what is older than `keep` is forgotten."""
    while sent and sent[0] <= now - (keep or window):
        sent.popleft()
    recent = [at for at in sent if at > now - window]
    return recent[-most] + window - now if len(recent) >= most else 0.0
