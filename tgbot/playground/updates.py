"""The queue of updates for the bot: numbered, kept until confirmed, fetched by long poll.

Telegram delivers at least once: an update stays until a getUpdates with a higher offset confirms it, and
only one poller is served at a time. A tap is dropped after 150 seconds, since nobody waits any longer.
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass

from tgbot.playground.errors import ApiError, conflict
from tgbot.playground.world import Json

KINDS = (
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "inline_query",
    "chosen_inline_result",
    "callback_query",
    "shipping_query",
    "pre_checkout_query",
    "poll",
    "poll_answer",
    "my_chat_member",
    "chat_join_request",
    "chat_boost",
    "removed_chat_boost",
    "business_connection",
    "business_message",
    "edited_business_message",
    "deleted_business_messages",
    "purchased_paid_media",
)
"""What a bot gets that has not said what it wants."""

ON_REQUEST = ("chat_member", "message_reaction", "message_reaction_count")
"""What a bot gets only when it names it."""

TERMINATED = conflict("terminated by other getUpdates request; make sure that only one bot instance is running")
WEBHOOK_ACTIVE = conflict(
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
)
_TAP_LIFE = 150


@dataclass
class Update:
    """An update as it waits: `lane` names what it must stay in order with."""

    content: Json
    lane: str
    born: float

    @property
    def id(self) -> int:
        number: int = self.content["update_id"]
        return number

    @property
    def is_tap(self) -> bool:
        return "callback_query" in self.content


class Updates:
    """The queue. `listener` is told of every new update while a webhook is set.

    Trouble on request: the next `duplicates` are delivered twice; each of the next `late` holds up its lane for
    `late_by` seconds.
    """

    def __init__(self, clock: Callable[[], float], first_id: int = 731_594_303) -> None:
        self.clock = clock
        self.allowed: list[str] = []
        self.duplicates = 0
        self.late = 0
        self.late_by = 1.0
        self.listener: Callable[[Update], None] | None = None
        self._next_id = first_id
        self._queue: list[Update] = []
        self._held: dict[str, list[tuple[str, str, float]]] = {}
        self._news: asyncio.Future[None] | None = None
        self._closed = False

    def add(self, kind: str, content: Json, lane: str) -> None:
        """Queue an update, if the bot wants this kind, and wake whoever waits for it."""
        if kind not in (self.allowed or KINDS):
            return
        # A copy, because an update tells what was true when it happened.
        told = kind, json.dumps(content), self.clock()
        if self.late and lane not in self._held:
            self.late -= 1
            self._held[lane] = []
            asyncio.get_running_loop().call_later(self.late_by, self._release, lane)
        if lane in self._held:
            self._held[lane].append(told)
        else:
            self._queue_up(lane, *told)

    @property
    def held(self) -> int:
        """How many updates are held up."""
        return sum(map(len, self._held.values()))

    def _release(self, lane: str) -> None:
        for told in self._held.pop(lane):
            self._queue_up(lane, *told)

    def _queue_up(self, lane: str, kind: str, content: str, born: float) -> None:
        times = 1
        if self.duplicates:
            self.duplicates -= 1
            times = 2
        frozen = {"update_id": self._next_id, kind: json.loads(content)}
        self._next_id += 1
        for _ in range(times):
            update = Update(frozen, lane, born)
            self._queue.append(update)
            if self.listener is not None:
                self.listener(update)
        self._wake()

    def pending(self) -> list[Update]:
        """What still waits, without taps too old to matter."""
        alive = self.clock() - _TAP_LIFE
        self._queue = [update for update in self._queue if not (update.is_tap and update.born < alive)]
        return list(self._queue)

    def remember_allowed(self, allowed: list[str] | None) -> None:
        """Keep what the bot asked for until it asks for something else; None says nothing new."""
        if allowed is not None:
            self.allowed = [kind for kind in allowed if kind in KINDS or kind in ON_REQUEST]

    def confirm(self, update: Update) -> None:
        """Forget one delivery, as a webhook's 200 does."""
        self._queue = [other for other in self._queue if other is not update]

    def drop(self) -> None:
        self._queue = []

    async def poll(self, offset: int, limit: int, timeout: float) -> list[Json]:  # noqa: ASYNC109 - the bot says
        """getUpdates: confirm everything below `offset`, then wait for something to tell."""
        self.terminate(TERMINATED)
        if offset < 0:
            self._queue = self._queue[offset:]
        else:
            self._queue = [update for update in self._queue if update.id >= offset]
        if not self.pending() and timeout > 0 and not self._closed:
            mine = self._news = asyncio.get_running_loop().create_future()
            try:
                async with asyncio.timeout(timeout):
                    await mine
            except TimeoutError:
                return []
            finally:
                if self._news is mine:
                    self._news = None
        return [update.content for update in self.pending()[:limit]]

    def terminate(self, reason: ApiError) -> None:
        """End the poll that waits now, if one does."""
        if self._news is not None and not self._news.done():
            self._news.set_exception(reason)
        self._news = None

    def close(self) -> None:
        """Answer polls with what there is, without waiting, because the server stops."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)
