"""The board: a table as one message. Pure: the same table gives the same text and the same buttons."""

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime
from html import unescape
from typing import NamedTuple

from telegram import InlineKeyboardMarkup

from domain.hand import spread
from domain.table import Phase, PlayedHand, Player, Table
from tgbot.hands import hand_line
from tgbot.keyboard import keyboard
from tgbot.names import safe_name, shown
from tgbot.rulecard import headline, settings_line, short_rules
from tgbot.words import Words

PHONE = 36
"""Characters that fit in one line of a message on a phone."""
LAST_HANDS = 3
"""How many hands are shown; all of the last move, if they are more."""
_LISTED = 8
"""Up to so many players stand in lines of their own when the game is over."""


class Board(NamedTuple):
    """A message: HTML text and its keyboard, if it has one."""

    text: str
    keyboard: InlineKeyboardMarkup | None


class Scene(NamedTuple):
    """What a board shows besides the table itself."""

    number: int
    names: Mapping[Player, str]
    due_at: datetime | None = None
    now: datetime | None = None
    countdown: bool = True
    """Whether the reader's own client counts the time down (an entity that old servers refuse)."""


def draw(table: Table, scene: Scene, tr: Words) -> Board:
    """The board of a table in the group's language."""
    page = _Page(table, scene, tr)
    match table.phase:
        case Phase.LOBBY:
            return Board(page.lobby(), keyboard(table, scene.number, tr))
        case Phase.ENDED:
            return Board(page.ending(), keyboard(table, scene.number, tr))
        case _:
            return Board(page.game(), keyboard(table, scene.number, tr))


def draw_past(table: Table, scene: Scene, tr: Words) -> Board:
    """What stays of a board when a newer one stands below it: what has happened, and nothing to tap."""
    return Board(_Page(table, scene, tr).past(), None)


def display_name(scene: Scene, player: Player, place: int, tr: Words) -> str:
    """A player's name as plain text; somebody without a readable name is called by his place."""
    return safe_name(scene.names.get(player, ""), tr("Player {n}", n=place))


class _Page:
    def __init__(self, table: Table, scene: Scene, tr: Words) -> None:
        self.table, self.scene, self.tr = table, scene, tr
        self._places = {player: n for n, player in enumerate(self._everybody(), 1)}

    def _everybody(self) -> Sequence[Player]:
        seats = [seat.player for seat in (*self.table.seats, *self.table.departed)]
        return [*seats, *self.table.arrivals]

    def name(self, player: Player) -> str:
        """A player's name, ready for HTML."""
        return shown(display_name(self.scene, player, self._places.get(player, 0), self.tr))

    # -- texts -------------------------------------------------------------------------------------

    def lobby(self) -> str:
        table, tr = self.table, self.tr
        seated = [self.name(seat.player) for seat in table.seats]
        host = self.name(table.host)
        waiting = (
            tr("Waiting for a second player.")
            if len(seated) < 2
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

    def game(self) -> str:
        parts = [self._head(), self._seats(), self._news(), self._question()]
        return "\n\n".join(part for part in parts if part)

    def past(self) -> str:
        """Only the hand that deserved a new board, for all the others stand on that one."""
        hands = [self._hand(hand) for hand in self.table.played if hand.move == self.table.move]
        below = self.tr("The game goes on below.") if self.table.phase is not Phase.ENDED else ""
        return "\n\n".join(part for part in (self._title(), "\n".join(hands), below) if part)

    def _title(self) -> str:
        table, tr = self.table, self.tr
        title = headline(table.rules, tr)
        coming = table.phase is Phase.CUT  # a deck is cut for the round that begins
        if table.round + coming:
            title = tr("{game} · round {round}", game=title, round=table.round + coming)
        return f"<b>{title}</b>"

    def _head(self) -> str:
        table, tr = self.table, self.tr
        lines = [self._title()]
        if table.rules.has_pot and table.round:
            lines.append(tr("Pot <b>{pot}</b>", pot=table.pot))
        if table.ending:
            lines.append(tr("This is the last round."))
        elif table.votes:
            lines.append(tr.count("{n} vote to stop", "{n} votes to stop", len(table.votes)))
        return "\n".join(lines)

    def _seats(self) -> str:
        """One line that breaks only between players: a name and its chips stay together."""
        tr, seats = self.tr, [self._seat(seat.player) for seat in self.table.present]
        late = [tr("{name} joins next round", name=self.name(player)) for player in self.table.arrivals]
        return "\n".join([*_in_rows(seats), *late])

    def _seat(self, player: Player) -> str:
        seat = self.table.seat(player)
        text = f"{self.name(player)}\u00a0{seat.chips if seat else 0}"
        notes = []
        if player == self.table.dealer:
            notes.append(self.tr("deals"))
        if seat and seat.away:
            notes.append(self.tr("away"))
        return f"{text}\u00a0({', '.join(notes)})" if notes else text

    def _news(self) -> str:
        table = self.table
        if table.draws:
            return self._draw()
        newest = [hand for hand in table.played if hand.move == table.move]
        hands = newest if len(newest) > LAST_HANDS else table.played[-LAST_HANDS:]
        return "\n".join(self._hand(hand) for hand in hands)

    def _hand(self, hand: PlayedHand) -> str:
        line = hand_line(hand, self.name(hand.player), self.table.rules, self.tr)
        unfilled = hand is self.table.played[-1] and not self.table.pot  # too few were left to put anything in
        if hand.pot_emptied and not unfilled:
            ante = self.tr.chips(self.table.rules.ante)
            line += "\n" + self.tr("Pot empty: everybody puts in {chips}.", chips=ante)
        return line

    def _draw(self) -> str:
        cards = [f"{self.name(player)}\u00a0{card}" for player, card in self.table.draws]
        dealer = self.table.dealer
        lines = [self.tr("The highest card deals first:"), *_in_rows(cards)]
        if dealer is not None:
            lines.append(self.tr("{name} deals.", name=self.name(dealer)))
        return "\n".join(lines)

    def _question(self) -> str:
        table, tr = self.table, self.tr
        if table.phase is Phase.REST or table.actor is None:
            return tr("The game rests until two can play.") + "\n" + tr("Whoever is back taps a button.")
        who = f"<b>{self.name(table.actor)}</b>"
        if table.phase is Phase.CUT:
            return tr("{name}, cut the deck: after which card?", name=who) + "\n" + self._time()
        return "\n".join([tr("{name}, your turn:", name=who), self._posts(), self._time()])

    def _posts(self) -> str:
        first, *second = map(str, self.table.posts) if self.table.posts else ("",)
        if not second:
            return f"<b>{first}</b>"
        between = spread(self.table.rules, self.table.posts, self.table.low_call is True)
        cards = f"<b>{first}  ▢  {second[0]}</b>"
        if between is None:
            return cards
        ranks = self.tr.count("{n} rank between", "{n} ranks between", between)
        return f"{cards}   {ranks}"

    def _time(self) -> str:
        """How long the player has: counted down by the reader's client, or the length of a turn as plain words."""
        due, now, tr = self.scene.due_at, self.scene.now, self.tr
        if due is None or now is None:
            return ""
        left = tr.time(max(0, round((due - now).total_seconds())))
        if not self.scene.countdown:
            return "⏳ " + tr("time: {time}", time=left)
        in_time = tr("in {time}", time=left)
        when = f'<tg-time unix="{int(due.timestamp())}" format="r">{in_time}</tg-time>'
        return "⏳ " + tr("time is up {when}", when=when)

    def ending(self) -> str:
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
        lines += ["", *map(self._hand, last)]
        if table.shared:
            lines.append(tr("The last pot of {n} was shared.", n=table.shared))
        lines += [
            *([""] if lines[-1] else []),
            f"🏆 <b>{won}</b>",
            "",
            *self._in_lines([f"{self.name(seat.player)}\u00a0{seat.chips}" for seat in ranking]),
        ]
        gone = [seat for seat in everybody if seat.gone]
        if gone:
            left = ", ".join(f"{self.name(seat.player)}\u00a0{seat.chips + seat.cashed}" for seat in gone)
            lines.append(tr("Left earlier: {names}", names=left))
        return "\n".join(lines)

    @staticmethod
    def _in_lines(entries: Sequence[str]) -> Sequence[str]:
        return entries if len(entries) <= _LISTED else _in_rows(entries)


def _together(names: Sequence[str], tr: Words) -> str:
    *first, last = names
    return tr("{names} and {last}", names=", ".join(first), last=last)


def _in_rows(entries: Sequence[str]) -> list[str]:
    """Entries side by side, broken into lines as a phone is wide, and never within an entry."""
    rows: list[str] = []
    for entry in entries:
        joined = f"{rows[-1]} · {entry}" if rows else entry
        if rows and _width(joined) <= PHONE:
            rows[-1] = joined
        else:
            rows.append(entry)
    return rows


def _width(text: str) -> int:
    """About how wide a line is in characters: what HTML hides does not count."""
    return sum(unicodedata.category(c) != "Cf" for c in unescape(text))
