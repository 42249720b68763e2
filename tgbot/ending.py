"""The board after the last card: who has won, and with how many chips."""

from collections.abc import Sequence

from tgbot.rulecard import headline
from tgbot.sheet import Sheet, in_rows
from tgbot.words import Words

LAST_HANDS = 3
"""How many hands of the last move are shown."""
_LISTED = 8
"""Up to so many players stand in lines of their own."""


class Ending(Sheet):
    """The table when the game is over."""

    def text(self) -> str:
        """The winners, the ranking, and who left earlier."""
        table, tr = self.table, self.tr
        lines = [f"<b>{headline(table.rules, tr)}</b>"]
        if not table.round:
            return "\n".join([*lines, "", tr("Closed before the first card.")])
        winners = [self.name(player) for player in table.winners]
        everybody = (*table.seats, *table.departed)
        best = max(seat.chips + seat.cashed for seat in everybody if seat.player in table.winners)
        if len(winners) == 1:
            won = tr("{name} wins with {chips}!", name=winners[0], chips=tr.chips(best))
        else:
            won = tr("{names} win with {chips} each!", names=_together(winners, tr), chips=tr.chips(best))
        ranking = sorted(table.present, key=lambda seat: -seat.chips)
        lines.append(tr.count("Over after {n} round.", "Over after {n} rounds.", table.round))
        last = [hand for hand in table.played if hand.move == table.move][-LAST_HANDS:]
        lines += ["", *map(self.hand, last)]
        if table.shared:
            lines.append(tr("The last pot of {n} was shared.", n=table.shared))
        lines += [
            *([""] if lines[-1] else []),
            f"🏆 <b>{won}</b>",
            "",
            *_in_lines([f"{self.name(seat.player)}\u00a0{seat.chips}" for seat in ranking]),
        ]
        gone = [seat for seat in everybody if seat.gone]
        if gone:
            left = ", ".join(f"{self.name(seat.player)}\u00a0{seat.chips + seat.cashed}" for seat in gone)
            lines.append(tr("Left earlier: {names}", names=left))
        return "\n".join(lines)


def _in_lines(entries: Sequence[str]) -> Sequence[str]:
    return entries if len(entries) <= _LISTED else in_rows(entries)


def _together(names: Sequence[str], tr: Words) -> str:
    *first, last = names
    return tr("{names} and {last}", names=", ".join(first), last=last)
