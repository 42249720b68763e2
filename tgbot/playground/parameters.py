"""A call's parameters: read from the query, a form or JSON, checked against the method's table.

Telegram ignores a parameter it does not know. Here it is reported as well, because it is a mistake of the
bot that nobody would see otherwise.
"""

import json
from collections.abc import Callable
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from tgbot.playground.errors import bad_request
from tgbot.playground.world import Json

Table = dict[str, type]
"""The parameters of a method and what they are: int, bool, str, or dict for anything written as JSON."""


async def read(request: Request) -> Json:
    """Everything the request carries, from wherever Telegram takes it."""
    given: Json = dict(request.query_params)
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind == "application/json":
        if body := await request.body():
            try:
                parsed = json.loads(body)
            except ValueError as error:
                raise bad_request("can't parse JSON object") from error
            if not isinstance(parsed, dict):
                raise bad_request("JSON object expected")
            given |= parsed
    elif kind == "application/x-www-form-urlencoded":
        given |= parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True)
    elif kind == "multipart/form-data":
        given |= _multipart(request.headers["content-type"], await request.body())
    return {name: value for name, value in given.items() if value is not None}


def _multipart(content_type: str, body: bytes) -> Json:
    """The fields of a multipart form; it is MIME, which the mail parser reads. A file is only named."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1")
    fields: Json = {}
    for part in BytesParser(policy=HTTP).parsebytes(head + body).walk():
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(content, bytes):
            file = part.get_filename()
            fields[name] = content.decode("utf-8", "replace") if file is None else f"<file {file}>"
    return fields


class Parameters:
    """The parameters of one call."""

    def __init__(self, table: Table, given: Json, report: Callable[[str], None]) -> None:
        self._values: Json = {}
        self.report = report
        for name, value in given.items():
            if name not in table:
                report(f"unknown parameter {name}")
            else:
                self._values[name] = _read_as(table[name], value)

    def decoded(self) -> Json:
        """What was understood, for the record."""
        return self._values

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def text(self, name: str) -> str:
        value = self._values.get(name, "")
        return value if isinstance(value, str) else str(value)

    def integer(self, name: str, default: int = 0) -> int:
        value = self._values.get(name, default)
        return value if isinstance(value, int) else default

    def flag(self, name: str) -> bool:
        return self._values.get(name) is True

    def json(self, name: str, problem: str) -> Any:
        """A value written as JSON; None when absent or empty, `problem` when it is no JSON."""
        value = self._values.get(name)
        if isinstance(value, str):
            if not value:
                return None
            raise bad_request(problem)
        return value


def _read_as(kind: type, value: Any) -> Any:
    """The value as its type if it can be read so; else as it came, and the method will refuse it."""
    if kind is str or not isinstance(value, str):
        return value
    if kind is bool:
        return value.lower() in ("true", "yes", "1")
    try:
        return int(value) if kind is int else json.loads(value)
    except ValueError:
        return value
