"""The buttons of a board: what can be answered now, and a few more, in as many rows in every phase of a game."""

from collections.abc import Sequence

from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.constants import KeyboardButtonStyle

from domain.choices import Bounds, choices
from domain.table import Phase, Table
from tgbot.buttons import Tap, Word
from tgbot.words import Words

_MAIN = KeyboardButtonStyle.PRIMARY
Row = list[InlineKeyboardButton]


def keyboard(table: Table, number: int, tr: Words) -> InlineKeyboardMarkup:
    """The keyboard of table ``number`` as it stands now."""
    keys = _Keys(table, number, tr)
    match table.phase:
        case Phase.LOBBY:
            rows: Sequence[Row] = keys.lobby()
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
        ready = len(self._table.seats) > 1
        return [
            [
                self.button(tr("Join"), Word.JOIN, style=None if ready else _MAIN),
                self.button(tr("Start"), Word.START, style=_MAIN if ready else None),
            ],
            [self.button(tr("Leave"), Word.LEAVE), self.button(tr("Rules"), Word.RULES)],
        ]

    def answers(self) -> Row:
        """The answers to the question that is open."""
        tr, open_question = self.tr, choices(self._table)
        if self._table.phase is Phase.REST:
            return [self.button(tr("Stop the game"), Word.END)]
        if open_question.cut:
            return [self.button(f"✂ {place}", Word.CUT, place) for place in cut_places(open_question.cut)]
        buttons = [
            self.button(self._amount(amount), Word.BET, amount, _MAIN if last else None)
            for amount, last in bet_amounts(open_question.bet, self._table.pot)
        ]
        if open_question.pass_cost is not None:
            cost = open_question.pass_cost
            text = tr("Pass ({cost})", cost=cost) if cost else tr("Pass")
            buttons.append(self.button(text, Word.PASS))
        return buttons

    def _amount(self, amount: int) -> str:
        if amount == self._table.pot:
            return self.tr("Pot {n}", n=amount)
        actor = self._table.actor
        seat = self._table.seat(actor) if actor is not None else None
        return self.tr("All {n}", n=amount) if seat and seat.chips == amount else str(amount)

    def others(self) -> Row:
        """What can be done besides answering."""
        tr, seats = self.tr, self._table.present
        buttons = []
        if self._table.phase is Phase.CUT:
            buttons.append(self.button(tr("Elsewhere…"), Word.OTHER))
        if self._table.phase is Phase.DECIDE:
            buttons.append(self.button(tr("Other…"), Word.OTHER))
        if any(seat.away for seat in seats):
            buttons.append(self.button(tr("I'm back"), Word.BACK))
        if any(seat.chips == 0 and _may_rebuy(seat.rebuys, self._table.settings.rebuys) for seat in seats):
            buttons.append(self.button(tr("Buy chips"), Word.REBUY))
        return [*buttons, self.button("⋯", Word.MORE)]


def cut_places(bounds: Bounds) -> list[int]:
    """Five places spread over the deck, from near the top to near the bottom."""
    span = bounds.most - bounds.least
    return [bounds.least + span * part // 10 for part in (1, 3, 5, 7, 9)]


def bet_amounts(bounds: Bounds | None, pot: int) -> list[tuple[int, bool]]:
    """The ready-made bets: least, a quarter, half, and the most; each legal, each once. True marks the most."""
    if bounds is None:
        return []
    whole = pot or bounds.most
    wished = {bounds.least, whole // 4, whole // 2, bounds.most}
    amounts = sorted(amount for amount in wished if bounds.least <= amount <= bounds.most)
    return [(amount, amount == bounds.most) for amount in amounts]


def _may_rebuy(used: int, allowed: int | None) -> bool:
    return allowed is None or used < allowed
