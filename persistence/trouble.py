"""Which errors are the database's trouble: it is away, restarting, busy or full, and the same may go well in a moment.

Everything else (a constraint that is violated, a value that no column takes) would fail in the same way for ever.
"""

import logging

from sqlalchemy import exc
from sqlalchemy.orm.exc import StaleDataError

_OURS = (exc.IntegrityError, exc.DataError, exc.ProgrammingError, exc.NotSupportedError)
_OUR_STATES = ("0A", "22", "23", "42")
"""The same in PostgreSQL's own words, classes of its SQLSTATE: SQLAlchemy has no names for all that its driver says."""
_ITS_OWN = (exc.DBAPIError, exc.PendingRollbackError, exc.TimeoutError, StaleDataError, OSError)
"""The drivers' errors and what follows from them, a pool without a free connection, a row that somebody else was
quicker to write (all is undone and can be tried again), and a server that does not listen."""


def report(log: logging.Logger, what: str, error: Exception) -> None:
    """Log an error that was caught where work goes on by itself: trouble in a line, a fault of ours with its story."""
    if is_trouble(error):
        log.warning("%s; it will be tried again: %s", what, str(error).partition("\n")[0])
    else:
        log.error(what, exc_info=error)


def is_trouble(error: BaseException | None) -> bool:
    """Whether trying again later makes sense."""
    state = getattr(error.orig, "sqlstate", None) if isinstance(error, exc.DBAPIError) else None
    if isinstance(state, str) and state.startswith(_OUR_STATES):
        return False
    return isinstance(error, _ITS_OWN) and not isinstance(error, _OURS)
