"""Logging that never shows the token, at any level and from whatever library."""

import logging
from collections.abc import Sequence


class _WithoutSecrets(logging.Filter):
    def __init__(self, token: str, secrets: Sequence[str]) -> None:
        super().__init__()
        self._names = {token: "<token>", token.partition(":")[2]: "<token>"} | dict.fromkeys(secrets, "<secret>")

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self._clean(record.getMessage()), None
        if record.exc_info:
            record.exc_text = self._clean(logging.Formatter().formatException(record.exc_info))
        return True

    def _clean(self, text: str) -> str:
        for secret, name in self._names.items():
            text = text.replace(secret, name)
        return text


def set_up_logging(level: str, token: str, *secrets: str) -> None:
    """Log to standard error; the token and other secrets are cut out of every line and every traceback."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(_WithoutSecrets(token, secrets))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for chatty in ("httpx", "httpcore"):  # httpx writes the URL of every call, and the token is in it
        logging.getLogger(chatty).setLevel(logging.WARNING)
