"""Logging that never shows the token, at any level and from whatever library."""

import logging


class _WithoutToken(logging.Filter):
    def __init__(self, token: str) -> None:
        super().__init__()
        self._secrets = (token, token.partition(":")[2])

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self._clean(record.getMessage()), None
        if record.exc_info:
            record.exc_text = self._clean(logging.Formatter().formatException(record.exc_info))
        return True

    def _clean(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "<token>")
        return text


def set_up_logging(level: str, token: str) -> None:
    """Log to standard error; the token is cut out of every line and every traceback."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(_WithoutToken(token))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for chatty in ("httpx", "httpcore", "aiosqlite"):  # httpx writes the URL of every call, and the token is in it
        logging.getLogger(chatty).setLevel(logging.WARNING)
