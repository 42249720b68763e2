"""The Bot API over HTTP: from a request to Telegram's envelope, with faults on the way and a record kept."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tgbot.playground import parameters
from tgbot.playground.desk import Described, Desk
from tgbot.playground.errors import ApiError
from tgbot.playground.faults import Fault, Faults
from tgbot.playground.methods import METHODS
from tgbot.playground.parameters import Parameters
from tgbot.playground.world import Json

_UNAUTHORIZED = ApiError(401, "Unauthorized")
_NO_METHOD = ApiError(404, "Not Found: method not found")
_NO_FILE = ApiError(404, "Not Found")
_KEPT = 20_000


class Broken(Response):
    """An answer that never comes whole: the connection closes in its middle."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})


class Api:
    """The bot's side of the server."""

    def __init__(self, token: str, desk: Desk, faults: Faults) -> None:
        self._token = token
        self._desk = desk
        self._faults = faults
        self.exchanges: list[Json] = []
        self._count = 0

    def routes(self) -> list[Route]:
        return [
            Route("/bot{token}/{method}", self._call, methods=["GET", "POST"]),
            Route("/file/bot{token}/{path:path}", self._file),
        ]

    async def _call(self, request: Request) -> Response:
        if request.path_params["token"] != self._token:
            return _answer(_UNAUTHORIZED)
        name = request.path_params["method"]
        fault = self._faults.take(name)
        if fault is not None and fault.kind == "slow":
            await asyncio.sleep(fault.seconds)
        try:
            given = await parameters.read(request)
        except ApiError as error:
            return _answer(error)
        except ClientDisconnect:
            return Broken()  # nobody is there to read it
        method = METHODS.get(name.lower())
        # Under Telegram's own spelling, whatever the bot wrote.
        name = method.name if method else name
        entry = self._record(name, given)
        try:
            body, status = await self._run(name, given, entry, fault), 200
        except ApiError as error:
            body, status = error.body(), error.status
        if fault is not None and fault.breaks:
            entry["status"], entry["response"] = 0, None
            await asyncio.sleep(fault.seconds if fault.kind == "hang" else 0)
            return Broken()
        entry["status"], entry["response"] = status, body
        return JSONResponse(body, status)

    async def _run(self, name: str, given: Json, entry: Json, fault: Fault | None) -> Json:
        method = METHODS.get(name.lower())
        if method is None:
            self._desk.mistakes.append((name, "unknown method"))
            raise _NO_METHOD
        read = Parameters(method.table, given, lambda what: self._desk.mistakes.append((name, what)))
        entry["request"] = given | read.decoded()
        if "secret_token" in read:
            entry["request"]["secret_token"] = "hidden"
        if fault is not None:
            if error := fault.error():
                raise error
            if fault.breaks and not fault.executed:
                return {}
        result: Any = method.handle(self._desk, read)
        if isinstance(result, Awaitable):
            result = await result
        if isinstance(result, Described):
            return {"ok": True, "result": result.result, "description": result.description}
        return {"ok": True, "result": result}

    def _record(self, name: str, given: Json) -> Json:
        """Keep the call in the order of its arrival; the answer is filled in when it is known."""
        self._count += 1
        entry: Json = {
            "n": self._count,
            "method": name,
            "request": given,
            "status": None,
            "response": None,
            "at": self._desk.network.updates.clock(),
        }
        self.exchanges.append(entry)
        del self.exchanges[:-_KEPT]
        return entry

    async def _file(self, request: Request) -> Response:
        """This Telegram has no files, so a good token finds none."""
        return _answer(_NO_FILE if request.path_params["token"] == self._token else _UNAUTHORIZED)


def _answer(error: ApiError) -> Response:
    return JSONResponse(error.body(), error.status)
