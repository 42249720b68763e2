"""What the bot serves over HTTP, behind a proxy that speaks TLS: the door for Telegram's updates, and its health.

PTB's own web server answers before an update is handled (trap 22), so whatever happens then is lost. This door answers
when it is known what became of the update: Telegram delivers again what is not answered with 200, for a day.
"""

import asyncio
import hmac
import json
import logging
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from telegram.error import BadRequest

from persistence.boards import Boards
from persistence.trouble import is_trouble
from tgbot.context import App
from tgbot.delivery import Content, Delivery, is_update
from tgbot.duty import Duty
from tgbot.intake import ALLOWED_UPDATES
from tgbot.pulse import Pulse
from tgbot.settings import HEALTH

_LOG = logging.getLogger(__name__)
_SECRET = "X-Telegram-Bot-Api-Secret-Token"
LARGEST = 1024 * 1024
"""Bytes of an update; Telegram's are a few thousand."""
_CONNECTIONS = 40
"""Updates that Telegram may deliver at once; those of one chat wait in its line."""
_ANSWER = 3.0
"""Seconds within which the database has to answer to count as reachable."""

_KEPT = Response(status_code=200)
_LATER = Response("try again", status_code=503, headers={"Retry-After": "1"}, media_type="text/plain")


class WebhookRefusedError(RuntimeError):
    """Telegram does not deliver to this address."""


class Webhook:
    """The door for updates: each is answered when it has been handled and what it changed is committed.

    Only of somebody who taps faster than fingers do the surplus is not waited for: see `tgbot.lines`.
    """

    role = "webhook"
    is_well = True
    """Nobody knows better: an hour without updates is a quiet hour."""

    def __init__(self, app: App, duty: Duty, delivery: Delivery, pulse: Pulse, url: str, secret: str) -> None:
        self.path = urlsplit(url).path or "/"
        self._app = app
        self._delivery = delivery
        self._duty = duty
        self._pulse = pulse
        self._url = url
        self._secret = secret
        self._open = False

    async def start(self) -> None:
        """Open the door and tell Telegram where it is. Several replicas tell it the same.

        Raises:
            WebhookRefusedError: it does not deliver there.
        """
        await self._duty.begin()
        self._open = True
        try:
            await self._app.bot.set_webhook(
                self._url,
                secret_token=self._secret,
                allowed_updates=ALLOWED_UPDATES,
                max_connections=_CONNECTIONS,
                drop_pending_updates=False,
            )
        except BadRequest as error:
            raise WebhookRefusedError(f"Telegram does not deliver to WEBHOOK_URL: {error.message}") from error

    async def run(self) -> None:
        """Nothing needs to be looked after: it is Telegram who calls."""
        await asyncio.Event().wait()

    async def stop(self) -> None:
        """Take nothing more. The webhook stays set: there are other replicas, or Telegram keeps the updates."""
        self._open = False

    async def take(self, request: Request) -> Response:
        """One delivery: 403 without the secret, 413 and 400 for what Telegram would not send, 200 when it is done."""
        given = request.headers.get(_SECRET, "")
        if not hmac.compare_digest(given.encode(), self._secret.encode()):
            return PlainTextResponse("forbidden", 403)
        if not self._open:
            return _LATER
        body = await _body(request)
        if body is None:
            return PlainTextResponse("too large", 413)
        content = _update(body)
        if content is None:
            return PlainTextResponse("not an update", 400)
        self._pulse.beat()
        # What the database could not keep is to come again. What our own code stumbles over is not: it would stumble
        # every time, and until Telegram gives up, a day later, nothing else of that chat would get through.
        return _LATER if is_trouble(await self._delivery.bring(content)) else _KEPT


async def _body(request: Request) -> bytes | None:
    """The body, unless it is too large; nothing of that size is ever kept."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST:
                return None
    except ClientDisconnect:
        return b""
    return bytes(body)


def _update(body: bytes) -> Content | None:
    """The update, if that is what it is."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return content if is_update(content) else None


class Health:
    """How the bot is, for whoever restarts it or sends it no more requests."""

    def __init__(self, boards: Boards, pulse: Pulse, role: Callable[[], tuple[str, bool]]) -> None:
        self._boards = boards
        self._pulse = pulse
        self._role = role
        self._look: asyncio.Task[int] | None = None

    async def answer(self, _: Request) -> Response:
        """200 if the database answers and updates come in, else 503."""
        role, is_well = self._role()
        waiting = await self._boards_waiting()
        report = {
            "ok": is_well and waiting is not None,
            "role": role,
            "database": waiting is not None,
            "boards_waiting": waiting,
            "seconds_since_telegram": round(self._pulse.seconds, 1),
        }
        return JSONResponse(report, 200 if report["ok"] else 503)

    async def _boards_waiting(self) -> int | None:
        """``None`` if the database does not tell in time. However many ask, it is asked once; and it is not
        interrupted, for with SQLite its only connection is the players'."""
        if self._look is None or self._look.done():
            self._look = asyncio.create_task(self._boards.waiting())
        done, _ = await asyncio.wait({self._look}, timeout=_ANSWER)
        if not done:
            return None
        if error := self._look.exception():
            _LOG.warning("the database does not answer: %s", error)
            return None
        return self._look.result()


def application(health: Health, webhook: Webhook | None) -> Starlette:
    """The ASGI application: the door only if updates come through it."""
    routes = [Route(HEALTH, health.answer)]
    if webhook is not None:
        routes.append(Route(webhook.path, webhook.take, methods=["POST"]))
    served = Starlette(routes=routes)
    served.router.redirect_slashes = False
    return served
