"""uvicorn as a guest in our own event loop."""

import asyncio
import socket
from collections.abc import Generator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp


class CannotListenError(OSError):
    """The port is taken, or the address is not ours."""


class _Guest(uvicorn.Server):
    """It says when it serves, and leaves the signals alone."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()
        self.leaving = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        """uvicorn looks ten times a second whether to end; whoever starts many servers would wait for that."""
        await self.leaving.wait()

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


class Server:
    """Serves one ASGI application from `start` to `stop`.

    ``farewell``: seconds for which the requests under way may go on after `stop`; then they are cut.
    """

    def __init__(self, app: ASGIApp, farewell: int = 1) -> None:
        # No access log: secrets stand in paths, the bot's token among them.
        self._config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            date_header=False,
            server_header=False,
            lifespan="off",
            timeout_graceful_shutdown=farewell,
        )
        self._guest: _Guest | None = None
        self._serving: asyncio.Task[None] | None = None

    async def start(self, host: str, port: int) -> int:
        """Serve on this port, or a free one for 0; which one it is.

        Raises:
            CannotListenError: the port is taken, or the address is not ours.
        """
        try:
            listening = _listen(host, port)
        except OSError as error:
            raise CannotListenError(f"nothing can be served at {host}:{port}: {error.strerror}") from error
        number: int = listening.getsockname()[1]
        self._guest = _Guest(self._config)
        self._serving = asyncio.create_task(self._guest.serve(sockets=[listening]))
        await self._guest.ready.wait()
        return number

    async def stop(self) -> None:
        """Take no new connections, finish what is under way, and end."""
        if self._guest is not None and self._serving is not None:
            self._guest.leaving.set()
            await self._serving


def _listen(host: str, port: int) -> socket.socket:
    """A socket on this port. It names TCP, else asyncio leaves Nagle's delay on and every answer takes 40 ms."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    return listening
