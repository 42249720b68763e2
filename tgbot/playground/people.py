"""The HTTP interface of the simulated people: what they do, and what their clients show them."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tgbot.playground import membership, shapes, talk
from tgbot.playground.errors import PeopleError
from tgbot.playground.network import Network
from tgbot.playground.profile import Profile
from tgbot.playground.world import Chat, Json, Person

_LONGEST_WAIT = 50.0
_NAMES = ("last_name", "username", "language_code")
Verb = Callable[["People", int, Json], Any]


class People:
    """The people's side of the server."""

    def __init__(self, network: Network, profile: Profile) -> None:
        self.network = network
        self.profile = profile

    def routes(self) -> list[Route]:
        return [
            Route("/people/state", self._answering(self._state)),
            Route("/people/events", self._answering(self._events)),
            Route("/people/{person}/chats/{chat}/messages", self._answering(self._messages)),
            Route("/people", self._answering(self._new_person), methods=["POST"]),
            Route("/people/{person}/{verb}", self._answering(self._verb), methods=["POST"]),
        ]

    def chat(self, who: int, body: Json) -> Chat:
        """The chat a body names; the bot's id means the private conversation with it."""
        number = _integer(body, "chat")
        if number == self.network.world.bot.id:
            number = who
        chat = self.network.world.chats.get(number)
        if chat is None:
            raise PeopleError(404, f"no chat has the id {number}")
        return chat

    def _person(self, request: Request) -> int:
        return membership.person(self.network, _id(request, "person"))

    @staticmethod
    def _answering(handler: Callable[[Request], Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                return JSONResponse(await handler(request))
            except PeopleError as error:
                return JSONResponse({"error": str(error)}, error.status)

        return endpoint

    async def _new_person(self, request: Request) -> Json:
        body = await read_json(request)
        world = self.network.world
        number = _integer(body, "id") if "id" in body else world.new_person_id()
        if world.user(number) is not None:
            raise PeopleError(400, f"the id {number} is taken")
        if not _text(body, "first_name").strip():
            raise PeopleError(400, "first_name is empty")
        names: Json = {name: _text(body, name) for name in ("first_name", *_NAMES) if body.get(name) is not None}
        person = Person(number, **names)
        person.is_bot = body.get("is_bot", False) is True
        world.people[number] = person
        self.network.events.add("state")
        return shapes.user(person)

    async def _verb(self, request: Request) -> Any:
        who = self._person(request)
        verb = _VERBS.get(request.path_params["verb"])
        if verb is None:
            raise PeopleError(404, "nobody knows how to do that")
        result = verb(self, who, await read_json(request))
        return await result if isinstance(result, Awaitable) else result

    async def _state(self, request: Request) -> Json:
        world = self.network.world
        return {
            "bot": shapes.user(world.bot) | self.profile.state(),
            "people": [
                shapes.user(person) | {"started": person.started, "blocked": person.blocked}
                for person in world.people.values()
            ],
            "chats": [self._chat_state(chat) for chat in world.chats.values() if not chat.deleted],
            "seq": self.network.events.seq,
        }

    def _chat_state(self, chat: Chat) -> Json:
        members = [
            {"id": member.user_id, "status": member.status, "is_anonymous": member.is_anonymous}
            for member in chat.present()
        ]
        title = chat.title
        if not chat.is_group:
            title = self.network.world.people[chat.id].first_name
            numbers = (chat.id, self.network.world.bot.id)
            members = [{"id": number, "status": "member", "is_anonymous": False} for number in numbers]
        return {
            "id": chat.id,
            "type": chat.type,
            "title": title,
            "is_forum": chat.is_forum,
            "migrated_to": chat.migrated_to,
            "members": members,
            "topics": [{"id": number, "name": name} for number, name in chat.topics.items()],
        }

    async def _messages(self, request: Request) -> Json:
        who = self._person(request)
        chat = self.chat(who, {"chat": _id(request, "chat")})
        if not (chat.member(who).present if chat.is_group else chat.id == who):
            raise PeopleError(403, "not a member of this group")
        world = self.network.world
        return {
            "messages": [shapes.message(world, one, for_people=True) for one in chat.messages.values()],
            "seq": self.network.events.seq,
        }

    async def _events(self, request: Request) -> Json:
        try:
            after = int(request.query_params.get("after", 0))
            timeout = float(request.query_params.get("timeout", 25))
        except ValueError as error:
            raise PeopleError(400, "after and timeout are numbers") from error
        events = await self.network.events.wait(after, min(timeout, _LONGEST_WAIT))
        return {"events": events, "seq": self.network.events.seq}

    def _group(self, who: int, body: Json) -> Json:
        chat = membership.new_group(
            self.network,
            who,
            _text(body, "title"),
            type_=body.get("type", "group"),
            members=_numbers(body, "members"),
            with_bot=body.get("with_bot", True),
            forum=body.get("forum", False),
        )
        return shapes.chat(self.network.world, chat)

    def _write(self, who: int, body: Json) -> Json:
        message = talk.write(
            self.network,
            who,
            self.chat(who, body),
            _text(body, "text"),
            reply_to=body.get("reply_to"),
            topic=body.get("topic"),
            as_chat=body.get("as_chat"),
        )
        return shapes.message(self.network.world, message)

    def _edit(self, who: int, body: Json) -> Json:
        chat = self.chat(who, body)
        message = talk.edit(self.network, who, chat, _integer(body, "message"), _text(body, "text"))
        return shapes.message(self.network.world, message)

    async def _tap(self, who: int, body: Json) -> Json:
        chat = self.chat(who, body)
        tap = talk.tap(self.network, who, chat, _integer(body, "message"), _text(body, "data"))
        wait = body.get("wait", 0)
        if not isinstance(wait, int | float):
            raise PeopleError(400, "wait must be a number of seconds")
        answer = await self.network.taps.wait(tap, wait)
        return {"query_id": tap.id, "answer": answer}

    def _start(self, who: int, body: Json) -> Json:
        return shapes.message(self.network.world, talk.start(self.network, who, str(body.get("payload") or "")))

    def _restrict(self, who: int, body: Json) -> Json:
        chat = membership.restrict(
            self.network,
            who,
            self.chat(who, body),
            _integer(body, "who"),
            can_send=bool(body.get("can_send", False)),
        )
        return {"chat": chat.id}

    def _promote(self, who: int, body: Json) -> Json:
        chat = self.chat(who, body)
        anonymous = bool(body.get("is_anonymous", False))
        membership.promote(self.network, who, chat, _integer(body, "who"), is_anonymous=anonymous)
        return {}


def _in_chat(action: Callable[[Network, int, Chat], None]) -> Verb:
    """A verb whose body names a chat: join, leave, delete-group."""

    def verb(people: People, who: int, body: Json) -> Json:
        action(people.network, who, people.chat(who, body))
        return {}

    return verb


def _to_member(action: Callable[[Network, int, Chat, int], None]) -> Verb:
    """A verb whose body names a chat and somebody in it: add, remove, demote."""

    def verb(people: People, who: int, body: Json) -> Json:
        action(people.network, who, people.chat(who, body), _integer(body, "who"))
        return {}

    return verb


def _of_bot(action: Callable[[Network, int], None]) -> Verb:
    def verb(people: People, who: int, _: Json) -> Json:
        action(people.network, who)
        return {}

    return verb


def _topic(people: People, who: int, body: Json) -> Json:
    return {"id": membership.topic(people.network, who, people.chat(who, body), _text(body, "name"))}


def _migrate(people: People, who: int, body: Json) -> Json:
    return {"chat": membership.migrate(people.network, who, people.chat(who, body)).id}


def _delete(people: People, who: int, body: Json) -> Json:
    talk.delete(people.network, who, people.chat(who, body), _integer(body, "message"))
    return {}


_VERBS: dict[str, Verb] = {
    "groups": People._group,
    "write": People._write,
    "edit": People._edit,
    "tap": People._tap,
    "start": People._start,
    "block": _of_bot(talk.block),
    "unblock": _of_bot(talk.unblock),
    "join": _in_chat(membership.join),
    "leave": _in_chat(membership.leave),
    "delete-group": _in_chat(membership.delete_group),
    "add": _to_member(membership.add),
    "remove": _to_member(membership.remove),
    "demote": _to_member(membership.demote),
    "promote": People._promote,
    "restrict": People._restrict,
    "topic": _topic,
    "migrate": _migrate,
    "delete": _delete,
}


async def read_json(request: Request) -> Json:
    """The body as an object; an empty one as an empty object."""
    raw = await request.body()
    try:
        body = await request.json() if raw else {}
    except ValueError as error:
        raise PeopleError(400, "the body is no JSON") from error
    if not isinstance(body, dict):
        raise PeopleError(400, "the body is no JSON object")
    return body


def _id(request: Request, name: str) -> int:
    """An id in the path; groups' are negative."""
    try:
        return int(request.path_params[name])
    except ValueError as error:
        raise PeopleError(404, f"an id is a number: {request.path_params[name]}") from error


def _integer(body: Json, name: str) -> int:
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise PeopleError(400, f"{name} must be a number")
    return value


def _text(body: Json, name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise PeopleError(400, f"{name} must be a text")
    return value


def _numbers(body: Json, name: str) -> list[int]:
    value = body.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, int) for item in value):
        raise PeopleError(400, f"{name} must be a list of numbers")
    return value
