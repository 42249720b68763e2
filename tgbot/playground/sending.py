"""The methods that make and change messages, and answer taps."""

from typing import Any

from tgbot.playground import entities, keyboards, markup, shapes
from tgbot.playground.desk import Desk, Method, count_send, reachable, writable
from tgbot.playground.entities import Formatted
from tgbot.playground.errors import bad_request
from tgbot.playground.parameters import Parameters, Table
from tgbot.playground.talk import GENERAL, thread_of
from tgbot.playground.world import Chat, Json, Message

_LONGEST_ANSWER = 200
_NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same"
    " as a current content and reply markup of the message"
)
_TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
_ACTIONS = (
    "typing",
    "upload_photo",
    "record_video",
    "upload_video",
    "record_voice",
    "upload_voice",
    "upload_document",
    "choose_sticker",
    "find_location",
    "record_video_note",
    "upload_video_note",
)
_REPLY = {
    "message_id",
    "chat_id",
    "allow_sending_without_reply",
    "quote",
    "quote_parse_mode",
    "quote_entities",
    "quote_position",
    "checklist_task_id",
    "poll_option_id",
}
_PREVIEW = {"is_disabled", "url", "prefer_small_media", "prefer_large_media", "show_above_text"}


def send_message(desk: Desk, given: Parameters) -> Json:
    text = _text(desk, given)
    keyboard = None
    if (raw := given.json("reply_markup", "can't parse reply keyboard markup JSON object")) is not None:
        keyboard = keyboards.parse(raw, given.report)
    reply = given.json("reply_parameters", "can't parse reply parameters JSON object")
    chat = writable(desk, given)
    reply_to = None if reply is None else _replied(chat, reply, given.report)
    thread, in_topic = _thread(chat, given.integer("message_thread_id"), reply_to)
    count_send(desk, chat)
    network = desk.network
    message = network.publish(
        chat,
        network.world.bot.id,
        text=text.text,
        entities=text.entities,
        markup=keyboard,
        reply_to=reply_to,
        thread=thread,
        in_topic=in_topic,
        protected=given.flag("protect_content"),
        preview=_preview(given),
    )
    return shapes.message(network.world, message)


def edit_message_text(desk: Desk, given: Parameters) -> Json:
    text = _text(desk, given)
    keyboard = _inline(given)
    chat, message = _editable(desk, given)
    if message.service:
        raise bad_request("there is no text in the message to edit")
    count_send(desk, chat)
    preview = _preview(given)
    if (message.text, message.entities, message.markup, message.preview) == (
        text.text,
        text.entities,
        keyboard,
        preview,
    ):
        raise bad_request(_NOT_MODIFIED)
    message.text, message.entities, message.preview = text.text, text.entities, preview
    return _edited(desk, chat, message, keyboard)


def edit_message_reply_markup(desk: Desk, given: Parameters) -> Json:
    keyboard = _inline(given)
    chat, message = _editable(desk, given)
    count_send(desk, chat)
    if message.markup == keyboard:
        raise bad_request(_NOT_MODIFIED)
    return _edited(desk, chat, message, keyboard)


def delete_message(desk: Desk, given: Parameters) -> bool:
    """Its own messages always, others' as an administrator."""
    chat = reachable(desk, given)
    message = _message(chat, given, "message to delete not found")
    bot = desk.network.world.bot.id
    if message.sender != bot and chat.is_group and not chat.member(bot).administrates:
        everyone = " for everyone" if chat.type == "group" else ""
        raise bad_request(f"message can't be deleted{everyone}")
    desk.network.delete(chat, message.id)
    return True


def pin_chat_message(desk: Desk, given: Parameters) -> bool:
    chat = _pinning(desk, given)
    message = _message(chat, given, "message to pin not found")
    if chat.pinned != message.id:
        chat.pinned = message.id
        world = desk.network.world
        pinned = {"pinned_message": shapes.message(world, message, bare=True)}
        thread, in_topic = thread_of(chat, None, message.id)
        desk.network.publish(chat, world.bot.id, reply_to=message.id, thread=thread, in_topic=in_topic, service=pinned)
    return True


def unpin_chat_message(desk: Desk, given: Parameters) -> bool:
    chat = _pinning(desk, given)
    if "message_id" in given and given.integer("message_id") != chat.pinned:
        raise bad_request("message to unpin not found")
    chat.pinned = None
    return True


def answer_callback_query(desk: Desk, given: Parameters) -> bool:
    text, url = given.text("text"), given.text("url")
    if len(text) > _LONGEST_ANSWER:
        raise bad_request("MESSAGE_TOO_LONG")
    answer = {"text": text, "show_alert": given.flag("show_alert"), "url": url or None}
    tap = desk.network.taps.answer(given.text("callback_query_id"), answer)
    if tap is None:
        raise bad_request(_TOO_OLD)
    desk.network.events.add("answer", person=tap.person, query_id=tap.id, chat=tap.chat, message=tap.message, **answer)
    return True


def send_chat_action(desk: Desk, given: Parameters) -> bool:
    if given.text("action") not in _ACTIONS:
        raise bad_request("wrong parameter action in request")
    writable(desk, given)
    return True


def _text(desk: Desk, given: Parameters) -> Formatted:
    text = given.text("text")
    mode = given.text("parse_mode")
    if not mode:
        listed = given.json("entities", "can't parse entities: can't parse JSON object") or []
        return entities.compose(Formatted(text, entities.explicit(listed, desk.network.world.user)))
    if mode.lower() in ("markdown", "markdownv2"):
        given.report(f"parse_mode {mode}: the local Telegram reads HTML only")
    if mode.lower() != "html":
        raise bad_request("unsupported parse_mode")
    return entities.compose(markup.parse(text, desk.network.world.user))


def _inline(given: Parameters) -> Json | None:
    raw = given.json("reply_markup", "can't parse inline keyboard markup JSON object")
    return None if raw is None else keyboards.parse_inline(raw, given.report)


def _preview(given: Parameters) -> Json | None:
    preview: Any = given.json("link_preview_options", "can't parse link preview options JSON object")
    if preview is None:
        return None
    if not isinstance(preview, dict):
        raise bad_request("object expected as link preview options")
    for name in preview.keys() - _PREVIEW:
        given.report(f"link_preview_options: unknown field {name}")
    return {name: value for name, value in preview.items() if value is not None} or None


def _replied(chat: Chat, reply: Any, report: keyboards.Report) -> int | None:
    if not isinstance(reply, dict):
        raise bad_request("object expected as reply parameters")
    for name in reply.keys() - _REPLY:
        report(f"reply_parameters: unknown field {name}")
    number = reply.get("message_id")
    if number is None:
        return None
    if isinstance(number, int) and number in chat.messages:
        return number
    if not reply.get("allow_sending_without_reply"):
        raise bad_request("message to be replied not found")
    return None


def _thread(chat: Chat, topic: int, reply_to: int | None) -> tuple[int | None, bool]:
    """General's id 1 is refused although messages are there: one writes to it by naming no thread."""
    if topic and chat.is_group:
        exists = topic in chat.topics if chat.is_forum else topic in chat.messages
        if topic == GENERAL or not exists or chat.type == "group":
            raise bad_request("message thread not found")
    return thread_of(chat, topic if topic and chat.is_group else None, reply_to)


def _editable(desk: Desk, given: Parameters) -> tuple[Chat, Message]:
    if "inline_message_id" in given:
        raise bad_request("MESSAGE_ID_INVALID")
    chat = writable(desk, given)
    if "message_id" not in given:
        raise bad_request("message identifier is not specified")
    message = _message(chat, given, "message to edit not found")
    if message.sender != desk.network.world.bot.id:
        raise bad_request("message can't be edited")
    return chat, message


def _edited(desk: Desk, chat: Chat, message: Message, keyboard: Json | None) -> Json:
    """An edit always decides the keyboard: without one, the old one goes."""
    message.markup = keyboard
    message.edit_date = desk.network.world.now()
    desk.network.edited(chat, message)
    return shapes.message(desk.network.world, message)


def _message(chat: Chat, given: Parameters, missing: str) -> Message:
    message = chat.messages.get(given.integer("message_id"))
    if message is None:
        raise bad_request(missing)
    return message


def _pinning(desk: Desk, given: Parameters) -> Chat:
    chat = reachable(desk, given)
    if chat.is_group and not chat.member(desk.network.world.bot.id).administrates:
        raise bad_request("not enough rights to manage pinned messages in the chat")
    return chat


_WHERE: Table = {"chat_id": int, "business_connection_id": str}
_EDIT: Table = _WHERE | {"message_id": int, "inline_message_id": str, "reply_markup": dict}

METHODS = (
    Method(
        "sendMessage",
        _WHERE
        | {
            "text": str,
            "message_thread_id": int,
            "direct_messages_topic_id": int,
            "parse_mode": str,
            "entities": dict,
            "link_preview_options": dict,
            "disable_notification": bool,
            "protect_content": bool,
            "allow_paid_broadcast": bool,
            "message_effect_id": str,
            "suggested_post_parameters": dict,
            "reply_parameters": dict,
            "reply_markup": dict,
        },
        send_message,
    ),
    Method(
        "editMessageText",
        _EDIT | {"text": str, "parse_mode": str, "entities": dict, "link_preview_options": dict},
        edit_message_text,
    ),
    Method("editMessageReplyMarkup", _EDIT, edit_message_reply_markup),
    Method("deleteMessage", {"chat_id": int, "message_id": int}, delete_message),
    Method("pinChatMessage", _WHERE | {"message_id": int, "disable_notification": bool}, pin_chat_message),
    Method("unpinChatMessage", _WHERE | {"message_id": int}, unpin_chat_message),
    Method(
        "answerCallbackQuery",
        {"callback_query_id": str, "text": str, "show_alert": bool, "url": str, "cache_time": int},
        answer_callback_query,
    ),
    Method("sendChatAction", _WHERE | {"action": str, "message_thread_id": int}, send_chat_action),
)
