"""What a button carries, and what is not a button of ours (traps 7 and 12, the 64 bytes of the limits)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tgbot.buttons import Tap, Word, read_tap

_LONGEST = 10**18 - 1
_NUMBERS = st.integers(0, _LONGEST)
_TAPS = st.builds(Tap, st.sampled_from(Word), _NUMBERS, _NUMBERS, st.none() | _NUMBERS)


@given(_TAPS)
def test_a_tap_is_read_as_it_was_packed(tap: Tap) -> None:
    assert read_tap(tap.pack()) == tap


@given(st.text())
def test_whatever_is_read_is_what_would_have_been_packed(data: str) -> None:
    tap = read_tap(data)
    assert tap is None or (tap.word, tap.table, tap.move) == _by_hand(data)


@given(st.from_regex(r"[a-z]{1,10}:[0-9]{1,18}:[0-9]{1,18}(:[0-9]{1,18})?", fullmatch=True))
def test_the_right_form_needs_one_of_our_words_too(data: str) -> None:
    ours = data.partition(":")[0] in set(Word)
    assert (read_tap(data) is not None) is ours


def _by_hand(data: str) -> tuple[str, int, int]:
    word, table, move, *_ = data.split(":")
    return word, int(table), int(move)


@pytest.mark.parametrize("word", Word)
def test_the_longest_numbers_fit_into_a_button(word: Word) -> None:
    assert len(Tap(word, _LONGEST, _LONGEST, _LONGEST).pack().encode()) <= 64


def test_what_does_not_fit_is_not_packed() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        Tap(Word.LEAVE, 10**30, 10**30).pack()


@pytest.mark.parametrize(
    "data",
    [
        *("", "bet", "bet:", "bet:7", "bet:7:", "bet:7:10:", "bet:7:10:5:1", ":7:10", "7:10:5"),
        *("bet:-7:10", "bet:7:-10", "bet:7:10:-5", "bet:+7:10", "bet:7:10:+5"),
        *("bet:7:10:1e3", "bet:7:10:0x1", "bet:7:10:1.5", "bet:7:10:½", "bet:7:10:1_0"),
        *("bet:７:10", "bet:7:１０", "bet:7:10:５", "bet:٧:10", "ｂｅｔ:7:10"),
        *(f"bet:{10**18}:10", f"bet:7:{10**18}", f"bet:7:10:{10**18}", "bet:7:10:" + "9" * 1000),
        *("BET:7:10", "Bet:7:10", "raises:7:10", "bets:7:10", "be:7:10", "drop table:7:10"),
        *(" bet:7:10", "bet:7:10 ", "bet:7:10\n", "bet:7:10\0", "bet: 7:10", "bet;7;10"),
    ],
)
def test_forged_data_is_no_tap(data: str) -> None:
    assert read_tap(data) is None


@pytest.mark.parametrize("data", [None, b"bet:7:10", 7, 7.5, ("bet", 7, 10), Tap(Word.BET, 7, 10), object()])
def test_data_that_is_no_text_is_no_tap(data: object) -> None:
    assert read_tap(data) is None


def test_a_button_answers_the_question_that_its_board_asked() -> None:
    assert {word for word in Word if word.answers} == {
        *(Word.CUT, Word.STAKE, Word.BET, Word.PASS, Word.RAISE, Word.HIGH, Word.LOW, Word.HIGHER, Word.LOWER),
        *(Word.OTHER, Word.ODDS),  # a question about the hand that the board showed
    }
