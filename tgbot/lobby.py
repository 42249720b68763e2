"""The board before the first card: the rule card, who sits there, and the pages of the menu."""

from collections.abc import Sequence

from tgbot.menu import Page
from tgbot.rulecard import headline, settings_line, short_rules
from tgbot.sheet import Sheet


class Lobby(Sheet):
    """The table before the start."""

    def text(self) -> str:
        """The open page of the menu."""
        table, tr = self.table, self.tr
        match Page(self.scene.page):
            case Page.GAMES:
                return self._menu_page(tr("Which game?"), short_rules(table.rules, tr))
            case Page.RULES:
                return self._menu_page(tr("Every tap goes to the next value. ✎ differs from the game."), [])
            case Page.TABLE:
                return self._menu_page(tr("What the table agrees on. Every tap goes to the next value."), [])
            case Page.CARD:
                return self._card()

    def _menu_page(self, what: str, lines: Sequence[str]) -> str:
        return "\n".join([f"<b>{headline(self.table.rules, self.tr)}</b>", *lines, "", what])

    def _card(self) -> str:
        table, tr = self.table, self.tr
        seated = [self.name(seat.player) for seat in table.seats]
        host = self.name(table.host)
        waiting = (
            tr("Waiting for a second player.")
            if len(seated) < table.rules.fewest_players
            else tr("Everybody here? {host} starts the game.", host=host)
        )
        return "\n".join(
            [
                f"<b>{headline(table.rules, tr)}</b>",
                *short_rules(table.rules, tr),
                settings_line(table.settings, tr),
                "",
                tr("At the table ({n}): {names}", n=len(seated), names=", ".join(seated)),
                waiting,
            ]
        )
