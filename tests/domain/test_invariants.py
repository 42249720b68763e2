"""The invariants of rules 4.1 over random games: any legal rules, any people, any commands, and the clock."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest
from random import Random
from typing import Any, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from domain import commands as c
from domain import events as e
from domain.answers import default_answer
from domain.cards import Card, Rank, deck
from domain.choices import choices
from domain.evolve import evolve, fold, opened
from domain.hand import HandClass, Side, spread
from domain.ledger import Account, Till, transfer
from domain.play import decide, open_table, play
from domain.presets import PRESETS
from domain.refusals import Refusal
from domain.rules import Ace, Consecutive, Counterparty, PairKind, Payout, Rotation, Rules, Shuffle
from domain.settings import Settings
from domain.shoe import key, order
from domain.table import HAND_IN_PLAY, WAITING, Phase, Player, Table
from tests.conftest import HANDS
from tests.domain.strategies import legal_rules, legal_settings
from tests.domain.tables import bounded, goes_on, set_up

PEOPLE = range(1, 7)
"""Who may sit down; the first one opens the table. The last ones mostly stay strangers."""

LUCK = "ab" * 32
ODDS = json.loads(HANDS.with_name("odds.json").read_text(encoding="utf-8"))

LOSSES = {"consecutive", "post", "outside", "guess_lose", "guess_match"}


# -- what a hand is worth, read from the rules once more ----------------------------------------------


def worth(table: Table) -> tuple[str, int]:
    """The class of a hand that is over, and the chips it is worth before anything is cut (rules 2.3, I8)."""
    rules, shown = table.rules, table.shoe.shown
    bet = (table.bet or 0) + table.raised
    if len(shown) < 2 or (len(shown) == 2 and table.bet is None and _passed(table)):
        return "pass", -(rules.pass_cost or 0)
    first, second = (_height(card, rules) for card in shown[:2])
    if table.low_call:
        first = 1
    if first == second:
        return _worth_of_pair(table, bet)
    between = set(range(min(first, second) + 1, max(first, second)))
    if not between:
        return {
            Consecutive.LOSE_MIN: ("consecutive", -rules.min_bet),
            Consecutive.LOSE_BET: ("consecutive", -bet),
            Consecutive.PUSH: ("push", 0),
        }[rules.consecutive]
    if shown[2].rank in {card.rank for card in shown[:2]}:
        return "post", -rules.post_pays * bet
    if _height(shown[2], rules) in between:
        ladder = {1: 5, 2: 4, 3: 2} if rules.payout is Payout.LADDER else {}
        return "win", ladder.get(len(between), 1) * bet
    return "outside", -bet


def _passed(table: Table) -> bool:
    """Whether a hand with two posts and no bet ended by passing: only if it asked something."""
    return table.phase is Phase.DECIDE


def _height(card: Card, rules: Rules) -> int:
    return 1 if card.rank is Rank.ACE and rules.ace is Ace.LOW else int(card.rank)


def _worth_of_pair(table: Table, bet: int) -> tuple[str, int]:
    kind, amount = table.rules.pair
    third = table.shoe.shown[2] if len(table.shoe.shown) == 3 else None
    if kind is PairKind.WIN:
        return "pair", amount
    if kind is PairKind.PUSH:
        return "push", 0
    if kind is PairKind.LOSE_BET:
        return "pair", -bet
    assert third is not None
    matched = third.rank is table.posts[0].rank
    if kind is PairKind.TRIPS:
        return ("trips", amount * bet) if matched else ("pair_miss", 0)
    if matched:
        return "guess_match", -amount * bet
    higher = _height(third, table.rules) > _height(table.posts[0], table.rules)
    return ("guess_win", bet) if higher == (table.side is Side.HIGHER) else ("guess_lose", -bet)


def greatest_bet(table: Table, player: Player) -> int:
    """The most that a player may bet, read from I6."""
    rules = table.rules
    chips = _chips(table, player)
    a_pair = len(table.posts) == 2 and table.posts[0].rank is table.posts[1].rank and not table.low_call
    costs = rules.pair.amount if a_pair and rules.pair.kind is PairKind.GUESS else rules.post_pays
    most = min(chips, max(1, chips // costs))
    if rules.max_bet is not None:
        most = min(most, rules.max_bet)
    if rules.counterparty is Counterparty.POT:
        most = min(most, table.pot)
        if rules.half_opening and table.opening:
            most = min(most, max(table.rules.min_bet, table.pot // 2))
    if rules.counterparty is Counterparty.STAKE:
        most = min(most, table.pot // rules.greatest_multiple)
    if rules.counterparty is Counterparty.BANKER:
        assert table.dealer is not None
        most = min(most, _chips(table, table.dealer) // rules.greatest_multiple)
    return most


def _chips(table: Table, player: Player) -> int:
    return next(seat.chips for seat in table.seats if seat.player == player)


# -- every event --------------------------------------------------------------------------------------


@dataclass
class Observer:
    """Watches a game event by event and holds every one against the invariants."""

    dealt: Counter[Card] = field(default_factory=Counter)
    """The cards dealt since the last shuffle."""
    in_hand: list[str] = field(default_factory=list)
    """The events of the hand being played."""
    order: tuple[Player, ...] = ()
    """Whose turn is still to come in this round, as it was announced."""
    had_turn: list[Player] = field(default_factory=list)
    payers: list[Player] = field(default_factory=list)
    """Who has paid an ante since the last turn or round."""
    shuffled_for: Player | None = None

    def see(self, before: Table, event: e.Event, after: Table) -> None:
        self.chips(before, event, after)
        self.cards(before, event, after)
        self.turns(before, event, after)
        match event:
            case e.BetPlaced() | e.Raised():
                self.bet(before, event)
            case e.Settled():
                self.settlement(before, event, after)
            case e.AntePaid() | e.PotFilled():
                self.ante(before, event)

    def chips(self, before: Table, event: e.Event, after: Table) -> None:
        """I1, I2, I7: chips come and go only with people, and one event moves them between two accounts."""
        moved = transfer(before, event)
        came = moved.chips if moved and moved.payer is Till.CAGE else 0
        went = moved.chips if moved and moved.payee is Till.CAGE else 0
        if came:
            assert isinstance(event, e.BoughtIn | e.Rebought)
        if went:
            assert isinstance(event, e.Left)
        assert after.chips - before.chips == came - went
        assert all(seat.chips >= 0 for seat in after.seats)
        assert after.pot >= 0
        if after.rules.counterparty is not Counterparty.HOUSE:
            assert after.house == 0
        if moved is not None:
            assert moved.chips >= 0
            assert moved.payer != moved.payee or moved.chips == 0

    def cards(self, before: Table, event: e.Event, after: Table) -> None:
        """I3, I4, I5: every card once, none dealt twice between two shuffles, no shuffle without a reason."""
        old, new = before.shoe, after.shoe
        if new is not old:
            assert sorted(new.stock + new.shown + new.discards) == list(deck(after.rules.decks))
        match event:
            case e.Started():
                assert not old.stock + old.shown + old.discards
            case e.DrawnForDeal(_, card) | e.PostDealt(card) | e.ThirdDealt(card):
                assert old.stock[0] == card
                assert new == replace(old, stock=old.stock[1:], shown=(*old.shown, card))
                self.dealt[card] += 1
                assert self.dealt[card] <= after.rules.decks
            case e.Shuffled(_, whole):
                in_hand = bool(old.shown) and before.phase is not Phase.SHUFFLE
                assert new.shown == (old.shown if in_hand else ())
                self.dealt = Counter(new.shown)
                self.reason_to_shuffle(before, whole)
            case e.WasCut() | e.DrawTied() | e.LaidAside() | e.Settled():
                assert sorted(old.stock) == sorted(new.stock)
            case _:
                assert new is old

    def reason_to_shuffle(self, before: Table, whole: bool) -> None:
        if not whole:
            assert not before.shoe.stock
            return
        first_deal = before.round == 0
        new_dealer = before.rules.shuffle is Shuffle.ROUND and before.dealer != self.shuffled_for
        each_hand = before.rules.shuffle is Shuffle.TURN and before.phase is Phase.TURN
        assert first_deal or new_dealer or each_hand
        self.shuffled_for = before.dealer

    def turns(self, before: Table, event: e.Event, after: Table) -> None:
        """I14, I15, I17, I20: who has a turn, in what order, with how many cards."""
        match event:
            case e.RoundStarted(number, order):
                assert number == before.round + 1
                assert order == _order_of_play(before)
                self.order, self.had_turn, self.payers = order, [], []
            case e.TurnStarted(player):
                self.in_hand = []
                self.payers = []
                skipped = self.order[: self.order.index(player)]
                assert not any(_could_play(before, other) for other in skipped)
                self.order = self.order[len(skipped) + 1 :]
                assert player not in self.had_turn
                self.had_turn.append(player)
                assert _could_play(before, player)
                assert not (before.rules.has_bank and player == before.dealer)
            case e.TurnSkipped(player):
                assert not _could_play(before, player)
            case e.RoundEnded():
                waiting = [player for player in self.order if _could_play(before, player)]
                assert not waiting or len(before.in_play) < 2 or before.bank_broken or _pot_passes(before)
            case e.Asked(player, phase):
                if player is not None:
                    assert _chips(after, player) > 0
                if phase in HAND_IN_PLAY:
                    assert player == self.had_turn[-1]
                    assert after.pot > 0 or not after.rules.has_pot
            case e.ThirdDealt():
                assert before.bet is not None
                assert len(before.shoe.shown) == 2
        self.in_hand.append(type(event).__name__)

    def bet(self, before: Table, event: e.BetPlaced | e.Raised) -> None:
        """I6: no bet beyond the stack, its cover, the pot, the maximum, the bank or the opening cap."""
        assert event.player == before.actor
        most = greatest_bet(before, event.player)
        if isinstance(event, e.BetPlaced):
            assert min(before.rules.min_bet, most) <= event.chips <= most
            assert event.chips >= 1
            return
        assert before.bet is not None
        assert before.rules.raises
        assert 0 <= event.chips <= before.bet
        chips = _chips(before, event.player)
        whole = before.bet + event.chips
        assert whole <= max(before.bet, chips // before.rules.post_pays)
        if before.rules.has_pot:
            assert whole <= before.pot

    def settlement(self, before: Table, event: e.Settled, after: Table) -> None:
        """I7, I8, I14, I21: the hand is worth what the rules say, between the player and his counterparty alone."""
        rules, player = before.rules, event.player
        assert player == before.actor
        hand, value = worth(before)
        stack = _chips(before, player)
        assert event.hand.value == hand
        if value < 0:
            assert event.gain == -min(-value, stack)
            assert hand in LOSSES | {"pass", "pair"}
        elif rules.counterparty is Counterparty.HOUSE:
            assert event.gain == value
        elif hand in {"pair", "trips"}:
            assert event.gain == min(value, before.bank)
        else:
            assert event.gain == value
        changed: dict[Account, int]
        changed = {seat.player: seat.chips - _chips(before, seat.player) for seat in after.seats}
        changed |= {Till.POT: after.pot - before.pot, Till.HOUSE: after.house - before.house}
        other: Any = {
            Counterparty.POT: Till.POT,
            Counterparty.STAKE: Till.POT,
            Counterparty.BANKER: before.dealer,
            Counterparty.HOUSE: Till.HOUSE,
        }[rules.counterparty]
        assert {account: chips for account, chips in changed.items() if chips} == (
            {player: event.gain, other: -event.gain} if event.gain else {}
        )
        if rules.has_bank and rules.max_bet is not None:
            assert event.gain <= max(rules.max_bet * rules.greatest_multiple, rules.pair.amount)
        used, posts = self.in_hand.count("PostDealt"), self.in_hand.count("ThirdDealt")
        if "LaidAside" not in self.in_hand:
            assert (used, posts) in {(0, 0), (1, 0), (2, 0), (2, 1)}
            assert used != 1 or hand == "pass"
        third = "ThirdDealt" in self.in_hand
        assert third == (hand in {"win", "post", "outside", "trips", "pair_miss"} or hand.startswith("guess"))

    def ante(self, before: Table, event: e.AntePaid | e.PotFilled) -> None:
        """I16, I20: whoever has chips pays, the winner too; nobody else."""
        if isinstance(event, e.AntePaid):
            seat = before.seat(event.player)
            assert seat is not None
            assert seat.in_play
            assert event.chips == min(before.rules.ante, seat.chips)
            assert event.player not in self.payers
            if not self.payers:
                self.able = {seat.player for seat in before.in_play}
                self.paid = 0
            self.payers.append(event.player)
            self.paid += event.chips
        else:
            assert set(self.payers) == self.able
            assert event.pot == before.pot == self.paid
            self.payers = []

    able: set[Player] = field(default_factory=set)
    paid: int = 0


def _order_of_play(table: Table) -> tuple[Player, ...]:
    """Clockwise from the dealer's left; the dealer last, or not at all if he is the bank."""
    players = [seat.player for seat in table.seats]
    if table.dealer is None:
        return tuple(players)
    place = players.index(table.dealer)
    order = players[place + 1 :] + players[:place]
    return (*order,) if table.rules.has_bank else (*order, table.dealer)


def _could_play(table: Table, player: Player) -> bool:
    seat = table.seat(player)
    return seat is not None and seat.chips > 0 and not seat.away


def _pot_passes(table: Table) -> bool:
    return table.rules.rotation is Rotation.POT and table.pot == 0


# -- every command ------------------------------------------------------------------------------------


def something_said(table: Table, luck: Random) -> c.Command:
    """Something that somebody might say now; most often what the table has asked."""
    dice = luck.randrange(10)
    if dice < 6 and (answers := fitting(table, luck)):
        return luck.choice(answers)
    if dice == 6:
        return c.RunOutOfTime(luck.choice([table.asked, table.asked, table.asked - 1]))
    who, whom = luck.choice(PEOPLE), luck.choice(PEOPLE)
    admin = luck.random() < 0.2
    amount = luck.randrange(-1, 30)
    sayings: list[c.Command] = [
        c.Join(who),
        c.Join(who),
        c.Leave(who),
        c.Kick(who, whom, admin),
        c.Start(who, LUCK, admin),
        c.Cut(who, amount),
        c.PutUp(who, amount),
        c.CallAce(who, low=admin),
        c.Guess(who, Side.LOWER),
        c.Bet(who, amount),
        c.Pass(who),
        c.Raise(who, amount),
        c.Rebuy(who),
        c.Back(who),
        c.End(who, admin and amount > 20, now=amount > 25),
        c.SetUp(who, Rules(), Settings(), admin),
        c.SharePot(who),
        c.PassBank(who),
        c.SetMaxBet(who, amount, admin),
    ]
    return luck.choice(sayings)


def fitting(table: Table, luck: Random) -> list[c.Command]:
    """Legal answers to the open question."""
    open_question, asked = choices(table), table.actor
    if table.phase is Phase.LOBBY:
        return [*map(c.Join, PEOPLE[:4]), c.Start(table.host, LUCK)]
    if table.phase is Phase.REST:
        return [*map(c.Rebuy, PEOPLE), *map(c.Back, PEOPLE), *map(c.Join, PEOPLE)]
    if asked is None:
        return []
    answers: list[c.Command] = []
    if bounds := open_question.bet:
        answers += [c.Bet(asked, luck.randint(bounds.least, bounds.most)), c.Bet(asked, bounds.most)]
    if bounds := open_question.more:
        answers += [c.Raise(asked, luck.randint(bounds.least, bounds.most)), c.Raise(asked, bounds.most)]
    if bounds := open_question.stake:
        answers += [c.PutUp(asked, luck.randint(bounds.least, bounds.most)), c.PutUp(asked, bounds.most)]
    if bounds := open_question.cut:
        answers += [c.Cut(asked, luck.randint(bounds.least, bounds.most))]
    if open_question.call:
        answers += [c.CallAce(asked, low=True), c.CallAce(asked, low=False)]
    if open_question.guess:
        answers += [c.Guess(asked, side) for side in Side]
    if open_question.pass_cost is not None:
        answers += [c.Pass(asked)]
    return answers


class Recorder:
    """A game whose every move is looked at; what was said and what happened is kept."""

    def __init__(self, rules: Rules, agreed: Settings) -> None:
        self.opening, self.table = open_table(1, rules, agreed)
        self.said: list[c.Command] = []
        self.log: list[list[e.Event]] = []
        self.observer = Observer()

    def say(self, command: c.Command) -> None:
        """Ask something of the table, and hold what follows against the invariants."""
        before = self.table
        try:
            events, after = play(before, command)
        except Refusal:
            return  # that it changed nothing shows when the log is folded
        allowed(command, before)
        step = before
        for event in events:
            following = evolve(step, event)
            self.observer.see(step, event, following)
            step = following
        assert replace(step, move=step.move + 1) == after
        self.table = after
        self.said.append(command)
        self.log.append(events)
        look_at(after)
        if before.phase is Phase.ENDED:
            assert isinstance(command, c.Back), "after the end nothing happens any more"
        elif after.phase is Phase.ENDED:
            shared_out(events, after)


def allowed(command: c.Command, before: Table) -> None:
    """I19: who may do what."""
    match command:
        case c.Cut(player):
            assert player == before.actor == before.cutter
        case c.PutUp(player) | c.CallAce(player) | c.Guess(player) | c.Bet(player) | c.Pass(player) | c.Raise(player):
            assert player == before.actor
        case (
            c.SetUp(player, admin=admin)
            | c.Start(player, admin=admin)
            | c.Kick(player, admin=admin)
            | c.SetMaxBet(player, admin=admin)
        ):
            assert player == before.host or admin
        case c.RunOutOfTime(asked):
            assert asked == before.asked
        case c.SharePot(player) | c.PassBank(player):
            assert before.seat(player) is not None or player in before.arrivals
        case c.End(player, admin):
            assert player == before.host or admin or before.seat(player) is not None


def look_at(table: Table) -> None:
    """What holds whenever a table waits."""
    assert table.phase in WAITING
    assert table.asked <= table.move
    everybody = [seat.player for seat in table.seats]
    assert len(set(everybody)) == len(everybody), "nobody sits twice"
    assert len(table.present) + len(table.arrivals) <= table.settings.seats
    assert not {*table.arrivals} & {seat.player for seat in table.present}
    if table.actor is not None:
        assert decide(table, default_answer(table)), "I25: as an answer of the player"
        assert decide(table, c.RunOutOfTime(table.asked)), "I25: as the clock's own word"
    if table.phase in HAND_IN_PLAY:
        assert table.actor is not None
        seat = table.seat(table.actor)
        assert seat is not None
        assert seat.chips > 0, "I20"
        assert table.pot > 0 or not table.rules.has_pot, "I15"
        bounds = choices(table).bet
        if bounds is not None:
            assert 1 <= bounds.least <= bounds.most == greatest_bet(table, table.actor), "I6"
    if table.bet is not None and table.rules.has_bank:
        assert table.bank >= table.bet * table.rules.greatest_multiple, "I21"


def shared_out(events: list[e.Event], table: Table) -> None:
    """I27: the last pot is shared completely and equally."""
    assert table.pot == 0
    shares = [event.chips for event in events if isinstance(event, e.PotShared)]
    assert not shares or max(shares) - min(shares) <= 1


def folds_and_repeats(game: Recorder) -> None:
    """I22: the log folds to the table, and the same commands with the same luck give the same game."""
    (first,) = game.opening
    assert isinstance(first, e.Opened)
    folded = opened(first)
    for events in game.log:
        folded = fold(folded, events)
    assert folded == game.table
    _, again = open_table(first.player, first.rules, first.settings)
    for events, command in zip(game.log, game.said, strict=True):
        repeated, again = play(again, command)
        assert repeated == events
    assert again == game.table


def play_at_random(rules: Rules, agreed: Settings, players: int, luck: Random, moves: int) -> Recorder:
    """A game of some people who say this and that."""
    game = Recorder(rules, agreed)
    with bounded():
        _play_at_random(game, agreed, players, luck, moves)
    return game


def _play_at_random(game: Recorder, agreed: Settings, players: int, luck: Random, moves: int) -> None:
    for player in PEOPLE[1 : min(players, agreed.seats)]:
        game.say(c.Join(player))
    game.say(c.Start(1, f"{luck.getrandbits(256):064x}"))
    for _ in range(moves):
        game.say(something_said(game.table, luck))


K = TypeVar("K")
HANDS_OF_A_GAME = 100
HANDS_TO_PLAY = 3_000
PEOPLE_WITH_CHIPS = {1: 10**6, 2: 10**6}


def chi_square(found: Mapping[K, int], expected: Mapping[K, float]) -> float:
    return sum((found[key] - chance) ** 2 / chance for key, chance in expected.items())


@settings(max_examples=100, deadline=None)
@given(data=st.data(), players=st.integers(2, 4), luck=st.integers(0, 2**32), moves=st.integers(0, 120))
def test_every_invariant_holds_at_every_table(data: st.DataObject, players: int, luck: int, moves: int) -> None:
    """I1-I8, I14-I17, I19-I22, I24, I25, I27, whatever the rules are and whatever people say.

    The commands follow from ``luck``; a failing game is shortened by its number of ``moves``.
    """
    rules = data.draw(legal_rules())
    agreed = data.draw(legal_settings(rules))
    folds_and_repeats(play_at_random(rules, agreed, players, Random(luck), moves))


# -- two tables, and many hands --------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(data=st.data(), lucks=st.tuples(st.integers(0, 2**32), st.integers(0, 2**32)))
def test_two_tables_never_touch_each_other(data: st.DataObject, lucks: tuple[int, int]) -> None:
    """I28: two games, told turn by turn in one process, go as each goes alone."""
    alone, together = [], []
    for luck in lucks:
        rules = data.draw(legal_rules())
        agreed = data.draw(legal_settings(rules))
        alone.append(play_at_random(rules, agreed, 3, Random(luck), 20))
        together.append(Recorder(rules, agreed))
    for said in zip_longest(*(game.said for game in alone)):
        for game, command in zip(together, said, strict=True):
            if command is not None:
                game.say(command)
    assert [game.table for game in together] == [game.table for game in alone]


def test_the_draw_ties_as_often_as_the_odds_say() -> None:
    """I29, Q13: 1,500 draws of six from fixed seeds; within four deviations of 17.6 %."""
    draws, chance = 1_500, float(Fraction(ODDS["draw_tie"]["6"]))
    ties = 0
    for number in range(draws):
        six = order(deck(), key(f"{number:064x}", 1))[:6]
        highest = max(card.rank for card in six)
        ties += sum(card.rank is highest for card in six) > 1
    assert abs(ties - draws * chance) < 4 * (draws * chance * (1 - chance)) ** 0.5


def test_spreads_and_classes_come_as_often_as_the_odds_say() -> None:
    """I29, I24: 3,000 hands of a real game, each from a fresh deck, one bet on each; chi-square with fixed luck.

    12 degrees of freedom for the spreads, and 1 or 2 for the third cards of each; the bounds are p = 0.001.
    """
    rules = replace(PRESETS["home_pot"], shuffle=Shuffle.TURN, rotation=Rotation.FIXED)
    spreads, thirds = Counter[int](), Counter[tuple[int, HandClass]]()
    for number in range(HANDS_TO_PLAY // HANDS_OF_A_GAME):
        table = set_up(PEOPLE_WITH_CHIPS, rules=rules, dealer=2, phase=Phase.ROUND, pot=10**6, seed=f"{number:064x}")
        table = goes_on(table).table
        hands = list(table.played)
        while len(hands) < HANDS_OF_A_GAME:
            assert table.actor is not None
            _, table = play(table, c.Bet(table.actor, 1))
            hands += [hand for hand in table.played if hand.move == table.move]
        for hand in hands[:HANDS_OF_A_GAME]:
            between = spread(rules, hand.cards[:2])
            spreads[-1 if between is None else between] += 1
            thirds[-1 if between is None else between, hand.hand] += 1
    expected = {row["k"]: HANDS_TO_PLAY * float(Fraction(row["p"])) for row in ODDS["spread"]}
    assert chi_square(spreads, expected) < 32.91
    automatic = spreads[-1] + spreads[0]
    assert abs(automatic - HANDS_TO_PLAY * 45 / 221) < 4 * (HANDS_TO_PLAY * 45 / 221 * 176 / 221) ** 0.5
    for row in ODDS["third_of_50"][1:]:
        k, of_spread = row["k"], spreads[row["k"]]
        of_k = {hand: of_spread * row[hand.value] / 50 for hand in (HandClass.WIN, HandClass.POST, HandClass.OUTSIDE)}
        found = {hand: thirds[k, hand] for hand in of_k if of_k[hand]}
        assert sum(found.values()) == of_spread
        assert chi_square(found, {hand: chance for hand, chance in of_k.items() if chance}) < 13.82
