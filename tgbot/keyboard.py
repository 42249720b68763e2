"""The buttons of a board: what can be answered now, and a few more, in as many rows in every phase of a game."""

from collections.abc import Sequence

from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.constants import KeyboardButtonStyle

from domain.choices import Bounds, choices
from domain.presets import nearest
from domain.table import Phase, Table
from tgbot.buttons import Tap, Word
from tgbot.menu import GAMES, SETTINGS, SWITCHES, Page, setting_label, switch_label
from tgbot.rulecard import preset_name
from tgbot.words import Words

_MAIN = KeyboardButtonStyle.PRIMARY
Row = list[InlineKeyboardButton]


def keyboard(table: Table, number: int, tr: Words, page: Page = Page.CARD) -> InlineKeyboardMarkup:
    """The keyboard of table ``number`` as it stands now; ``page`` is that of the lobby's menu."""
    keys = _Keys(table, number, tr)
    match table.phase:
        case Phase.LOBBY:
            rows: Sequence[Row] = keys.lobby() if page is Page.CARD else [*keys.menu(page), keys.pages(page)]
        case Phase.ENDED:
            rows = [[keys.button(tr("New game"), Word.NEW)]]
        case _:
            rows = [keys.answers(), keys.others()]  # two rows throughout: clients had trouble with changing heights
    return InlineKeyboardMarkup(rows)


class _Keys:
    def __init__(self, table: Table, number: int, tr: Words) -> None:
        self._table = table
        self._number = number
        self.tr = tr

    def button(
        self, text: str, word: Word, amount: int | None = None, style: str | None = None
    ) -> InlineKeyboardButton:
        data = Tap(word, self._number, self._table.move, amount).pack()
        return InlineKeyboardButton(text, callback_data=data, style=style)

    def lobby(self) -> list[Row]:
        tr = self.tr
        ready = len(self._table.seats) >= self._table.rules.fewest_players
        return [
            [
                self.button(tr("Join"), Word.JOIN, style=None if ready else _MAIN),
                self.button(tr("Start"), Word.START, style=_MAIN if ready else None),
            ],
            [
                self.button(tr("Game…"), Word.PAGE, Page.GAMES),
                self.button(tr("Rules"), Word.RULES),
                self.button(tr("Leave"), Word.LEAVE),
            ],
        ]

    def menu(self, page: Page) -> list[Row]:
        """The entries of a page of the menu, two in a row."""
        table, tr = self._table, self.tr
        base, changed = nearest(table.rules)
        match page:
            case Page.GAMES:
                entries = [
                    self.button(_marked(preset_name(name, tr), name == base, "✓ "), Word.PRESET, n)
                    for n, name in enumerate(GAMES)
                ]
            case Page.RULES:
                entries = [
                    self.button(_marked(switch_label(table.rules, name, tr), name in changed, "✎ "), Word.SWITCH, n)
                    for n, name in enumerate(SWITCHES)
                ]
            case _:
                entries = [
                    self.button(setting_label(table.settings, name, tr), Word.SETTING, n)
                    for n, name in enumerate(SETTINGS)
                ]
        return [entries[start : start + 2] for start in range(0, len(entries), 2)]

    def pages(self, page: Page) -> Row:
        """The way to the other pages, and back."""
        tr = self.tr
        names = {Page.GAMES: tr("Game…"), Page.RULES: tr("Single rules…"), Page.TABLE: tr("Table…")}
        others = [self.button(text, Word.PAGE, other) for other, text in names.items() if other is not page]
        return [*others, self.button(tr("Done"), Word.PAGE, Page.CARD, _MAIN)]

    def answers(self) -> Row:
        """The answers to the question that is open."""
        tr, open_question = self.tr, choices(self._table)
        if self._table.phase is Phase.REST:
            return [self.button(tr("Stop the game"), Word.END)]
        if open_question.cut:
            return [self.button(f"✂ {place}", Word.CUT, place) for place in cut_places(open_question.cut)]
        if open_question.stake:
            return [self.button(str(n), Word.STAKE, n, _main(last)) for n, last in shares(open_question.stake)]
        if open_question.call:
            return [self.button(tr("High"), Word.HIGH), self.button(tr("Low"), Word.LOW)]
        if open_question.more:
            return self._raises(open_question.more)
        buttons = [
            self.button(self._amount(amount), Word.BET, amount, _main(last))
            for amount, last in bet_amounts(open_question.bet, self._table)
        ]
        if open_question.guess and self._table.side is None:
            buttons = [self.button(tr("Higher"), Word.HIGHER), self.button(tr("Lower"), Word.LOWER)]
        if open_question.pass_cost is not None:
            buttons.append(self.button(self._pass(open_question.pass_cost), Word.PASS))
        return buttons

    def _raises(self, more: Bounds) -> Row:
        amounts = sorted({n for n in (more.most // 2, more.most) if n > 0})
        raises = [self.button(f"+{n}", Word.RAISE, n, _main(n == more.most)) for n in amounts]
        return [*raises, self.button(self.tr("Stay"), Word.RAISE, 0)]

    def _pass(self, cost: int) -> str:
        tr, rules = self.tr, self._table.rules
        if cost:
            return tr("Pass ({cost})", cost=cost)
        if rules.has_pot:
            return tr("Pass")
        return tr("Sit out") if rules.blind else tr("Fold")

    def _amount(self, amount: int) -> str:
        if amount == self._table.pot:
            return self.tr("Pot {n}", n=amount) if self._table.rules.has_pot else self.tr("Bank {n}", n=amount)
        actor = self._table.actor
        seat = self._table.seat(actor) if actor is not None else None
        return self.tr("All {n}", n=amount) if seat and seat.chips == amount else str(amount)

    def others(self) -> Row:
        """What can be done besides answering."""
        tr, seats, open_question = self.tr, self._table.present, choices(self._table)
        buttons = []
        if open_question.cut:
            buttons.append(self.button(tr("Elsewhere…"), Word.OTHER))
        amounts = open_question.stake or open_question.bet or open_question.more
        if amounts and amounts.least < amounts.most:
            buttons.append(self.button(tr("Other…"), Word.OTHER))
        if self._table.settings.odds and self._table.phase in (Phase.DECIDE, Phase.RAISE):
            buttons.append(self.button(tr("Odds"), Word.ODDS))
        if any(seat.away for seat in seats):
            buttons.append(self.button(tr("I'm back"), Word.BACK))
        if any(seat.chips == 0 and _may_rebuy(seat.rebuys, self._table.settings.rebuys) for seat in seats):
            buttons.append(self.button(tr("Buy chips"), Word.REBUY))
        return [*buttons, self.button("⋯", Word.MORE)]


def cut_places(bounds: Bounds) -> list[int]:
    """Five places spread over the deck, from near the top to near the bottom."""
    span = bounds.most - bounds.least
    return [bounds.least + span * part // 10 for part in (1, 3, 5, 7, 9)]


def bet_amounts(bounds: Bounds | None, table: Table) -> list[tuple[int, bool]]:
    """The ready-made bets: the least, a quarter and half of what is at stake, and the most; True marks the most."""
    if bounds is None:
        return []
    return shares(bounds, table.pot or None)


def shares(bounds: Bounds, whole: int | None = None) -> list[tuple[int, bool]]:
    """Least, quarter, half and most of an amount; each legal, each once. True marks the most."""
    whole = whole or bounds.most
    wished = {bounds.least, whole // 4, whole // 2, bounds.most}
    amounts = sorted(amount for amount in wished if bounds.least <= amount <= bounds.most)
    return [(amount, amount == bounds.most) for amount in amounts]


def _main(last: bool) -> str | None:
    return _MAIN if last else None


def _marked(text: str, marked: bool, mark: str) -> str:
    return mark + text if marked else text


def _may_rebuy(used: int, allowed: int | None) -> bool:
    return allowed is None or used < allowed
