"""What the Bot API's methods work with, and the checks that most of them begin with."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tgbot.playground.errors import bad_request, forbidden, too_many_requests
from tgbot.playground.flood import Flood
from tgbot.playground.network import Network
from tgbot.playground.parameters import Parameters, Table
from tgbot.playground.profile import Profile
from tgbot.playground.webhook import Webhook
from tgbot.playground.world import Chat


@dataclass
class Desk:
    """Where the bot's calls are handled."""

    network: Network
    flood: Flood
    profile: Profile
    webhook: Webhook
    mistakes: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Method:
    """A method of the Bot API: its name, the parameters it takes, and what it does."""

    name: str
    table: Table
    handle: Callable[[Desk, Parameters], Any | Awaitable[Any]]


class Described:
    """A result that Telegram answers with a description beside it."""

    def __init__(self, result: Any, description: str) -> None:
        self.result = result
        self.description = description


def chat_of(desk: Desk, given: Parameters) -> Chat:
    """The chat named by chat_id, whatever became of it. Usernames are not known here."""
    if not given.text("chat_id"):
        raise bad_request("chat_id is empty")
    world = desk.network.world
    chat = world.chats.get(given.integer("chat_id"))
    if chat is not None:
        return chat
    if given.integer("chat_id") in world.people:
        # Telegram knows the person, and refuses for another reason than for a number out of the air.
        raise forbidden("bot can't initiate conversation with a user")
    raise bad_request("chat not found")


def reachable(desk: Desk, given: Parameters) -> Chat:
    """The chat named by chat_id, if the bot can still get there."""
    chat = chat_of(desk, given)
    if not chat.is_group:
        person = desk.network.world.people[chat.id]
        if person.blocked:
            raise forbidden("bot was blocked by the user")
        return chat
    if chat.migrated_to is not None:
        parameters = {"migrate_to_chat_id": chat.migrated_to}
        raise bad_request("group chat was upgraded to a supergroup chat", parameters)
    if chat.deleted and chat.type == "group":
        raise forbidden("the group chat was deleted")
    member = chat.member(desk.network.world.bot.id)
    if member.status == "kicked":
        raise forbidden(f"bot was kicked from the {chat.type} chat")
    if not member.present:
        if member.user_id not in chat.members:
            raise bad_request("chat not found")
        raise forbidden(f"bot is not a member of the {chat.type} chat")
    return chat


def writable(desk: Desk, given: Parameters) -> Chat:
    """The chat named by chat_id, if the bot may write there."""
    chat = reachable(desk, given)
    if chat.is_group and not chat.member(desk.network.world.bot.id).can_send:
        raise bad_request("not enough rights to send text messages to the chat")
    return chat


def count_send(desk: Desk, chat: Chat) -> None:
    """Count a message or an edit against the flood limits."""
    if wait := desk.flood.send(chat.id, group=chat.is_group):
        raise too_many_requests(wait)
