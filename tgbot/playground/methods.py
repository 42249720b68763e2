"""The methods about the bot itself, about chats, and about how updates come; and the list of all."""

import re
from typing import Any

from tgbot.playground import membership, sending, shapes
from tgbot.playground.desk import Described, Desk, Method, chat_of, reachable
from tgbot.playground.errors import bad_request, too_many_requests
from tgbot.playground.parameters import Parameters, Table
from tgbot.playground.profile import scope_key
from tgbot.playground.updates import WEBHOOK_ACTIVE
from tgbot.playground.world import Json, Member

_LONGEST_POLL = 50
_MOST_UPDATES = 100
_MOST_COMMANDS = 100
_LONGEST_TEXTS = {"name": 64, "description": 512, "short_description": 120}


def get_me(desk: Desk, _: Parameters) -> Json:
    return shapes.me(desk.network.world.bot, privacy=desk.network.privacy)


async def get_updates(desk: Desk, given: Parameters) -> list[Json]:
    if desk.webhook.active:
        raise WEBHOOK_ACTIVE
    updates = desk.network.updates
    updates.remember_allowed(_allowed(given))
    limit = given.integer("limit", _MOST_UPDATES)
    timeout = min(max(given.integer("timeout"), 0), _LONGEST_POLL)
    return await updates.poll(given.integer("offset"), limit if 0 < limit <= _MOST_UPDATES else _MOST_UPDATES, timeout)


def set_webhook(desk: Desk, given: Parameters) -> Any:
    if not given.text("url"):
        return delete_webhook(desk, given)
    if wait := desk.flood.webhook():
        raise too_many_requests(wait)
    updates = desk.network.updates
    if given.flag("drop_pending_updates"):
        updates.drop()
    desk.webhook.set(given.text("url"), given.text("secret_token"), given.integer("max_connections"))
    updates.remember_allowed(_allowed(given))
    updates.terminate(WEBHOOK_ACTIVE)
    return Described(True, "Webhook was set")


def delete_webhook(desk: Desk, given: Parameters) -> Described:
    if given.flag("drop_pending_updates"):
        desk.network.updates.drop()
    was_set = desk.webhook.remove()
    return Described(True, "Webhook was deleted" if was_set else "Webhook is already deleted")


def get_webhook_info(desk: Desk, _: Parameters) -> Json:
    return desk.webhook.info()


def get_chat(desk: Desk, given: Parameters) -> Json:
    """Even a group that became a supergroup is still told of."""
    chat = chat_of(desk, given)
    if chat.migrated_to is None and chat.is_group:
        reachable(desk, given)
    return shapes.full_chat(desk.network.world, chat)


def get_chat_member(desk: Desk, given: Parameters) -> Json:
    chat = reachable(desk, given)
    world = desk.network.world
    if world.user(given.integer("user_id")) is None:
        raise bad_request("user not found")
    if not chat.is_group:
        return shapes.member(world, Member(given.integer("user_id")))
    return shapes.member(world, chat.member(given.integer("user_id")))


def get_chat_member_count(desk: Desk, given: Parameters) -> int:
    chat = reachable(desk, given)
    return len(chat.present()) if chat.is_group else 2


def get_chat_administrators(desk: Desk, given: Parameters) -> list[Json]:
    """Without other bots, but with this one."""
    chat = reachable(desk, given)
    world = desk.network.world
    if not chat.is_group:
        raise bad_request("there are no administrators in the private chat")
    heads = [member for member in chat.present() if member.administrates]
    return [
        shapes.member(world, member)
        for member in heads
        if given.flag("return_bots") or member.user_id == world.bot.id or not _is_bot(desk, member)
    ]


def leave_chat(desk: Desk, given: Parameters) -> bool:
    chat = reachable(desk, given)
    if not chat.is_group:
        raise bad_request("chat not found")
    membership.leave_as_bot(desk.network, chat)
    return True


def set_my_commands(desk: Desk, given: Parameters) -> bool:
    commands = given.json("commands", "can't parse commands JSON object")
    if not isinstance(commands, list):
        raise bad_request("expected an Array of BotCommand")
    if len(commands) > _MOST_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    kept = []
    for command in commands:
        if not isinstance(command, dict):
            raise bad_request("can't parse BotCommand: expected an Object")
        name, description = command.get("command", "").removeprefix("/"), command.get("description", "")
        if not re.fullmatch(r"[a-z0-9_]{1,32}", name):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(description) <= 256:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
        kept.append({"command": name, "description": description})
    scopes = desk.profile.commands.setdefault(_scope(given), {})
    scopes[_language(given)] = kept
    desk.network.events.add("state")
    return True


def get_my_commands(desk: Desk, given: Parameters) -> list[Json]:
    return desk.profile.commands.get(_scope(given), {}).get(_language(given), [])


def delete_my_commands(desk: Desk, given: Parameters) -> bool:
    desk.profile.commands.get(_scope(given), {}).pop(_language(given), None)
    desk.network.events.add("state")
    return True


def done(_: Desk, __: Parameters) -> bool:
    """logOut and close: a local server has nothing to leave."""
    return True


def _texts(suffix: str, kind: str) -> tuple[Method, Method]:
    """The pair of methods that keep one of the bot's texts, and a name that is the bot's own."""

    def set_text(desk: Desk, given: Parameters) -> bool:
        text = given.text(kind)
        if len(text) > _LONGEST_TEXTS[kind]:
            raise bad_request(f"BOT_{kind.upper()}_TOO_LONG")
        desk.profile.set_text(kind, _language(given), text)
        if kind == "name" and text and not _language(given):
            desk.network.world.bot.first_name = text
        desk.network.events.add("state")
        return True

    def get_text(desk: Desk, given: Parameters) -> Json:
        text = desk.profile.text(kind, _language(given))
        return {kind: text or (desk.network.world.bot.first_name if kind == "name" else "")}

    return (
        Method(f"setMy{suffix}", {kind: str, "language_code": str}, set_text),
        Method(f"getMy{suffix}", {"language_code": str}, get_text),
    )


def _allowed(given: Parameters) -> list[str] | None:
    allowed = given.json("allowed_updates", "can't parse allowed_updates JSON object")
    if allowed is not None and not isinstance(allowed, list):
        raise bad_request("expected an Array of String as allowed_updates")
    return allowed


def _scope(given: Parameters) -> str:
    scope = given.json("scope", "can't parse BotCommandScope JSON object")
    key = "default" if scope is None else scope_key(scope)
    if key is None:
        raise bad_request("can't parse BotCommandScope: Unsupported type specified")
    return key


def _language(given: Parameters) -> str:
    language = given.text("language_code")
    if language and not re.fullmatch(r"[a-z]{2}", language):
        raise bad_request("invalid language code specified")
    return language


def _is_bot(desk: Desk, member: Member) -> bool:
    person = desk.network.world.user(member.user_id)
    return person is not None and person.is_bot


_CHAT: Table = {"chat_id": int}
_COMMANDS: Table = {"scope": dict, "language_code": str}
_WEBHOOK: Table = {
    "url": str,
    "certificate": str,
    "ip_address": str,
    "max_connections": int,
    "allowed_updates": dict,
    "drop_pending_updates": bool,
    "secret_token": str,
}
_POLL: Table = {"offset": int, "limit": int, "timeout": int, "allowed_updates": dict}

_ALL = (
    *sending.METHODS,
    *_texts("Name", "name"),
    *_texts("Description", "description"),
    *_texts("ShortDescription", "short_description"),
    Method("getMe", {}, get_me),
    Method("logOut", {}, done),
    Method("close", {}, done),
    Method("getUpdates", _POLL, get_updates),
    Method("setWebhook", _WEBHOOK, set_webhook),
    Method("deleteWebhook", {"drop_pending_updates": bool}, delete_webhook),
    Method("getWebhookInfo", {}, get_webhook_info),
    Method("getChat", _CHAT, get_chat),
    Method("getChatMember", _CHAT | {"user_id": int}, get_chat_member),
    Method("getChatMemberCount", _CHAT, get_chat_member_count),
    Method("getChatAdministrators", _CHAT | {"return_bots": bool}, get_chat_administrators),
    Method("leaveChat", _CHAT, leave_chat),
    Method("setMyCommands", _COMMANDS | {"commands": dict}, set_my_commands),
    Method("getMyCommands", _COMMANDS, get_my_commands),
    Method("deleteMyCommands", _COMMANDS, delete_my_commands),
)

METHODS = {method.name.lower(): method for method in _ALL}
"""Every method, by its name in small letters: Telegram does not care about case."""
