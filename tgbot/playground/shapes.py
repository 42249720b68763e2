"""The Bot API's objects, made from what the world keeps.

Only documented fields appear. Telegram's server still adds a few that it no longer documents
(`all_members_are_administrators`, `new_chat_participant`); a bot must not come to need them.
"""

from tgbot.playground.world import Chat, Json, Member, Message, Person, World

_PERMISSIONS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_react_to_messages",
    "can_edit_tag",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)
_RIGHTS = {
    "can_be_edited": False,
    "can_manage_chat": True,
    "can_change_info": True,
    "can_delete_messages": True,
    "can_invite_users": True,
    "can_restrict_members": True,
    "can_pin_messages": True,
    "can_promote_members": False,
    "can_manage_video_chats": True,
    "can_post_stories": False,
    "can_edit_stories": False,
    "can_delete_stories": False,
    "can_send_welcome_messages": False,
}
_NO_GIFTS = {
    "unlimited_gifts": False,
    "limited_gifts": False,
    "unique_gifts": False,
    "premium_subscription": False,
    "gifts_from_channels": False,
}


def user(person: Person) -> Json:
    shape: Json = {"id": person.id, "is_bot": person.is_bot, "first_name": person.first_name}
    for name in ("last_name", "username", "language_code"):
        if value := getattr(person, name):
            shape[name] = value
    return shape


def me(bot: Person, *, privacy: bool) -> Json:
    """What getMe alone tells of the bot."""
    return user(bot) | {
        "can_join_groups": True,
        "can_read_all_group_messages": not privacy,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": False,
        "allows_users_to_create_topics": False,
        "can_manage_bots": False,
    }


def chat(world: World, place: Chat) -> Json:
    if not place.is_group:
        person = world.people[place.id]
        named = {"first_name": person.first_name, "last_name": person.last_name, "username": person.username}
        return {"id": place.id, "type": "private"} | {key: value for key, value in named.items() if value}
    shape: Json = {"id": place.id, "type": place.type, "title": place.title}
    if place.is_forum:
        shape["is_forum"] = True
    return shape


def full_chat(world: World, place: Chat) -> Json:
    """ChatFullInfo, the answer of getChat."""
    shape = chat(world, place) | {
        "accent_color_id": abs(place.id) % 7,
        "max_reaction_count": 11,
        "accepted_gift_types": _NO_GIFTS,
    }
    if place.is_group:
        shape["permissions"] = dict.fromkeys(_PERMISSIONS, True)
    if place.type == "supergroup":
        shape |= {"join_to_send_messages": True, "has_visible_history": True, "can_set_sticker_set": True}
    if place.pinned in place.messages:
        shape["pinned_message"] = message(world, place.messages[place.pinned], bare=True)
    return shape


def member(world: World, one: Member) -> Json:
    """ChatMember: the fields depend on the status."""
    person = world.user(one.user_id)
    if person is None:
        raise LookupError(f"a member nobody knows: {one.user_id}")
    shape: Json = {"user": user(person), "status": one.status}
    if one.status == "creator":
        shape["is_anonymous"] = one.is_anonymous
    elif one.status == "administrator":
        shape |= _RIGHTS | {"is_anonymous": one.is_anonymous}
    elif one.status == "restricted":
        shape |= dict.fromkeys(_PERMISSIONS, one.can_send) | {"is_member": True, "until_date": 0}
    elif one.status == "kicked":
        shape["until_date"] = 0
    return shape


def message(world: World, one: Message, *, bare: bool = False, for_people: bool = False) -> Json:
    """Message. `bare` leaves out the message replied to, as Telegram does one level down.

    Bots are shown inline keyboards only; the people's clients also show a ForceReply or a reply keyboard.
    """
    place = world.chats[one.chat_id]
    sender = world.user(one.sender)
    shape: Json = {"message_id": one.id, "chat": chat(world, place), "date": one.date}
    if sender is not None:
        shape["from"] = user(sender)
    if one.sender_chat is not None:
        shape["sender_chat"] = one.sender_chat
    if one.edit_date is not None:
        shape["edit_date"] = one.edit_date
    if one.thread is not None:
        shape["message_thread_id"] = one.thread
    if one.in_topic:
        shape["is_topic_message"] = True
    if not bare and (replied := place.messages.get(_replied(one))):
        shape["reply_to_message"] = message(world, replied, bare=True, for_people=for_people)
    if one.protected:
        shape["has_protected_content"] = True
    shape |= one.service
    if one.text:
        shape["text"] = one.text
    if one.entities:
        shape["entities"] = one.entities
    if one.preview is not None:
        shape["link_preview_options"] = one.preview
    if one.markup is not None and (for_people or "inline_keyboard" in one.markup):
        shape["reply_markup"] = one.markup
    return shape


def _replied(one: Message) -> int:
    """A message in a topic that answers nobody counts as an answer to the topic's first message."""
    if one.reply_to is not None:
        return one.reply_to
    return one.thread if one.in_topic and one.thread is not None and one.thread != one.id else 0
