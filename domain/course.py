"""The course of one move: what has happened so far, and the table after it."""

from domain.events import Event
from domain.evolve import evolve
from domain.table import Table


class Course:
    """The course of one move: the table as it goes on, and what has happened so far."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        """Tell one more event."""
        self.events.append(event)
        self.table = evolve(self.table, event)
