"""A game from the lobby to the cards: opening, joining, starting, hands of every class, rebuys, and the log."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from domain import commands as c
from domain import events as e
from domain.evolve import evolve, fold
from domain.hand import HandClass, Side
from domain.play import decide, open_table, play
from domain.presets import HOME_POT, PRESETS
from domain.refusals import Reason, Refusal
from domain.rules import Rules
from domain.settings import Settings
from domain.shoe import Shoe
from domain.table import HANDS_OF_A_MOVE, REMEMBERED_HANDS, Phase, PlayedHand
from tests.domain.tables import (
    ANN,
    BOB,
    CAT,
    DAN,
    SEED,
    STRANGER,
    UNCUT,
    Game,
    cards,
    drawn,
    set_up,
    shuffles,
    started,
    turn,
)

EVERYBODY = {ANN: 20, BOB: 20, CAT: 20}
PLAYABLE = "3H TS 5C"


def changed(rules: Rules, **switches: object) -> Rules:
    return Rules.from_dict({**rules.to_dict(), **switches})


def lobby(*players: int, rules: Rules = HOME_POT, settings: Settings = UNCUT) -> Game:
    _, table = open_table(ANN, rules, settings)
    return Game(table).do(*(c.Join(player) for player in players))


# -- the lobby -----------------------------------------------------------------------------------------


def test_whoever_opens_a_table_is_its_host_and_sits_down() -> None:
    events, table = open_table(ANN, HOME_POT, UNCUT)
    assert events == [e.Opened(ANN, HOME_POT, UNCUT)]
    assert (table.host, table.move, table.asked, table.phase) == (ANN, 1, 1, Phase.LOBBY)
    assert drawn(table) == "lobby: no cards, pot 0\n  Ann 0"


@pytest.mark.parametrize(("rules", "settings"), [(Rules(raises=True), UNCUT), (HOME_POT, Settings(seats=1))])
def test_a_table_of_switches_that_clash_is_not_opened(rules: Rules, settings: Settings) -> None:
    """Rules 2.3."""
    with pytest.raises(Refusal) as refused:
        open_table(ANN, rules, settings)
    assert refused.value.reason is Reason.BAD_COMBINATION
    assert lobby().refuses(c.SetUp(ANN, rules, settings)) == (Reason.BAD_COMBINATION, None)


def test_the_host_chooses_another_game_before_the_start() -> None:
    """Rules 4.4: option."""
    game = lobby(BOB).do(c.SetUp(ANN, PRESETS["bank"], UNCUT))
    assert game.table.rules == PRESETS["bank"]
    game.do(c.SetUp(STRANGER, HOME_POT, Settings(), admin=True))
    assert (game.table.rules, game.table.settings) == (HOME_POT, Settings())


def test_nobody_else_chooses_and_nobody_chooses_after_the_start() -> None:
    """I19, S9: the maximum is fixed before any deal."""
    assert lobby(BOB).refuses(c.SetUp(BOB, HOME_POT, UNCUT)) == (Reason.NOT_ALLOWED, None)
    playing = turn(EVERYBODY, PLAYABLE, pot=3)
    assert playing.refuses(c.SetUp(ANN, HOME_POT, UNCUT)) == (Reason.ALREADY_STARTED, None)


def test_the_seats_are_not_made_fewer_than_the_people_on_them() -> None:
    game = lobby(BOB, CAT)
    assert game.refuses(c.SetUp(ANN, HOME_POT, Settings(seats=2))) == (Reason.FULL, 2)
    game.do(c.SetUp(ANN, HOME_POT, Settings(seats=3)))


def test_people_sit_down_clockwise_as_they_come() -> None:
    game = lobby(CAT, BOB)
    assert [seat.player for seat in game.table.seats] == [ANN, CAT, BOB]


def test_a_seat_is_taken_once_and_only_while_there_is_one() -> None:
    """Rules 4.4: full, already_in; Q16."""
    game = lobby(BOB, settings=Settings(seats=2))
    assert game.refuses(c.Join(BOB)) == (Reason.ALREADY_IN, None)
    assert game.refuses(c.Join(CAT)) == (Reason.FULL, 2)


def test_whoever_leaves_the_lobby_leaves_no_trace_and_the_host_passes_his_office() -> None:
    game = lobby(BOB, CAT).do(c.Leave(ANN))
    assert [seat.player for seat in game.table.seats] == [BOB, CAT]
    assert game.table.host == BOB
    game.do(c.Leave(BOB), c.Leave(CAT))
    assert game.table.phase is Phase.ENDED


def test_a_lobby_that_nobody_starts_is_closed_by_the_clock() -> None:
    assert lobby(BOB).do(c.RunOutOfTime(1)).table.phase is Phase.ENDED


def test_one_player_is_too_few() -> None:
    """Rules 4.4."""
    assert lobby().refuses(c.Start(ANN, SEED)) == (Reason.TOO_FEW, 2)


def test_only_the_host_or_an_admin_starts_and_only_once() -> None:
    """I19."""
    game = lobby(BOB)
    assert game.refuses(c.Start(BOB, SEED)) == (Reason.NOT_ALLOWED, None)
    game.do(c.Start(STRANGER, SEED, admin=True))
    assert game.refuses(c.Start(ANN, SEED)) == (Reason.ALREADY_STARTED, None)


def test_everybody_starts_with_the_same_chips() -> None:
    """P3."""
    game = started((ANN, BOB, CAT), settings=Settings(chips=30, cut=False))
    assert game.all(e.BoughtIn) == [e.BoughtIn(ANN, 30), e.BoughtIn(BOB, 30), e.BoughtIn(CAT, 30)]


@pytest.mark.parametrize(
    "command",
    [
        c.Join(DAN),
        c.Leave(ANN),
        c.Kick(ANN, BOB),
        c.Start(ANN, SEED),
        c.SetUp(ANN, HOME_POT, UNCUT),
        c.End(ANN),
        c.Rebuy(ANN),
        c.Bet(ANN, 1),
    ],
)
def test_a_game_that_is_over_takes_nothing_more(command: c.Command) -> None:
    game = turn(EVERYBODY, PLAYABLE, pot=3).do(c.End(ANN, now=True))
    assert game.refuses(command) == (Reason.GAME_OVER, None)
    assert game.refuses(c.RunOutOfTime(game.table.asked)) == (Reason.OLD_BUTTON, None)


# -- kicking and buying ----------------------------------------------------------------------------------


def test_the_host_or_an_admin_sends_somebody_away() -> None:
    for command in (c.Kick(ANN, BOB), c.Kick(STRANGER, BOB, admin=True)):
        game = turn(EVERYBODY, PLAYABLE, pot=9).do(command)
        assert game.last(e.Left) == e.Left(BOB, 20)


def test_nobody_else_sends_anybody_away_nor_somebody_who_is_not_there() -> None:
    """I19."""
    game = turn(EVERYBODY, PLAYABLE, pot=9)
    assert game.refuses(c.Kick(BOB, CAT)) == (Reason.NOT_ALLOWED, None)
    assert game.refuses(c.Kick(BOB, BOB)) == (Reason.NOT_ALLOWED, None)
    assert game.refuses(c.Kick(ANN, STRANGER)) == (Reason.NOT_SEATED, None)
    assert game.refuses(c.Leave(STRANGER)) == (Reason.NOT_SEATED, None)


def test_whoever_is_sent_away_on_his_turn_is_first_answered_for() -> None:
    """Q19."""
    game = turn(EVERYBODY, "3H TS JC", pot=9).do(c.Kick(STRANGER, ANN, admin=True))
    assert game.last(e.Left) == e.Left(ANN, 19)
    assert game.table.host == BOB


def test_a_player_without_chips_buys_the_starting_chips_as_often_as_allowed() -> None:
    """Q7: n times."""
    game = turn({**EVERYBODY, BOB: 0}, PLAYABLE, pot=9, settings=Settings(chips=30, cut=False, rebuys=1))
    game.do(c.Rebuy(BOB))
    assert game.stacks[BOB] == 30
    seat = game.table.seat(BOB)
    assert seat is not None
    assert seat.rebuys == 1
    assert game.refuses(c.Rebuy(BOB)) == (Reason.TOO_MANY_CHIPS, None)


@pytest.mark.parametrize(("allowed", "bought"), [(0, 0), (1, 1), (2, 2)])
def test_nobody_buys_more_often_than_allowed(allowed: int, bought: int) -> None:
    """Q7, rules 4.4: rebuy_off."""
    about = {BOB: {"rebuys": bought}}
    game = turn({**EVERYBODY, BOB: 0}, PLAYABLE, pot=9, settings=Settings(cut=False, rebuys=allowed), about=about)
    assert game.refuses(c.Rebuy(BOB)) == (Reason.REBUY_OFF, allowed)


def test_a_table_may_let_people_buy_for_ever() -> None:
    """Q7: free."""
    about = {BOB: {"rebuys": 100}}
    game = turn({**EVERYBODY, BOB: 0}, PLAYABLE, pot=9, settings=Settings(cut=False, rebuys=None), about=about)
    assert game.do(c.Rebuy(BOB)).stacks[BOB] == 50


def test_a_stranger_and_a_lobby_buy_nothing() -> None:
    assert turn(EVERYBODY, PLAYABLE, pot=9).refuses(c.Rebuy(STRANGER)) == (Reason.NOT_SEATED, None)
    assert lobby(BOB).refuses(c.Rebuy(BOB)) == (Reason.NOT_STARTED, None)


def test_whoever_buys_before_his_turn_has_it() -> None:
    """Q7, I17."""
    game = turn({**EVERYBODY, BOB: 0}, PLAYABLE, pot=9, settings=Settings(cut=False, rebuys=1))
    game.do(c.Rebuy(BOB), c.Bet(ANN, 1))
    assert game.table.actor == BOB


# -- hands -----------------------------------------------------------------------------------------------


def test_a_hand_is_posts_a_bet_and_a_third_card_between_them() -> None:
    """P8, P11, P19, S6, S14."""
    game = turn(EVERYBODY, PLAYABLE, pot=9)
    assert drawn(game.table) == (
        "decide: 3♥ 10♠, pot 9\n  Ann 20 (is asked)\n  Bob 20\n  Cat 20 (deals)"
    )  # fmt: skip
    game.do(c.Bet(ANN, 2))
    assert [event.card.code for event in game.all(e.ThirdDealt)] == ["5C"]
    assert game.table.shoe.discards == cards(PLAYABLE)
    assert game.table.actor == BOB


@pytest.mark.parametrize(
    ("name", "codes", "said", "hand", "gain"),
    [
        ("home_pot", "3H TS 5C", [c.Bet(ANN, 2)], HandClass.WIN, 2),
        ("home_pot", "3H TS KC", [c.Bet(ANN, 2)], HandClass.OUTSIDE, -2),
        ("home_pot", "3H TS TC", [c.Bet(ANN, 2)], HandClass.POST, -2),
        ("home_pot", "3H 4S", [], HandClass.CONSECUTIVE, -1),
        ("home_pot", "7H 7S", [], HandClass.PAIR, 2),
        ("home_pot_three", "7H 7S", [], HandClass.PAIR, 3),
        ("friendly_pot", "3H TS", [c.Pass(ANN)], HandClass.PASS, 0),
        ("bank", "3H 4S", [], HandClass.PUSH, 0),
        ("bank", "7H 7S", [], HandClass.PUSH, 0),
        ("blind_bank", "3H 4S", [c.Bet(ANN, 4)], HandClass.CONSECUTIVE, -4),
        ("blind_bank", "7H 7S", [c.Bet(ANN, 4)], HandClass.PAIR, -4),
        ("blind_bank", "3H TS 5C", [c.Bet(ANN, 4)], HandClass.WIN, 4),
        ("blind_bank", "", [c.Pass(ANN)], HandClass.PASS, 0),
        ("soft_blind_bank", "7H 7S", [c.Bet(ANN, 4)], HandClass.PUSH, 0),
        ("acey_deucey", "3H TS TC", [c.Bet(ANN, 4)], HandClass.POST, -8),
        ("acey_deucey", "7H 7S 7D", [c.Guess(ANN, Side.LOWER), c.Bet(ANN, 3)], HandClass.GUESS_MATCH, -9),
        ("acey_deucey", "7H 7S 2D", [c.Guess(ANN, Side.LOWER), c.Bet(ANN, 3)], HandClass.GUESS_WIN, 3),
        ("acey_deucey", "7H 7S 8D", [c.Guess(ANN, Side.LOWER), c.Bet(ANN, 3)], HandClass.GUESS_LOSE, -3),
        ("red_dog", "6H 8S 7C", [c.Bet(ANN, 4), c.Raise(ANN, 4)], HandClass.WIN, 40),
        ("red_dog", "6H TS 7C", [c.Bet(ANN, 4), c.Raise(ANN, 0)], HandClass.WIN, 8),
        ("red_dog", "6H 7S", [c.Bet(ANN, 4)], HandClass.PUSH, 0),
        ("red_dog", "6H 6S 6D", [c.Bet(ANN, 4)], HandClass.TRIPS, 44),
        ("red_dog", "6H 6S 7D", [c.Bet(ANN, 4)], HandClass.PAIR_MISS, 0),
        ("sheets", "6H 7S 6S 6D 3H TS 5C", [c.Bet(ANN, 2)], HandClass.WIN, 2),
    ],
)
def test_every_class_of_hand_moves_its_chips(
    name: str, codes: str, said: list[c.Command], hand: HandClass, gain: int
) -> None:
    """I8; rules 2.3: each class is one transfer between the player and his counterparty."""
    rules = PRESETS[name]
    pot = 9 if rules.has_pot else 0
    game = turn(EVERYBODY, codes, rules=rules, pot=pot, dealer=CAT if rules.has_dealer else None).do(*said)
    settled = game.all(e.Settled)[0]
    assert settled == e.Settled(ANN, hand, gain)
    assert game.stacks[ANN] == 20 + gain
    assert game.table.chips == 60 + pot
    dealt = [event.card for event in game.all(e.PostDealt) + game.all(e.ThirdDealt)]
    assert set(cards(codes)) <= set(dealt)


def test_a_post_never_costs_more_than_the_player_has() -> None:
    """Q6, I8: a bet of one chip is always allowed, and costs no more than is there."""
    game = turn({**EVERYBODY, ANN: 1}, "3H TS TC", rules=changed(HOME_POT, post_pays=3), pot=9).do(c.Bet(ANN, 1))
    assert game.last(e.Settled) == e.Settled(ANN, HandClass.POST, -1)
    assert (game.stacks[ANN], game.table.pot) == (0, 10)


def test_consecutive_posts_cost_the_least_bet_or_all_that_is_there() -> None:
    """Q1: lose_min."""
    rules = Rules(min_bet=5)
    assert turn(EVERYBODY, "3H 4S", rules=rules, pot=9).last(e.Settled).gain == -5
    assert turn({**EVERYBODY, ANN: 3}, "3H 4S", rules=rules, pot=9).last(e.Settled).gain == -3


@pytest.mark.parametrize(("banker", "gain"), [(30, 20), (20, 20), (8, 8)])
def test_a_pair_at_the_bank_is_paid_as_far_as_the_bank_can(banker: int, gain: int) -> None:
    """Q3, I2: debts are not kept."""
    rules = changed(PRESETS["bank"], pair="win:20")
    game = turn({**EVERYBODY, CAT: banker}, "7H 7S", rules=rules)
    assert game.last(e.Settled).gain == gain


def test_three_of_a_kind_wins_no_more_than_the_pot() -> None:
    """I2, Q3: the switches allow trips with a pot, and eleven times the bet is seldom there."""
    rules = changed(HOME_POT, bet_when="before", consecutive="push", pair="trips:11")
    game = turn(EVERYBODY, "7H 7S 7D", rules=rules, pot=9).do(c.Bet(ANN, 2))
    assert game.last(e.Settled) == e.Settled(ANN, HandClass.TRIPS, 9)
    assert game.table.pot == 3


def test_posts_are_laid_aside_until_they_can_be_played() -> None:
    """V-redeal, I24: consecutive and pair, again and again, in one move."""
    game = turn(EVERYBODY, "6H 7S 6S 6D 2H 3S KH KS 3H TS 5C", rules=PRESETS["sheets"], pot=9)
    assert len(game.all(e.LaidAside)) == 4
    assert game.table.posts == cards("3H TS")
    assert len(game.table.shoe.discards) == 8


def test_a_call_is_forgotten_with_the_posts_that_are_laid_aside() -> None:
    """V-redeal, Q33: the second first ace is called anew."""
    game = turn(EVERYBODY, "AH 2S AS 5S 9C", rules=PRESETS["sheets"], pot=9).do(c.CallAce(ANN, low=True))
    assert len(game.all(e.LaidAside)) == 1
    assert game.table.phase is Phase.CALL_ACE
    assert game.table.low_call is None
    game.do(c.CallAce(ANN, low=False), c.Bet(ANN, 1))
    assert game.last(e.Settled).hand is HandClass.WIN


def test_a_call_and_a_guess_are_forgotten_with_the_hand() -> None:
    rules = PRESETS["acey_deucey"]
    game = turn(EVERYBODY, "AH AS 2C", rules=rules, pot=9).do(c.CallAce(ANN, low=False), c.Guess(ANN, Side.LOWER))
    assert (game.table.low_call, game.table.side) == (False, Side.LOWER)
    game.do(c.Bet(ANN, 1))
    assert (game.table.low_call, game.table.side, game.table.bet) == (None, None, None)


# -- the stock -------------------------------------------------------------------------------------------


def short_stock(stock: str, discards: str) -> Game:
    """Ann bets blindly while the stock runs out."""
    shoe = Shoe(cards(stock), discards=cards(discards))
    table = set_up(EVERYBODY, dealer=CAT, phase=Phase.BLIND_BET, actor=ANN, rules=PRESETS["blind_bank"], shoe=shoe)
    return Game(table)


@pytest.mark.parametrize("stock", ["", "3H", "3H TS", "3H TS 5C"])
def test_the_discards_come_in_only_when_a_card_is_wanted_and_none_is_left(stock: str) -> None:
    """S13, I4, I5: even between the posts and the third card; cards on the table stay out."""
    missing = cards(PLAYABLE)[len(cards(stock)) :]
    discards = " ".join(card.code for card in [*missing, *cards("QD QC")])
    game = short_stock(stock, discards)
    with shuffles(" ".join(card.code for card in missing)):
        game.do(c.Bet(ANN, 1))
    assert [event.whole for event in game.all(e.Shuffled)] == ([False] if missing else [])
    assert game.all(e.Settled)[0] == e.Settled(ANN, HandClass.WIN, 1)
    assert game.table.shoe.discards == (cards(PLAYABLE) if missing else cards("QD QC 3H TS 5C"))


def test_a_stock_that_has_just_run_out_is_not_shuffled_before_a_card_is_wanted() -> None:
    """S13, I5."""
    game = short_stock("3H TS 5C", "QD QC").do(c.Bet(ANN, 1))
    assert game.table.shoe.stock == ()
    assert game.all(e.Shuffled) == []


# -- moves and memory --------------------------------------------------------------------------------------


def test_each_command_is_one_move_and_a_question_remembers_its_own() -> None:
    """I23: an answer to an older question is stale."""
    game = turn(EVERYBODY, PLAYABLE, pot=9)
    move = game.table.move
    assert game.table.asked == move
    game.do(c.Join(DAN))
    assert (game.table.move, game.table.asked) == (move + 1, move)
    game.do(c.Bet(ANN, 1))
    assert game.table.asked == game.table.move == move + 2


def test_a_hand_that_is_over_can_be_looked_at_again() -> None:
    game = turn(EVERYBODY, PLAYABLE, pot=9).do(c.Bet(ANN, 9))
    hand = game.table.played[-1]
    assert hand == PlayedHand(
        move=game.table.move,
        player=ANN,
        cards=cards(PLAYABLE),
        hand=HandClass.WIN,
        bet=9,
        gain=9,
        pot=9,
        pot_emptied=True,
        by_clock=False,
    )


def test_a_raise_and_the_clock_are_remembered_with_the_hand() -> None:
    game = turn({ANN: 50, BOB: 50}, "3H JS 5C", rules=PRESETS["red_dog"], dealer=None).do(
        c.Bet(ANN, 5), c.Raise(ANN, 3)
    )
    hand = game.table.played[-1]
    assert (hand.bet, hand.gain, hand.pot_emptied, hand.by_clock) == (8, 8, False, False)
    game = turn(EVERYBODY, PLAYABLE, pot=9).time_out()
    assert game.table.played[-1].by_clock


def test_the_latest_hands_are_remembered() -> None:
    game = started((ANN, BOB), rules=PRESETS["blind_bank"])
    while len(game.all(e.Settled)) <= REMEMBERED_HANDS:
        assert game.table.actor is not None
        game.do(c.Pass(game.table.actor))
    assert len(game.table.played) == REMEMBERED_HANDS
    assert game.table.played[-1].move == game.table.move


def test_of_the_newest_move_every_hand_is_remembered_whatever_came_before() -> None:
    """A board shows a whole move; the table carries no more than that through the evening."""
    table = turn(EVERYBODY, PLAYABLE, pot=9).do(c.Bet(ANN, 1)).table
    (hand,), settled = table.played, e.Settled(ANN, HandClass.WIN, 1)
    for earlier, now, kept in ((5, 1, 6), (40, 3, 6), (6, 8, 8), (3, 60, HANDS_OF_A_MOVE)):
        before = [replace(hand, move=n) for n in range(earlier)]
        newest = [replace(hand, move=table.move + 1)] * (now - 1)
        after = evolve(replace(table, played=(*before, *newest)), settled).played
        moves = [one.move for one in (*before, *newest)] + [table.move + 1]
        assert [one.move for one in after] == moves[-kept:], (earlier, now)


def test_the_cards_of_the_draw_are_shown_until_the_first_hand_is_over() -> None:
    """P5."""
    with shuffles("8H KS 4D"):
        game = started((ANN, BOB, CAT), rules=PRESETS["friendly_pot"])
    assert [(player, card.code) for player, card in game.table.draws] == [(ANN, "8H"), (BOB, "KS"), (CAT, "4D")]
    assert game.do(c.Pass(CAT)).table.draws == ()


SOME_GAMES: list[Callable[[], Game]] = [
    lambda: turn(EVERYBODY, PLAYABLE, pot=3).do(c.Bet(ANN, 3)),
    lambda: turn(EVERYBODY, "7H 7S", pot=1),
    lambda: turn(EVERYBODY, PLAYABLE, rules=PRESETS["bank"]).do(c.Bet(ANN, 1)),
]


@pytest.mark.parametrize("game", SOME_GAMES)
def test_what_is_decided_is_what_is_known_afterwards(game: Callable[[], Game]) -> None:
    """I22: `play` is `decide`, folded and counted."""
    table = game().table
    events = decide(table, c.Join(DAN))
    assert play(table, c.Join(DAN)) == (events, fold(table, events))
    assert fold(table, events).move == table.move + 1
    once = table
    for event in events:
        once = evolve(once, event)
    assert once.arrivals == (DAN,)
