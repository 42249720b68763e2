"""What the table does by itself between two hands: who deals, who pays, whose turn it is, and when it is over."""

from collections.abc import Sequence

from domain import events as e
from domain.choices import cut_asked
from domain.course import Course
from domain.dealing import ensure_stock
from domain.rules import Counterparty, Rotation, Shuffle
from domain.table import Phase, Player, Seat, Table

# -- who deals -------------------------------------------------------------------------------------


def draw(course: Course) -> None:
    """One open card to each, the highest deals first; the tied draw again (P5, Q13)."""
    drawing = [seat.player for seat in course.table.seats]
    course(e.Shuffled(course.table.shuffles + 1, whole=True))
    while True:
        cards = {}
        for player in drawing:
            ensure_stock(course)
            cards[player] = course.table.shoe.stock[0]
            course(e.DrawnForDeal(player, cards[player]))
        highest = max(card.rank for card in cards.values())
        drawing = [player for player in drawing if cards[player].rank is highest]
        if len(drawing) == 1:
            break
        course(e.DrawTied(tuple(drawing)))
    course(e.DealerSet(drawing[0]))


def shuffle(course: Course) -> None:
    """New cards for a new dealer, cut by the player on his right (P6, P7)."""
    table = course.table
    if table.round == 0 or table.rules.shuffle is Shuffle.ROUND:
        course(e.Shuffled(table.shuffles + 1, whole=True))
        if cut_asked(course.table):
            course(e.Asked(table.cutter, Phase.CUT))
            return
    start_round(course)


# -- rounds and antes ------------------------------------------------------------------------------


def start_round(course: Course) -> None:
    """The order of turns, from the dealer's left; the dealer last, or not at all if he is the bank (P20, S1)."""
    table = course.table
    seats = table.left_of_dealer
    players = [seat.player for seat in seats if not (table.rules.has_bank and seat.player == table.dealer)]
    course(e.RoundStarted(table.round + 1, tuple(players)))
    if table.rules.has_pot:
        if table.pot == 0 or (table.rules.ante_each_round and table.round > 0):
            _fill_pot(course, table.in_play)
        elif newcomers := [seat for seat in table.in_play if seat.newcomer]:
            _fill_pot(course, newcomers)
    elif table.rules.counterparty is Counterparty.STAKE and table.pot == 0:
        course(e.Asked(table.dealer, Phase.STAKE))


def _fill_pot(course: Course, payers: Sequence[Seat]) -> None:
    """Each pays his ante, or his last chips; then the round ends early if too few can play (P4, P21, Q8, Q9)."""
    if len(course.table.in_play) > 1:
        fresh = course.table.pot == 0
        for seat in payers:
            course(e.AntePaid(seat.player, min(course.table.rules.ante, seat.chips)))
        if fresh:
            course(e.PotFilled(course.table.pot))
    if len(course.table.in_play) < 2:
        course(e.RoundEnded(course.table.round))


def turn(course: Course) -> None:
    """The next player's turn, after what the last hand has left to do: a banker who goes, an empty pot (P21)."""
    for seat in course.table.present:
        if seat.leaving:
            leave(course, seat.player)
    if course.table.sharing and course.table.pot > 0:
        divide_pot(course)
    table = course.table
    pot_empty = table.rules.has_pot and table.pot == 0
    if pot_empty and table.rules.rotation is not Rotation.POT:
        _fill_pot(course, table.in_play)
    elif not table.queue or pot_empty or table.bank_broken:
        course(e.RoundEnded(table.round))
    else:
        _start_turn(course, table.queue[0])


def _start_turn(course: Course, player: Player) -> None:
    seat = course.table.seat(player)
    if seat is None or not seat.in_play:
        course(e.TurnSkipped(player))
        return
    if course.table.rules.shuffle is Shuffle.TURN:
        course(e.Shuffled(course.table.shuffles + 1, whole=True))
    course(e.TurnStarted(player))
    if course.table.blind:
        course(e.Asked(player, Phase.BLIND_BET))


def end_round(course: Course) -> None:
    """The deal passes to the left and late players sit down, or the game ends or rests (P22, Q11, Q20)."""
    if course.table.bank_broken:
        _return_stake(course)
    table = course.table
    last_round = table.settings.rounds is not None and table.round >= table.settings.rounds
    if table.ending or last_round:
        close(course)
    elif can_go_on(table):
        _pass_deal(course)
    elif can_come_back(table):
        course(e.Asked(None, Phase.REST))
    else:
        close(course)


def can_go_on(table: Table) -> bool:
    """Whether a round can be played: enough players, and a bank that can pay where there is one."""
    if len(table.solvent) + len(table.arrivals) < table.rules.fewest_players:
        return False
    return (
        not table.rules.has_dealer
        or _next_dealer(table) is not None
        or any(_chips_of_arrival(table, player) >= _least_bank(table) for player in table.arrivals)
    )


def can_come_back(table: Table) -> bool:
    """Whether the game could go on if somebody woke up or bought chips."""
    allowed = table.settings.rebuys
    sleeping = [seat for seat in table.present if seat.away and seat.chips > 0]
    broke = [seat for seat in table.present if seat.chips == 0 and (allowed is None or seat.rebuys < allowed)]
    return len({*table.solvent, *sleeping, *broke}) >= table.rules.fewest_players


def _pass_deal(course: Course) -> None:
    if _next_dealer(course.table) != course.table.dealer:
        _return_stake(course)
    arrivals = course.table.arrivals
    if course.table.rules.has_dealer and _next_dealer(course.table) is None:
        _sit_down(course, arrivals)  # nobody else can deal: one of the new players does
        arrivals = ()
    course(e.DealerSet(_next_dealer(course.table)))
    _sit_down(course, arrivals)


def _sit_down(course: Course, arrivals: Sequence[Player]) -> None:
    for player in arrivals:
        record, chips = _record(course.table, player), _chips_of_arrival(course.table, player)
        course(e.Seated(player))
        if record and not record.cashed:
            course(e.Rebought(player, chips))
        else:
            course(e.BoughtIn(player, chips))


def _record(table: Table, player: Player) -> Seat | None:
    """What is known of somebody who has played and left."""
    return next((seat for seat in (*table.departed, *table.seats) if seat.player == player and seat.gone), None)


def _chips_of_arrival(table: Table, player: Player) -> int:
    """What he sits down with: what he took when he left, or the starting chips."""
    record = _record(table, player)
    return record.cashed if record and record.cashed else table.settings.chips


def _least_bank(table: Table) -> int:
    """Chips that a dealer must have: a bank has to cover the least bet (Q28)."""
    return table.rules.greatest_multiple if table.rules.has_bank else 1


def _next_dealer(table: Table) -> Player | None:
    """Who deals the next round: to the left, past those who cannot (P22, Q29, Q30)."""
    if not table.rules.has_dealer or table.dealer is None:
        return None
    enough = _least_bank(table)
    able = [seat.player for seat in table.clockwise(table.dealer) if seat.in_play and seat.chips >= enough]
    passes = {
        Rotation.ROUND: True,
        Rotation.POT: table.pot_won,
        Rotation.BROKE: table.bank_broken,
        Rotation.FIXED: False,
    }[table.rules.rotation]
    stays = table.dealer in [seat.player for seat in table.solvent]
    if stays and not (passes or table.handing_over or table.bank_broken):
        return table.dealer
    return able[0] if able else None


def _return_stake(course: Course) -> None:
    """What is left of the dealer's stake goes back to him (Q32)."""
    table = course.table
    if table.rules.counterparty is Counterparty.STAKE and table.pot > 0 and table.dealer is not None:
        course(e.StakeReturned(table.dealer, table.pot))


# -- leaving and the end ---------------------------------------------------------------------------


def leave(course: Course, player: Player) -> None:
    """A player takes his chips (a banker his stake, too) and goes; a host passes his office to the left (Q19)."""
    if player == course.table.dealer:
        _return_stake(course)
    table = course.table
    seat = table.seat(player)
    heirs = [other.player for other in table.clockwise(player) if other.player != player] if seat else []
    course(e.Left(player, seat.chips if seat else 0))
    heirs = [heir for heir in heirs if course.table.seat(heir)] or list(course.table.arrivals)
    if table.host == player and heirs:
        course(e.HostPassed(heirs[0]))


def close(course: Course) -> None:
    """Share what is left of the pot and end the game (Q12, I27)."""
    _return_stake(course)
    if course.table.pot > 0:
        divide_pot(course)
    course(e.Ended())


def divide_pot(course: Course) -> None:
    """Equal parts for everybody at the table, odd chips one each from the dealer's left (Q12)."""
    table = course.table
    seats = table.left_of_dealer
    sharers = [seat.player for seat in seats if not seat.gone] or [seat.player for seat in seats]
    share, odd = divmod(table.pot, len(sharers))
    for place, player in enumerate(sharers):
        if chips := share + (place < odd):
            course(e.PotShared(player, chips))
