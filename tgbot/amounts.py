"""Amounts that people type."""

import re

_WHOLE = re.compile(r"-?[0-9]{1,18}")


def read_amount(text: str) -> int | None:
    """A whole number of chips written with plain digits; ``None`` for ``1e3``, ``½``, ``１０``, words or nothing.

    A minus is read, so that a bet of -5 gets the answer that belongs to it: it is too small.
    """
    return int(text.strip()) if _WHOLE.fullmatch(text.strip()) else None
