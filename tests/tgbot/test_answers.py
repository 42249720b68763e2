"""What a player reads about his own move: a reason, or a short word that it counted."""

from dataclasses import replace

import pytest

from domain import commands as c
from domain.events import BetPlaced, CameBack, Event, LeaveAsked, Settled
from domain.hand import HandClass
from domain.play import open_table, play
from domain.presets import HOME_POT, PRESETS
from domain.refusals import Reason, Refusal
from domain.settings import Settings
from domain.table import Seat, Table
from tests.domain.tables import ANN, BOB, CAT, DAN, SEED, UNCUT, Game, started, turn
from tgbot import answers
from tgbot.words import LANGUAGES, words

EN, PL = words("en"), words("pl")
REBUYS = Settings(cut=False, rebuys=None)


def lobby(*others: int) -> Table:
    """A table that Ann has opened."""
    table = open_table(ANN, HOME_POT, UNCUT)[1]
    for other in others:
        table = play(table, c.Join(other))[1]
    return table


def told(table: Table, command: c.Command, language: str = "en", player: int | None = None) -> str:
    """What whoever commands this reads, or somebody else."""
    events, after = play(table, command)
    who = player if player is not None else getattr(command, "player", 0)
    return answers.done(who, events, after, words(language))


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_words_of_its_own_in_every_language(reason: Reason) -> None:
    texts = {answers.refusal(Refusal(reason, 5), words(language)) for language in LANGUAGES}
    assert len(texts) == len(LANGUAGES), "none is left in English"
    assert all(text[0].isupper() and text[-1] in ".!" for text in texts)


def test_no_two_reasons_sound_alike() -> None:
    for language in LANGUAGES:
        texts = [answers.refusal(Refusal(reason, 5), words(language)) for reason in Reason]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("reason", "limit", "english", "polish"),
    [
        (Reason.NOT_YOUR_TURN, None, "It's not your turn yet.", "To jeszcze nie twoja kolej."),
        (Reason.BET_BELOW_MIN, 1, "The least bet is 1 chip.", "Najmniejsza stawka to 1 żeton."),
        (Reason.BET_ABOVE_STACK, 22, "You have 22 chips.", "Masz 22 żetony."),
        (Reason.BET_ABOVE_STACK, 1, "You have 1 chip.", "Masz 1 żeton."),
        (Reason.FULL, 17, "The table is full: 17 players.", "Stół jest pełny: 17 osób."),
        (Reason.FULL, 2, "The table is full: 2 players.", "Stół jest pełny: 2 osoby."),
        (Reason.PASS_FORBIDDEN, None, None, "Przy tym stole się nie pasuje: postaw choćby najmniej."),
    ],
)
def test_a_refusal_in_words(reason: Reason, limit: int | None, english: str | None, polish: str) -> None:
    assert english is None or answers.refusal(Refusal(reason, limit), EN) == english
    assert answers.refusal(Refusal(reason, limit), PL) == polish


def test_a_pot_of_one_chip_is_spoken_of_in_the_singular() -> None:
    text = answers.refusal(Refusal(Reason.BET_ABOVE_POT, 1), EN)
    assert "1 chip" in text
    assert "There are 1" not in text
    assert "3 chips" in answers.refusal(Refusal(Reason.BET_ABOVE_POT, 3), EN)


def test_the_nearest_legal_number_is_in_the_reason() -> None:
    game = turn({ANN: 10, BOB: 10, CAT: 10}, "3H TS 5C", pot=4)
    for amount, number in ((0, "1"), (5, "4"), (11, "10")):
        reason, limit = game.refuses(c.Bet(ANN, amount))
        assert f" {number} " in answers.refusal(Refusal(reason, limit), EN)
        assert f" {number} " in answers.refusal(Refusal(reason, limit), PL)


# -- one's own move --------------------------------------------------------------------------------


def test_a_visitor_is_welcome() -> None:
    assert told(lobby(), c.Join(BOB)) == "Welcome to the table!"
    assert told(lobby(), c.Join(BOB), "pl") == "Witaj przy stole!"


def test_a_late_visitor_learns_when_he_plays() -> None:
    table = started([ANN, BOB]).table
    assert told(table, c.Join(CAT)) == "Welcome! You play from the next round."


def test_whoever_joins_a_resting_game_sits_down_at_once() -> None:
    seats = (Seat(player=ANN, chips=10), Seat(player=BOB, chips=5, missed=3, away=True))
    rest = turn({ANN: 10, BOB: 5}, "3H TS", dealer=BOB, pot=2).table
    rest = Game(replace(rest, seats=seats)).do(c.Bet(ANN, 1)).table
    assert rest.phase == "rest"
    assert told(rest, c.Join(CAT)) == "Welcome to the table!"


def test_leaving_tells_what_one_takes_along() -> None:
    assert told(lobby(BOB), c.Leave(BOB)) == "You left."
    game = turn({ANN: 10, BOB: 7, CAT: 10}, "3H TS", pot=4)
    assert told(game.table, c.Leave(BOB)) == "You left with 7 chips."
    assert told(game.table, c.Leave(BOB), "pl") == "Odchodzisz od stołu i zabierasz 7 żetonów."


def test_leaving_on_ones_own_turn_is_answered_as_leaving() -> None:
    """The clock's answer is given first (Q19), but what he asked for was to go."""
    game = turn({ANN: 10, BOB: 7, CAT: 10}, "3H TS 2C", pot=4)
    assert told(game.table, c.Leave(ANN)) == "You left with 9 chips."


def test_stopping_at_once_on_ones_own_turn_is_not_answered_with_a_bet() -> None:
    game = turn({ANN: 10, BOB: 7, CAT: 10}, "3H TS 2C", pot=4)
    assert told(game.table, c.End(ANN, now=True)) == ""


def test_a_banker_learns_that_he_waits_for_the_hand() -> None:
    game = turn({ANN: 10, BOB: 10, CAT: 40}, "3H TS 5C", rules=PRESETS["bank"])
    events, after = play(game.table, c.Leave(CAT))
    assert LeaveAsked(CAT) in events
    assert answers.done(CAT, events, after, EN) == "You leave as soon as this hand is over."


def test_a_cut_is_confirmed() -> None:
    game = started([ANN, BOB, CAT], settings=Settings())
    assert told(game.table, c.Cut(game.table.actor or 0, 20)) == "Cut."


@pytest.mark.parametrize(
    ("codes", "english", "polish"),
    [
        ("3H TS 5C", "You bet 2 and won 2 chips.", "Stawiasz 2 i wygrywasz 2 żetony."),
        ("3H TS 2C", "You bet 2 and lost 2 chips.", "Stawiasz 2 i tracisz 2 żetony."),
        ("3H TS TC", "You bet 2 and lost 2 chips.", "Stawiasz 2 i tracisz 2 żetony."),
    ],
)
def test_a_bet_is_answered_with_what_became_of_it(codes: str, english: str, polish: str) -> None:
    table = turn({ANN: 10, BOB: 10, CAT: 10}, codes, pot=4).table
    assert told(table, c.Bet(ANN, 2)) == english
    assert told(table, c.Bet(ANN, 2), "pl") == polish


def test_a_bet_before_the_cards_stands_until_they_are_seen() -> None:
    rules = PRESETS["red_dog"]
    game = turn({ANN: 50, BOB: 50}, "3H TS 5C", rules=rules, dealer=None)
    assert told(game.table, c.Bet(ANN, 2)) == "You bet 2 chips."


def test_of_a_chain_of_hands_only_ones_own_is_told() -> None:
    """Ann wins, Bob has a pair, Ann loses a chip with consecutive cards: her bet is what she asked about (I24)."""
    table = turn({ANN: 10, BOB: 10}, "3H TS 5C 4D 4H", dealer=BOB, pot=8).table
    events, after = play(table, c.Bet(ANN, 2))
    assert [event.player for event in events if isinstance(event, Settled)][:2] == [ANN, BOB]
    assert answers.done(ANN, events, after, EN) == "You bet 2 and won 2 chips."
    assert answers.done(BOB, events, after, EN) == "", "his toast is for his own moves"


def test_a_later_hand_of_the_same_move_is_not_taken_for_the_bet() -> None:
    table = turn({ANN: 10, BOB: 10}, "3H TS 5C", dealer=BOB, pot=8).table
    events: list[Event] = [
        BetPlaced(ANN, 2),
        Settled(ANN, HandClass.WIN, 2),
        Settled(BOB, HandClass.PAIR, 2),
        Settled(ANN, HandClass.CONSECUTIVE, -1),
    ]
    assert answers.done(ANN, events, table, EN) == "You bet 2 and won 2 chips."


def test_new_chips_are_confirmed() -> None:
    game = turn({ANN: 10, BOB: 0, CAT: 10}, "3H TS", pot=4, settings=REBUYS)
    assert told(game.table, c.Rebuy(BOB)) == "You bought 50 chips."
    assert told(game.table, c.Rebuy(BOB), "pl") == "Dokupujesz 50 żetonów."


def test_whoever_comes_back_is_welcome() -> None:
    game = turn({ANN: 10, BOB: 10, CAT: 10, DAN: 10}, "3H TS 5C", pot=4)
    away = tuple(replace(seat, away=True, missed=3) if seat.player == BOB else seat for seat in game.table.seats)
    table = replace(game.table, seats=away)
    assert told(table, c.Back(BOB)) == "Welcome back!"
    assert told(table, c.End(BOB)) == "Your vote counts. The game stops when more than half agree."


def test_a_bet_says_more_than_that_somebody_is_back() -> None:
    game = turn({ANN: 10, BOB: 10, CAT: 10}, "3H TS 5C", pot=4)
    missed = tuple(replace(seat, missed=1) for seat in game.table.seats)
    events, after = play(replace(game.table, seats=missed), c.Bet(ANN, 2))
    assert events[0] == CameBack(ANN)
    assert answers.done(ANN, events, after, EN) == "You bet 2 and won 2 chips."


def test_a_vote_counts_and_the_deciding_one_ends_the_game() -> None:
    game = turn({ANN: 10, BOB: 10, CAT: 10}, "3H TS 5C", pot=4)
    assert told(game.table, c.End(BOB)) == "Your vote counts. The game stops when more than half agree."
    game.do(c.End(BOB))
    assert told(game.table, c.End(CAT)) == "The game ends after this round."
    assert told(game.table, c.End(ANN)) == "The game ends after this round.", "the host's word"


def test_the_end_itself_is_told_by_the_board() -> None:
    assert told(lobby(BOB), c.End(ANN)) == ""
    game = turn({ANN: 10, BOB: 10, CAT: 10}, "3H TS 5C", pot=4, actor=BOB)
    assert told(game.table, c.End(ANN, now=True)) == ""


def test_the_start_is_told_by_the_board() -> None:
    assert told(lobby(BOB), c.Start(ANN, SEED)) == ""


def test_a_pass_is_told_by_the_board() -> None:
    game = turn({ANN: 10, BOB: 10, CAT: 10}, "3H TS", pot=4, rules=PRESETS["friendly_pot"])
    assert told(game.table, c.Pass(ANN)) == ""


def test_what_the_clock_does_for_a_player_is_nobodys_own_move() -> None:
    game = turn({ANN: 10, BOB: 10, CAT: 10}, "3H TS 5C", pot=4)
    assert told(game.table, c.RunOutOfTime(game.table.asked), player=BOB) == ""
