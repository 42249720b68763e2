"""Trouble on request: what the network and an overloaded Telegram do to a bot."""

from dataclasses import dataclass

from tgbot.playground.errors import ApiError, too_many_requests
from tgbot.playground.world import Json

KINDS = ("flood", "bad_gateway", "drop", "hang", "slow", "error")


@dataclass
class Fault:
    """One kind of trouble for the next `times` calls of a method.

    `*` means every method but getUpdates, which waits at all times and would swallow what is meant for
    others. `executed` makes a drop or a hang lose the answer only, after the call was carried out. A hang leaves
    the caller waiting for `seconds` before the connection closes; a slow call is carried out after so many.
    """

    kind: str
    method: str = "*"
    times: int = 1
    retry_after: int = 1
    seconds: float = 1.0
    status: int = 400
    description: str = "Bad Request"
    executed: bool = False

    @property
    def breaks(self) -> bool:
        """Whether the caller never gets an answer."""
        return self.kind in ("drop", "hang")

    def error(self) -> ApiError | None:
        """What the call is answered instead, if this kind answers at all."""
        if self.kind == "flood":
            return too_many_requests(self.retry_after)
        if self.kind == "bad_gateway":
            return ApiError(502, "Bad Gateway")
        if self.kind == "error":
            return ApiError(self.status, self.description)
        return None


class Faults:
    """The trouble still to come, first come first served."""

    def __init__(self) -> None:
        self._queue: list[Fault] = []

    def add(self, fault: Fault) -> None:
        self._queue.append(fault)

    def clear(self) -> None:
        self._queue.clear()

    def take(self, method: str) -> Fault | None:
        """The next fault for this method, used up by one."""
        name = method.lower()
        for fault in self._queue:
            if fault.method.lower() == name or (fault.method == "*" and name != "getupdates"):
                fault.times -= 1
                if fault.times < 1:
                    self._queue.remove(fault)
                return fault
        return None


def parse(body: Json) -> Fault:
    """A fault from the people's JSON; a wrong kind or field raises ValueError or TypeError."""
    if body.get("kind") not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}")
    return Fault(**body)
