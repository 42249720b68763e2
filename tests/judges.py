"""Independent judges of what passes between the bot and the local Telegram.

Two libraries that read the Bot API on their own look at every exchange: aiogram's pydantic models (Bot API
10.3) at the request and the result, python-telegram-bot (10.0) at the result. A field that either does not
know is a complaint, and so is a wrong type.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import aiogram.methods
import telegram
from aiogram.types import ResponseParameters
from aiogram.types import Update as AiogramUpdate
from pydantic import BaseModel, TypeAdapter, ValidationError

NEWER_THAN_PTB = {"can_send_welcome_messages"}
"""Fields of Bot API 10.1-10.3, which python-telegram-bot 22.8 rightly does not know."""

_PTB: dict[str, type[telegram.TelegramObject]] = {
    "getMe": telegram.User,
    "getUpdates": telegram.Update,
    "sendMessage": telegram.Message,
    "editMessageText": telegram.Message,
    "editMessageReplyMarkup": telegram.Message,
    "getChat": telegram.ChatFullInfo,
    "getChatMember": telegram.ChatMember,
    "getChatAdministrators": telegram.ChatMember,
    "getMyCommands": telegram.BotCommand,
    "getMyName": telegram.BotName,
    "getMyDescription": telegram.BotDescription,
    "getMyShortDescription": telegram.BotShortDescription,
    "getWebhookInfo": telegram.WebhookInfo,
}


def judge(exchanges: Iterable[dict[str, Any]]) -> None:
    """Fail with every complaint about these exchanges (see `Playground.exchanges`)."""
    complaints = [
        f"exchange {exchange.get('n')} {exchange['method']}: {complaint}"
        for exchange in exchanges
        for complaint in _about(exchange)
    ]
    assert not complaints, "\n".join(complaints)


def judge_update(update: dict[str, Any]) -> None:
    """Fail with every complaint about one update, as a webhook gets it."""
    complaints = list(_about_update(update))
    assert not complaints, "\n".join(complaints)


def _about(exchange: dict[str, Any]) -> Iterator[str]:
    name: str = exchange["method"]
    method = getattr(aiogram.methods, name[0].upper() + name[1:], None)
    if method is None:
        yield "no such method"
        return
    yield from (f"unknown parameter {key}" for key in exchange["request"].keys() - method.model_fields.keys())
    if exchange["status"] == 200:
        yield from _by_aiogram(_adapter(method), exchange["request"], "request")
    response = exchange["response"]
    if response is None:
        return  # The answer was lost on purpose, or is still to come.
    if not response["ok"]:
        yield from _about_refusal(exchange)
    elif name == "getUpdates":
        for update in response["result"]:
            yield from _about_update(update)
    else:
        yield from _by_aiogram(_adapter(method.__returning__), response["result"], "result")
        if name in _PTB:
            yield from _by_ptb(_PTB[name], response["result"])


def _about_refusal(exchange: dict[str, Any]) -> Iterator[str]:
    response = exchange["response"]
    if response["error_code"] != exchange["status"] or not response["description"]:
        yield "a refusal without its code or its reason"
    if "parameters" in response:
        yield from _by_aiogram(_adapter(ResponseParameters), response["parameters"], "parameters")


def _about_update(update: dict[str, Any]) -> Iterator[str]:
    yield from _by_aiogram(_adapter(AiogramUpdate), update, "update")
    yield from _by_ptb(telegram.Update, update)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Built once: pydantic takes its time."""
    return TypeAdapter(kind)


def _by_aiogram(adapter: TypeAdapter[Any], value: Any, what: str) -> Iterator[str]:
    try:
        parsed = adapter.validate_python(value)
    except ValidationError as error:
        yield f"{what}, says aiogram: {error}"
    else:
        yield from (f"{what}, unknown to aiogram: {name}" for name in _extras(parsed))


def _extras(value: Any) -> Iterator[str]:
    """The fields that no model claims, at any depth."""
    if isinstance(value, BaseModel):
        yield from (f"{type(value).__name__}.{name}" for name in value.model_extra or ())
        for name in type(value).model_fields:
            yield from _extras(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from _extras(item)


def _by_ptb(kind: type[telegram.TelegramObject], value: Any) -> Iterator[str]:
    for item in value if isinstance(value, list) else [value]:
        try:
            parsed = kind.de_json(item, None)
        except (TypeError, ValueError, KeyError) as error:
            yield f"python-telegram-bot cannot read it: {error!r}"
        else:
            yield from (f"unknown to python-telegram-bot: {name}" for name in _leftovers(parsed))


def _leftovers(value: Any) -> Iterator[str]:
    """What python-telegram-bot put aside as api_kwargs, at any depth."""
    if isinstance(value, telegram.TelegramObject):
        yield from (f"{type(value).__name__}.{name}" for name in value.api_kwargs if name not in NEWER_THAN_PTB)
        slots = {slot for kind in type(value).__mro__ for slot in getattr(kind, "__slots__", ())}
        for slot in slots - {"api_kwargs", "_bot", "_id_attrs"}:
            yield from _leftovers(getattr(value, slot, None))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leftovers(item)
