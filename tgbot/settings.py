"""What the host decides, from the environment (or a file ``.env`` beside where the bot is started)."""

import re
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from persistence.engine import parse_url

HEALTH = "/healthz"
"""The path where the bot tells how it is."""
_WEBHOOK_PORT = 8080
_LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


class DatabaseSettings(BaseSettings):
    """Where the tables are; all that a backup needs to know.

    Raises:
        pydantic.ValidationError: a setting makes no sense.
    """

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", hide_input_in_errors=True)

    database_url: str = "sqlite:///inbetween.db"
    """One file in the folder where the bot is started, or ``postgresql://user:password@host/name``."""
    grace_seconds: int = Field(default=30, ge=0)
    """How long a player has at least when the bot comes back after an outage."""

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, url: str) -> str:
        parse_url(url)
        return url


class Settings(DatabaseSettings):
    """The settings of one process.

    Raises:
        pydantic.ValidationError: a setting is missing or makes no sense; nothing has been started.
    """

    telegram_bot_token: SecretStr
    """From @BotFather. It is never logged."""
    telegram_api_url: str = "https://api.telegram.org"
    """Another Bot API server: one's own, or the local one of the demo."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    group_calls_a_minute: int = Field(default=20, ge=5, le=100_000)
    """Messages and edits that the Bot API takes from a bot in one group; Telegram's own takes about 20."""
    calls_a_second: int = Field(default=30, ge=5, le=100_000)
    """The same over all groups together; Telegram's own takes about 30."""
    webhook_url: str | None = None
    """The public address to which Telegram delivers updates; without it the bot polls. Its path is where they are
    taken, so a proxy that speaks TLS for us leaves the path as it is."""
    webhook_secret: SecretStr | None = Field(default=None, validate_default=True)
    """What Telegram says at the door, so that nobody else gets in. It is never logged."""
    listen_host: str = "127.0.0.1"
    """Where the door and the health page are served."""
    listen_port: int | None = Field(default=None, ge=1, le=65_535)
    """In webhook mode 8080 if nothing is said; a bot that polls serves its health page only if this is set."""

    @property
    def port(self) -> int | None:
        """Where something is served, if anything is."""
        return self.listen_port or (_WEBHOOK_PORT if self.webhook_url else None)

    @field_validator("webhook_url")
    @classmethod
    def _deliverable(cls, url: str | None) -> str | None:
        if not url:
            return None  # set to nothing is as good as not set
        parts = urlsplit(url)
        local = parts.hostname in _LOCAL_HOSTS  # a Bot API server of one's own delivers there, too
        if not parts.hostname or parts.scheme not in (("https", "http") if local else ("https",)):
            raise ValueError("Telegram delivers to an address like https://bot.example.org/telegram")
        if parts.query or parts.fragment or parts.path == HEALTH:
            raise ValueError(f"it ends with its path, which is another one than {HEALTH}")
        return url

    @field_validator("webhook_secret")
    @classmethod
    def _not_open_to_everybody(cls, secret: SecretStr | None, others: ValidationInfo) -> SecretStr | None:
        given = secret.get_secret_value() if secret else ""
        if not given and others.data.get("webhook_url"):
            raise ValueError(
                "a webhook without a secret is open to everybody who finds it; make one with: openssl rand -hex 32"
            )
        if given and not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", given):
            raise ValueError("Telegram takes 1 to 256 of the characters A-Z a-z 0-9 _ -")
        return secret if given else None

    @field_validator("telegram_bot_token")
    @classmethod
    def _looks_like_a_token(cls, token: SecretStr) -> SecretStr:
        number, colon, secret = token.get_secret_value().partition(":")
        if not (number.isascii() and number.isdigit() and colon and secret):
            raise ValueError("a token looks like 123456:ABC-DEF; @BotFather gives you one")
        return token
