"""How the two interfaces say no."""

from tgbot.playground.world import Json


class ApiError(Exception):
    """The Bot API refuses: a status, Telegram's text, and perhaps `parameters`."""

    def __init__(self, status: int, description: str, parameters: Json | None = None) -> None:
        super().__init__(description)
        self.status = status
        self.description = description
        self.parameters = parameters

    def body(self) -> Json:
        answer: Json = {"ok": False, "error_code": self.status, "description": self.description}
        if self.parameters:
            answer["parameters"] = self.parameters
        return answer


def bad_request(text: str, parameters: Json | None = None) -> ApiError:
    return ApiError(400, f"Bad Request: {text}", parameters)


def forbidden(text: str) -> ApiError:
    return ApiError(403, f"Forbidden: {text}")


def conflict(text: str) -> ApiError:
    return ApiError(409, f"Conflict: {text}")


def too_many_requests(seconds: int) -> ApiError:
    return ApiError(429, f"Too Many Requests: retry after {seconds}", {"retry_after": seconds})


class PeopleError(Exception):
    """The simulated client refuses what a real one would not offer: 400, 403 or 404."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
