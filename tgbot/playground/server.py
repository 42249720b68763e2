"""The local Telegram as one server: the bot's side, the people's side, faults, the record and the page."""

import time
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tgbot.playground import faults
from tgbot.playground.api import Api
from tgbot.playground.desk import Desk
from tgbot.playground.errors import PeopleError
from tgbot.playground.flood import Flood
from tgbot.playground.network import Network
from tgbot.playground.people import People, read_json
from tgbot.playground.profile import Profile
from tgbot.playground.webhook import Webhook
from tgbot.playground.world import Json, Person, World
from tgbot.serving import Server

PAGE = Path(__file__).parent / "page"


class Playground:
    """A Telegram of one's own. `start` serves it within the running event loop; `stop` ends it.

    `flood` and `privacy` are Telegram's limits and may be switched off; `tap_life` is how long a tap waits
    for its answer; `clock` counts seconds since 1970.
    """

    def __init__(
        self,
        *,
        token: str = "7654321098:local-telegram-token",  # noqa: S107 - a local server's token opens nothing
        flood: bool = True,
        privacy: bool = True,
        first_name: str = "In-Between",
        username: str = "inbetween_bot",
        tap_life: float = 15.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        number = token.partition(":")[0]
        bot = Person(int(number) if number.isdecimal() else 7_654_321_098, first_name, username=username, is_bot=True)
        self.token = token
        self.world = World(bot, clock)
        self.network = Network(self.world, clock, privacy=privacy, tap_life=tap_life)
        self.profile = Profile()
        self.webhook = Webhook(self.network.updates)
        self.flood = Flood(clock, on=flood)
        self.faults = faults.Faults()
        self.desk = Desk(self.network, self.flood, self.profile, self.webhook)
        self._api = Api(token, self.desk, self.faults)
        self.app = self._application()
        self.url = ""
        self._server = Server(self.app)

    @property
    def exchanges(self) -> list[Json]:
        """Every call of the bot, oldest first; an answer still to come is None."""
        return self._api.exchanges

    @property
    def mistakes(self) -> list[tuple[str, str]]:
        """(method, what) for methods, parameters and fields that Telegram does not have."""
        return self.desk.mistakes

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> str:
        """Serve on this port, or a free one for 0; the address, also in `url`."""
        self.url = f"http://{host}:{await self._server.start(host, port)}"
        return self.url

    async def stop(self) -> None:
        """Let everybody who waits go, then end the server."""
        self.webhook.remove()
        self.network.events.close()
        self.network.updates.close()
        await self._server.stop()

    def _application(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", self._page),
                Mount("/page", StaticFiles(directory=PAGE, check_dir=False)),
                *self._api.routes(),
                *People(self.network, self.profile).routes(),
                Route("/faults", self._add_fault, methods=["POST"]),
                Route("/faults/duplicate", self._duplicate, methods=["POST"]),
                Route("/faults/late", self._late, methods=["POST"]),
                Route("/faults/clear", self._clear_faults, methods=["POST"]),
                Route("/exchanges", self._exchanges),
            ],
            exception_handlers={PeopleError: _refuse},
        )

    async def _page(self, request: Request) -> Response:
        return FileResponse(PAGE / "index.html")

    async def _add_fault(self, request: Request) -> Response:
        try:
            self.faults.add(faults.parse(await read_json(request)))
        except (TypeError, ValueError) as error:
            raise PeopleError(400, str(error)) from error
        return JSONResponse({})

    async def _duplicate(self, request: Request) -> Response:
        self.network.updates.duplicates = int((await read_json(request)).get("times", 1))
        return JSONResponse({})

    async def _late(self, request: Request) -> Response:
        body = await read_json(request)
        updates = self.network.updates
        updates.late, updates.late_by = int(body.get("times", 1)), float(body.get("seconds", 1.0))
        return JSONResponse({})

    async def _clear_faults(self, request: Request) -> Response:
        self.faults.clear()
        self.network.updates.duplicates = self.network.updates.late = 0
        return JSONResponse({})

    async def _exchanges(self, request: Request) -> Response:
        after = int(request.query_params.get("after", 0))
        return JSONResponse({"exchanges": [entry for entry in self.exchanges if entry["n"] > after]})


async def _refuse(_: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, PeopleError) else 500
    return JSONResponse({"error": str(error)}, status)
