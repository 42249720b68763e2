"""Updates pushed to the bot: one POST an update, in order within a lane, again until it is taken.

A lane is a chat for messages and a person for taps, so two people of one group may be served at the same
moment. The request is written by hand: the product has no HTTP client of its own, and needs none here.
"""

import asyncio
import json
import re
import ssl
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from tgbot.playground.errors import bad_request
from tgbot.playground.updates import Update, Updates
from tgbot.playground.world import Json

_LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
_PATIENCE = 60.0
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 30.0


@dataclass
class _Target:
    """Where updates go, with the queues of the lanes that are busy."""

    url: SplitResult
    secret: str
    slots: asyncio.Semaphore
    lanes: dict[str, asyncio.Queue[Update]] = field(default_factory=dict)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)


class Webhook:
    """The webhook, set or not, and how it fares."""

    def __init__(self, updates: Updates) -> None:
        self._updates = updates
        self._target: _Target | None = None
        self._max_connections = 40
        self._trouble: Json = {}

    @property
    def active(self) -> bool:
        return self._target is not None

    def set(self, url: str, secret: str, max_connections: int) -> None:
        """Deliver to this address from now on, what already waits first."""
        parts = _checked(url)
        if secret and not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret):
            raise bad_request("secret token contains unallowed characters")
        self.remove()
        self._max_connections = max_connections or 40
        self._trouble = {}
        self._target = _Target(parts, secret, asyncio.Semaphore(self._max_connections))
        self._updates.listener = self._enqueue
        for update in self._updates.pending():
            self._enqueue(update)

    def remove(self) -> bool:
        """Stop delivering; whether there was a webhook at all."""
        target, self._target = self._target, None
        self._updates.listener = None
        if target is not None:
            for task in target.tasks:
                task.cancel()
        return target is not None

    def info(self) -> Json:
        info: Json = {
            "url": self._target.url.geturl() if self._target else "",
            "has_custom_certificate": False,
            "pending_update_count": len(self._updates.pending()),
        }
        if self._target is not None:
            info |= self._trouble | {"max_connections": self._max_connections}
            if self._target.url.hostname in _LOCAL_HOSTS:
                info["ip_address"] = "127.0.0.1"
        if self._updates.allowed:
            info["allowed_updates"] = self._updates.allowed
        return info

    def _enqueue(self, update: Update) -> None:
        target = self._target
        if target is None:
            return
        if update.lane not in target.lanes:
            target.lanes[update.lane] = asyncio.Queue()
            task = asyncio.create_task(self._serve(target, update.lane))
            target.tasks.add(task)
            task.add_done_callback(target.tasks.discard)
        target.lanes[update.lane].put_nowait(update)

    async def _serve(self, target: _Target, lane: str) -> None:
        """Deliver one lane's updates, each until it is taken or too old to matter."""
        queue = target.lanes[lane]
        while not queue.empty():
            update = queue.get_nowait()
            pause = _FIRST_PAUSE
            while any(update is waiting for waiting in self._updates.pending()):
                async with target.slots:
                    problem = await _post(target, update)
                if not problem:
                    self._updates.confirm(update)
                    break
                self._trouble = {
                    "last_error_date": int(self._updates.clock()),
                    "last_error_message": problem,
                }
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
        del target.lanes[lane]


def _checked(url: str) -> SplitResult:
    """Telegram wants HTTPS; a Bot API server of one's own also takes HTTP, here on this machine only."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known:
        raise bad_request("invalid webhook URL specified")
    if parts.scheme == "http" and parts.hostname not in _LOCAL_HOSTS:
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    return parts


async def _post(target: _Target, update: Update) -> str:
    """Send one update; the problem in Telegram's words, or '' when it was taken."""
    try:
        async with asyncio.timeout(_PATIENCE):
            status = await _exchange(target, json.dumps(update.content).encode())
    except TimeoutError:
        return "Read timeout expired"
    except ConnectionRefusedError:
        return "Connection refused"
    except (OSError, EOFError, ValueError):
        return "Connection reset by peer"
    return "" if status.startswith("2") else f"Wrong response from the webhook: {status}"


async def _exchange(target: _Target, body: bytes) -> str:
    """POST the body; the status with its reason, such as '200 OK'."""
    url = target.url
    secure = ssl.create_default_context() if url.scheme == "https" else None
    port = url.port or (443 if secure else 80)
    reader, writer = await asyncio.open_connection(url.hostname, port, ssl=secure)
    try:
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        head = [
            f"POST {path} HTTP/1.1",
            f"Host: {url.netloc.rpartition('@')[2]}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            "Connection: close",
        ]
        if target.secret:
            head.append(f"X-Telegram-Bot-Api-Secret-Token: {target.secret}")
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        await writer.drain()
        first = (await reader.readuntil(b"\r\n")).decode("latin-1")
        return first.strip().partition(" ")[2]
    finally:
        writer.close()
