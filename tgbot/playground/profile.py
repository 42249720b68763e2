"""What the bot says of itself: commands for each scope and language, name, description, short description."""

from typing import Any

from tgbot.playground.world import Json

_COMMON_SCOPES = ("default", "all_private_chats", "all_group_chats", "all_chat_administrators")


class Profile:
    """The bot's texts, each kept for a language; '' is for all others."""

    def __init__(self) -> None:
        self.commands: dict[str, dict[str, list[Json]]] = {}
        self.texts: dict[str, dict[str, str]] = {"name": {}, "description": {}, "short_description": {}}

    def set_text(self, kind: str, language: str, text: str) -> None:
        """An empty text takes the language's own away."""
        if text:
            self.texts[kind][language] = text
        else:
            self.texts[kind].pop(language, None)

    def text(self, kind: str, language: str) -> str:
        """The text for this language, or the one for all others."""
        texts = self.texts[kind]
        return texts.get(language) or texts.get("", "")

    def state(self) -> Json:
        return {
            "commands": self.commands,
            "name": self.texts["name"],
            "description": self.texts["description"],
            "short_description": self.texts["short_description"],
        }


def scope_key(scope: Any) -> str | None:
    """The scope's type, with the chat and person it is for; None if there is no such scope."""
    kind = scope.get("type") if isinstance(scope, dict) else None
    if kind in _COMMON_SCOPES:
        return str(kind)
    if kind in ("chat", "chat_administrators") and "chat_id" in scope:
        return f"{kind} {scope['chat_id']}"
    if kind == "chat_member" and {"chat_id", "user_id"} <= scope.keys():
        return f"{kind} {scope['chat_id']} {scope['user_id']}"
    return None
