"""What the host decides, from the environment (or a file ``.env`` beside where the bot is started)."""

from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from persistence.engine import parse_url


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

    @field_validator("telegram_bot_token")
    @classmethod
    def _looks_like_a_token(cls, token: SecretStr) -> SecretStr:
        number, colon, secret = token.get_secret_value().partition(":")
        if not (number.isascii() and number.isdigit() and colon and secret):
            raise ValueError("a token looks like 123456:ABC-DEF; @BotFather gives you one")
        return token
