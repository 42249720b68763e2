"""Who is in a chat and as what: groups made, people coming and going, ranks, topics, migration.

Every change becomes what Telegram makes of it: a service message, a my_chat_member or chat_member update.
"""

from dataclasses import replace
from typing import Any

from tgbot.playground import shapes
from tgbot.playground.errors import PeopleError
from tgbot.playground.network import Network
from tgbot.playground.world import Chat, Json, Member

_TOPIC_COLOUR = 7322096


def new_group(
    network: Network,
    creator: int,
    title: str,
    *,
    type_: str = "group",
    members: list[int],
    with_bot: bool,
    forum: bool,
) -> Chat:
    """Create a group. In a basic one the bot sees its creation; to a supergroup it is added afterwards."""
    world = network.world
    if not title.strip():
        raise PeopleError(400, "a group needs a title")
    if type_ not in ("group", "supergroup"):
        raise PeopleError(400, "type must be group or supergroup")
    for number in members:
        person(network, number)
    chat = world.new_chat("supergroup" if forum else type_, title, forum=forum)
    chat.members[creator] = Member(creator, "creator")
    for number in members:
        chat.members.setdefault(number, Member(number))
    if chat.type == "group" and with_bot:
        joined = chat.members[world.bot.id] = Member(world.bot.id)
        network.publish(chat, creator, service={"group_chat_created": True})
        network.member_changed(chat, creator, Member(world.bot.id, "left"), joined)
    else:
        network.publish(chat, creator, service={f"{chat.type}_chat_created": True})
        if with_bot:
            add(network, creator, chat, world.bot.id)
    network.events.add("state")
    return chat


def join(network: Network, who: int, chat: Chat) -> None:
    """Come in by the group's link; somebody who was removed cannot."""
    member = chat.member(who)
    if member.present:
        raise PeopleError(400, "already a member")
    if member.status == "kicked":
        raise PeopleError(403, "removed from this group: an administrator must add you again")
    _enter(network, who, chat, who)


def add(network: Network, actor: int, chat: Chat, who: int) -> None:
    """Bring somebody in, the bot perhaps."""
    insider(network, actor, chat)
    anybody(network, who)
    if chat.member(who).present:
        raise PeopleError(400, "already a member")
    if chat.member(who).status == "kicked" and not chat.member(actor).administrates:
        raise PeopleError(403, "only an administrator brings back who was removed")
    _enter(network, actor, chat, who)


def leave(network: Network, who: int, chat: Chat) -> None:
    """Go. Without its creator a group goes on."""
    insider(network, who, chat)
    _exit(network, who, chat, who, "left")


def remove(network: Network, actor: int, chat: Chat, who: int) -> None:
    """Throw somebody out, the bot perhaps."""
    _administrator(network, actor, chat)
    if not chat.member(who).present:
        raise PeopleError(404, "not a member")
    if chat.member(who).status == "creator":
        raise PeopleError(403, "the creator cannot be removed")
    _exit(network, actor, chat, who, "kicked")


def promote(network: Network, actor: int, chat: Chat, who: int, *, is_anonymous: bool) -> None:
    """Make somebody an administrator, or the creator or an administrator anonymous (supergroups only)."""
    _administrator(network, actor, chat)
    _present(chat, who)
    if is_anonymous and chat.type != "supergroup":
        raise PeopleError(400, "only a supergroup has anonymous administrators")
    status = "creator" if chat.member(who).status == "creator" else "administrator"
    _change(network, chat, actor, who, status=status, is_anonymous=is_anonymous, can_send=True)


def demote(network: Network, actor: int, chat: Chat, who: int) -> None:
    _administrator(network, actor, chat)
    if chat.member(who).status != "administrator":
        raise PeopleError(400, "not an administrator")
    _change(network, chat, actor, who, status="member", is_anonymous=False)


def restrict(network: Network, actor: int, chat: Chat, who: int, *, can_send: bool) -> Chat:
    """Mute somebody or lift it. Only a supergroup knows this, so a basic group becomes one first."""
    _administrator(network, actor, chat)
    _present(chat, who)
    if chat.member(who).status == "creator":
        raise PeopleError(403, "the creator cannot be restricted")
    if chat.type == "group":
        chat = migrate(network, actor, chat)
    _change(network, chat, actor, who, status="member" if can_send else "restricted", can_send=can_send)
    return chat


def migrate(network: Network, actor: int, chat: Chat) -> Chat:
    """Make a supergroup of a basic group: a new chat, message ids from 1, and a service message in both."""
    _administrator(network, actor, chat)
    if chat.type != "group":
        raise PeopleError(400, "only a basic group can become a supergroup")
    world = network.world
    new = world.new_chat("supergroup", chat.title)
    new.members = {number: replace(member) for number, member in chat.members.items() if member.present}
    network.publish(new, actor, service={"migrate_from_chat_id": chat.id})
    network.publish(chat, actor, service={"migrate_to_chat_id": new.id})
    chat.migrated_to = new.id
    network.events.add("migrated", chat=chat.id, to=new.id)
    network.events.add("state")
    return new


def topic(network: Network, actor: int, chat: Chat, name: str) -> int:
    """Open a topic; its id is the id of the service message that opens it."""
    insider(network, actor, chat)
    if not chat.is_forum:
        raise PeopleError(400, "this group has no topics")
    if not name.strip():
        raise PeopleError(400, "a topic needs a name")
    thread = chat.last_id + 1
    chat.topics[thread] = name
    created = {"forum_topic_created": {"name": name, "icon_color": _TOPIC_COLOUR}}
    network.publish(chat, actor, thread=thread, in_topic=True, service=created)
    network.events.add("state")
    return thread


def delete_group(network: Network, actor: int, chat: Chat) -> None:
    """Delete the group for everybody; the bot learns it as its removal, if at all."""
    insider(network, actor, chat)
    if chat.member(actor).status != "creator":
        raise PeopleError(403, "only the creator deletes a group")
    if chat.member(network.world.bot.id).present:
        _change(network, chat, actor, network.world.bot.id, status="kicked")
    chat.deleted = True
    network.events.add("state")


def leave_as_bot(network: Network, chat: Chat) -> None:
    """leaveChat: the bot goes of its own will."""
    _exit(network, network.world.bot.id, chat, network.world.bot.id, "left")


def person(network: Network, number: int) -> int:
    if number not in network.world.people:
        raise PeopleError(404, f"nobody has the id {number}")
    return number


def anybody(network: Network, number: int) -> int:
    """A person or the bot."""
    return number if number == network.world.bot.id else person(network, number)


def insider(network: Network, who: int, chat: Chat) -> Member:
    """The member `who` is in a group that lives."""
    if chat.deleted:
        raise PeopleError(404, "the group was deleted")
    if chat.migrated_to is not None:
        raise PeopleError(400, f"the group became the supergroup {chat.migrated_to}")
    if not chat.is_group or not chat.member(who).present:
        raise PeopleError(403, "not a member of this group")
    return chat.member(who)


def _administrator(network: Network, who: int, chat: Chat) -> None:
    if not insider(network, who, chat).administrates:
        raise PeopleError(403, "only an administrator may do this")


def _present(chat: Chat, who: int) -> None:
    if not chat.member(who).present:
        raise PeopleError(404, "not a member")


def _enter(network: Network, actor: int, chat: Chat, who: int) -> None:
    if not chat.is_group or chat.deleted or chat.migrated_to is not None:
        raise PeopleError(404, "no such group")
    before = replace(chat.member(who))
    after = chat.members[who] = Member(who)
    network.publish(chat, actor, service={"new_chat_members": [_user(network, who)]})
    network.member_changed(chat, actor, before, after)


def _exit(network: Network, actor: int, chat: Chat, who: int, status: str) -> None:
    before = replace(chat.member(who))
    after = chat.members[who] = Member(who, status)
    network.publish(chat, actor, service={"left_chat_member": _user(network, who)})
    network.member_changed(chat, actor, before, after)


def _change(network: Network, chat: Chat, actor: int, who: int, **new: Any) -> None:
    before = chat.member(who)
    after = chat.members[who] = replace(before, **new)
    network.member_changed(chat, actor, before, after)


def _user(network: Network, who: int) -> Json:
    found = network.world.user(who)
    if found is None:
        raise PeopleError(404, f"nobody has the id {who}")
    return shapes.user(found)
