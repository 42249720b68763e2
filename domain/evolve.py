"""What is known after an event: the table before and one fact give the table afterwards.

Nothing is decided here, and nothing can fail: an event has happened.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import assert_never

from domain import events as e
from domain.ledger import Till, counterparty, transfer
from domain.shoe import Shoe, key
from domain.table import HANDS_OF_A_MOVE, REMEMBERED_HANDS, Phase, PlayedHand, Player, Seat, Table


def opened(event: e.Opened) -> Table:
    """The first value of a table; its opening is its first move, and the lobby its first question."""
    seats = (Seat(player=event.player),)
    return Table(rules=event.rules, settings=event.settings, host=event.player, seats=seats, move=1, asked=1)


def fold(table: Table, events: Iterable[e.Event]) -> Table:
    """The table after the events of one move, counted as that move."""
    for event in events:
        table = evolve(table, event)
    return replace(table, move=table.move + 1)


def evolve(table: Table, event: e.Event) -> Table:
    """The table after one event; chips first, then everything else."""
    return _remember(_pay(table, event), event)


def _pay(table: Table, event: e.Event) -> Table:
    moved = transfer(table, event)
    if moved is None:
        return table
    for account, chips in ((moved.payer, -moved.chips), (moved.payee, moved.chips)):
        match account:
            case Till.POT:
                table = replace(table, pot=table.pot + chips)
            case Till.HOUSE:
                table = replace(table, house=table.house + chips)
            case Till.CAGE:
                pass
            case player:
                table = _seat(table, player, partial(_paid, chips=chips))
    return table


def _paid(seat: Seat, chips: int) -> Seat:
    return replace(seat, chips=seat.chips + chips)


def _remember(table: Table, event: e.Event) -> Table:
    match event:
        case e.Opened():
            return opened(event)
        case e.RulesChosen(rules, settings):
            return replace(table, rules=rules, settings=settings)
        case e.Joined(player) if table.phase is Phase.LOBBY:
            return replace(table, seats=(*table.seats, Seat(player=player)))
        case e.Joined(player):
            return replace(table, arrivals=(*table.arrivals, player))
        case e.Seated(player):
            return _seated(table, player)
        case e.LeaveAsked(player):
            return _seat(table, player, lambda seat: replace(seat, leaving=True))
        case e.Left(player):
            return _left(table, event)
        case e.HostPassed(player):
            return replace(table, host=player)
        case e.Started(seed):
            phase = Phase.DRAW if table.rules.has_dealer else Phase.SHUFFLE
            return replace(table, seed=seed, shoe=Shoe.of(table.rules.decks), phase=phase)
        case e.AntePaid(player):
            return _seat(table, player, lambda seat: replace(seat, newcomer=False))
        case e.StakePut():
            return replace(table, phase=Phase.TURN, actor=None)
        case e.PotShared(_, chips):
            return replace(table, sharing=False, shared=table.shared + chips)
        case e.StakeReturned():
            return table  # the chips are all there is to it
        case e.Rebought(player):
            return _seat(table, player, partial(_rebought, chips=event.chips))
        case e.BoughtIn(player, chips):
            # Somebody who comes back brings his own chips, and has paid for them.
            return _seat(table, player, lambda seat: replace(seat, bought=seat.bought or chips))
        case e.DrawnForDeal(player, card):
            return replace(table, shoe=table.shoe.dealt(), draws=(*table.draws, (player, card)))
        case e.PostDealt() | e.ThirdDealt():
            return replace(table, shoe=table.shoe.dealt())
        case e.DrawTied() | e.LaidAside():
            return replace(table, shoe=table.shoe.gathered(), low_call=None)
        case e.DealerSet(player):
            return _dealer_set(table, player)
        case e.Shuffled(number, whole):
            shoe = table.shoe.gathered() if whole else table.shoe
            return replace(table, shoe=shoe.shuffled(key(table.seed, number)), shuffles=number)
        case e.WasCut(_, place):
            return replace(table, shoe=table.shoe.cut(place), phase=Phase.ROUND, actor=None, timed_out=False)
        case e.RoundStarted(number, order):
            return replace(table, round=number, queue=order, pot_won=False, phase=Phase.TURN)
        case e.RoundEnded():
            return _round_ended(table)
        case e.PotFilled():
            # What was agreed on, or voted for, was another pot.
            opening = tuple(seat.player for seat in table.in_play)
            return replace(table, opening=opening, share_votes=(), sharing=False)
        case e.Resumed():
            return replace(table, actor=None, phase=Phase.ROUND_END)
        case e.EndVoted(player):
            return replace(table, votes=(*table.votes, player))
        case e.ShareVoted(player):
            return replace(table, share_votes=(*table.share_votes, player))
        case e.ShareAgreed():
            return replace(table, sharing=True, share_votes=())
        case e.BankVoted(player):
            return replace(table, bank_votes=(*table.bank_votes, player))
        case e.BankHandedOver():
            return replace(table, handing_over=True, bank_votes=())
        case e.MaxBetChosen(chips):
            return replace(table, next_max_bet=chips)
        case e.EndAgreed():
            return replace(table, ending=True)
        case e.Ended():
            return replace(table, actor=None, queue=(), phase=Phase.ENDED, asked=table.move + 1)
        case e.TurnStarted(player):
            return replace(
                table,
                actor=player,
                queue=_without(table.queue, player),
                timed_out=False,
                phase=Phase.BLIND_BET if table.blind else Phase.DEAL,
            )
        case e.TurnSkipped(player):
            return replace(
                table,
                queue=_without(table.queue, player),
                opening=_without(table.opening, player),
            )
        case e.Asked(player, phase):
            return replace(table, actor=player, phase=phase, asked=table.move + 1)
        case e.AceCalled(_, low):
            return replace(table, low_call=low, phase=Phase.DEAL)
        case e.Guessed(_, side):
            return replace(table, side=side)
        case e.BetPlaced(_, chips):
            return replace(table, bet=chips, phase=Phase.DEAL if table.blind else Phase.REVEAL)
        case e.Raised(_, chips):
            return replace(table, raised=chips, phase=Phase.REVEAL)
        case e.Settled():
            return _settled(table, event)
        case e.TimedOut(player, away):
            missed = int(not table.timed_out)  # a hand that is answered for in two steps is missed once
            table = _seat(table, player, lambda seat: replace(seat, missed=seat.missed + missed, away=away))
            return replace(table, timed_out=True)
        case e.CameBack(player):
            return _seat(table, player, lambda seat: replace(seat, missed=0, away=False))
        case _:
            assert_never(event)


# -- seats -----------------------------------------------------------------------------------------


def _seat(table: Table, player: Player, change: Callable[[Seat], Seat]) -> Table:
    """The table with something new about one player."""
    return replace(table, seats=tuple(change(seat) if seat.player == player else seat for seat in table.seats))


def _rebought(seat: Seat, chips: int) -> Seat:
    return replace(seat, rebuys=seat.rebuys + 1, bought=seat.bought + chips)


def _without(players: tuple[Player, ...], player: Player) -> tuple[Player, ...]:
    return tuple(other for other in players if other != player)


def _seated(table: Table, player: Player) -> Table:
    left = [seat for seat in (*table.departed, *table.seats) if seat.player == player]
    seats = [seat for seat in table.seats if seat.player != player]  # he may be back in the round in which he left
    place = next((n for n, seat in enumerate(seats) if seat.player == table.dealer), len(seats))
    before = left[0] if left else Seat(player=player)
    seat = replace(before, gone=False, leaving=False, cashed=0, missed=0, away=False, newcomer=True)
    return replace(
        table,
        seats=(*seats[:place], seat, *seats[place:]),
        arrivals=_without(table.arrivals, player),
        departed=tuple(seat for seat in table.departed if seat.player != player),
    )


def _left(table: Table, event: e.Left) -> Table:
    player = event.player
    table = replace(
        table,
        arrivals=_without(table.arrivals, player),
        queue=_without(table.queue, player),
        opening=_without(table.opening, player),
        votes=_without(table.votes, player),
        share_votes=_without(table.share_votes, player),
        bank_votes=_without(table.bank_votes, player),
    )
    if table.phase is Phase.LOBBY:
        return replace(table, seats=tuple(seat for seat in table.seats if seat.player != player))
    if table.seat(player) is None:  # he was only waiting for a seat; an earlier stack of his is not touched
        return table
    return _seat(table, player, lambda seat: replace(seat, gone=True, leaving=False, cashed=event.chips))


def _round_ended(table: Table) -> Table:
    rules = table.rules if table.next_max_bet is None else replace(table.rules, max_bet=table.next_max_bet)
    return replace(table, rules=rules, next_max_bet=None, queue=(), phase=Phase.ROUND_END)


def _dealer_set(table: Table, dealer: Player | None) -> Table:
    """Those who left give up their places; a new dealer means new cards, if the rules say so."""
    gone = tuple(seat for seat in table.seats if seat.gone)
    fresh = dealer != table.dealer or table.round == 0
    return replace(
        table,
        seats=table.present,
        departed=table.departed + gone,
        dealer=dealer,
        handing_over=False,
        bank_votes=(),
        actor=None,
        phase=Phase.SHUFFLE if fresh else Phase.ROUND,
    )


# -- hands ------------------------------------------------------------------------------------------


def _settled(table: Table, event: e.Settled) -> Table:
    emptied = table.rules.has_pot and table.pot == 0
    hand = PlayedHand(
        move=table.move + 1,
        player=event.player,
        cards=table.shoe.shown,
        hand=event.hand,
        bet=None if table.bet is None else table.bet + table.raised,
        gain=event.gain,
        pot=table.pot + event.gain if counterparty(table) is Till.POT else 0,  # the chips have moved already
        pot_emptied=emptied,
        by_clock=table.timed_out,
    )
    return replace(
        table,
        shoe=table.shoe.gathered(),
        actor=None,
        opening=_without(table.opening, event.player),
        low_call=None,
        side=None,
        bet=None,
        raised=0,
        timed_out=False,
        shared=0,
        pot_won=emptied,
        draws=(),
        played=_remembered((*table.played, hand)),
        phase=Phase.TURN,
    )


def _remembered(hands: tuple[PlayedHand, ...]) -> tuple[PlayedHand, ...]:
    """Those of the newest move, and a few before them."""
    newest = sum(1 for hand in hands if hand.move == hands[-1].move)
    return hands[-min(max(newest, REMEMBERED_HANDS), HANDS_OF_A_MOVE) :]
