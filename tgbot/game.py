"""The board in the middle of a game: what stands against the players, who has what, what happened, who is asked."""

from domain.choices import choices, table_limit
from domain.hand import Side, spread
from domain.rules import Counterparty
from domain.table import Phase, Player
from tgbot.rulecard import headline
from tgbot.sheet import Sheet, in_rows

LAST_HANDS = 3
"""How many hands are shown; all of the last move, if they are more."""


class Game(Sheet):
    """The table in the middle of a game."""

    def text(self) -> str:
        """The whole board."""
        parts = [self._head(), self._seats(), self._news(), self._question()]
        return "\n\n".join(part for part in parts if part)

    def past(self) -> str:
        """Only the hand that deserved a new board, for all the others stand on that one."""
        hands = [self.hand(hand) for hand in self.table.played if hand.move == self.table.move]
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
        lines = [self._title(), *self._bank()]
        if table.ending:
            lines.append(tr("This is the last round."))
        elif table.votes:
            lines.append(tr.count("{n} vote to stop", "{n} votes to stop", len(table.votes)))
        return "\n".join([*lines, *self._agreements()])

    def _agreements(self) -> list[str]:
        """What is being voted on, and what has been agreed for the next round."""
        table, tr, lines = self.table, self.tr, []
        if table.share_votes:
            agree = len(table.share_votes)
            lines.append(tr("Share the pot? {n} of {all} agree: /share", n=agree, all=len(table.in_play)))
        if table.handing_over:
            lines.append(tr("The deal passes after this round."))
        elif table.bank_votes:
            agree = len(table.bank_votes)
            lines.append(tr("Another dealer? {n} of {all} agree: /passbank", n=agree, all=len(table.in_play)))
        if table.next_max_bet is not None:
            lines.append(tr("From the next round: bets up to {n}", n=table.next_max_bet))
        return lines

    def _bank(self) -> list[str]:
        """What stands against the players, once there is something, and the most that may be bet against it."""
        table, tr = self.table, self.tr
        if not table.round or table.phase is Phase.STAKE:
            return []
        match table.rules.counterparty:
            case Counterparty.POT:
                against = tr("Pot <b>{pot}</b>", pot=table.pot)
            case Counterparty.STAKE:
                against = tr("Stake <b>{stake}</b>", stake=table.pot)
            case Counterparty.BANKER:
                against = tr("Bank <b>{bank}</b>", bank=table.bank)
            case Counterparty.HOUSE if table.house < 0:
                against = tr("The house lost <b>{n}</b>", n=-table.house)
            case Counterparty.HOUSE:
                against = tr("The house won <b>{n}</b>", n=table.house)
        most = table_limit(table)
        return [against if most is None else tr("{against} · bets up to {most}", against=against, most=most)]

    def _seats(self) -> str:
        """One line that breaks only between players: a name and its chips stay together."""
        tr, seats = self.tr, [self._seat(seat.player) for seat in self.table.present]
        late = [tr("{name} joins next round", name=self.name(player)) for player in self.table.arrivals]
        return "\n".join([*in_rows(seats), *late])

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
        lines = [self.hand(hand) for hand in hands]
        if table.shared:
            lines.append(self.tr("All agreed: the pot of {n} was shared.", n=table.shared))
        return "\n".join(lines)

    def _draw(self) -> str:
        cards = [f"{self.name(player)}\u00a0{card}" for player, card in self.table.draws]
        dealer = self.table.dealer
        lines = [self.tr("The highest card deals first:"), *in_rows(cards)]
        if dealer is not None:
            lines.append(self.tr("{name} deals.", name=self.name(dealer)))
        return "\n".join(lines)

    def _question(self) -> str:
        table, tr = self.table, self.tr
        if table.phase is Phase.REST or table.actor is None:
            return self._rest()
        who = f"<b>{self.name(table.actor)}</b>"
        asks = {
            Phase.CUT: tr("{name}, cut the deck: after which card?", name=who),
            Phase.STAKE: tr("{name}, you bank: how much do you put up?", name=who),
            Phase.BLIND_BET: tr("{name}, your bet, before the cards:", name=who),
            Phase.CALL_ACE: tr("{name}, your ace: high or low?", name=who),
            Phase.RAISE: tr("{name}, you bet {n}. Raise?", name=who, n=table.bet),
        }
        ask = asks.get(table.phase) or tr("{name}, your turn:", name=who)
        return "\n".join(line for line in (ask, self._posts(), self._guess(), self._time()) if line)

    def _rest(self) -> str:
        tr = self.tr
        alone = self.table.rules.fewest_players == 1
        why = tr("The game rests until somebody can play.") if alone else tr("The game rests until two can play.")
        return why + "\n" + tr("Whoever is back taps a button.")

    def _guess(self) -> str:
        """What a pair asks for: first the side, then the bet."""
        table, tr = self.table, self.tr
        if table.phase is not Phase.DECIDE or not choices(table).guess:
            return ""
        if table.side is None:
            return tr("A pair! Third card higher or lower?")
        return tr("You say higher. How much?") if table.side is Side.HIGHER else tr("You say lower. How much?")

    def _posts(self) -> str:
        if not self.table.posts:
            return ""
        first, *second = map(str, self.table.posts)
        if not second:
            return f"<b>{first}  ▢  ▢</b>"
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
