"""The lobby's menu from end to end: every entry of every page, on every game; and the rules while a game is on."""

import pytest

from domain.presets import PRESETS
from domain.rules import PairKind
from domain.settings import check_together
from domain.table import Phase
from tests.journeys.evening import Evening, press
from tests.journeys.reading import check_reading
from tgbot.buttons import Word
from tgbot.menu import GAMES, SETTINGS, SWITCHES, Page


@pytest.mark.parametrize("preset", ["home_pot", "bank", "red_dog"])
async def test_every_switch_goes_round(evening: Evening, preset: str) -> None:
    """A tap shows the next value that makes a game, and at last the first one again; else the toast says why not."""
    host, _ = await evening.friends("Ada", "Bo", language="pl")
    await host.writes(f"/newgame {preset}")
    await press(host, evening, Word.PAGE, Page.GAMES)
    await press(host, evening, Word.PAGE, Page.RULES)
    board, before = evening.board, evening.table.rules
    for number, name in enumerate(SWITCHES):
        for _ in range(len(SWITCHES[name]) + 1):
            shown = evening.board.captions[number]
            toast = await press(host, evening, Word.SWITCH, number)
            check_together(evening.table.rules, evening.table.settings)
            assert bool(toast) is (evening.board.captions[number] == shown), f"{name}: {toast!r}"
            if evening.table.rules == before:
                break
        assert evening.table.rules == before, f"{name} does not come back"
        assert evening.board.captions == board.captions
    assert evening.board.id == board.id
    check_reading(evening, "pl")


async def test_every_agreement_goes_round(evening: Evening) -> None:
    host, _ = await evening.friends("Ada", "Bo", language="pl")
    await host.writes("/newgame")
    await press(host, evening, Word.PAGE, Page.GAMES)
    await press(host, evening, Word.PAGE, Page.TABLE)
    captions, before = evening.board.captions, evening.table.settings
    for number, values in enumerate(SETTINGS.values()):
        for _ in values:
            assert await press(host, evening, Word.SETTING, number) == ""
        assert evening.table.settings == before
    assert evening.board.captions == captions
    check_reading(evening, "pl")


async def test_values_that_make_no_game_are_left_out(evening: Evening) -> None:
    """A pair that loses the bet, or pays for three, goes only with bets before the cards."""
    host, _ = await evening.friends("Ada", "Bo")
    await host.writes("/newgame")
    await press(host, evening, Word.PAGE, Page.GAMES)
    await press(host, evening, Word.PAGE, Page.RULES)
    place, seen = [*SWITCHES].index("pair"), [evening.board.captions[[*SWITCHES].index("pair")]]
    while len(seen) < 2 or seen[-1] != seen[0]:
        assert await press(host, evening, Word.SWITCH, place) == ""
        assert evening.table.rules.pair.kind not in (PairKind.LOSE_BET, PairKind.TRIPS)
        seen.append(evening.board.captions[place])
    changed = ["✎ Pair: nothing", "✎ Pair: again", "✎ Pair: guess ×3"]
    # Three chips for a pair are a game with a name of its own: then nothing is changed.
    assert seen == ["Pair: wins 2", "Pair: wins 3", *changed, "Pair: wins 2"]


async def test_no_more_seats_are_taken_away_than_are_free(evening: Evening) -> None:
    """Three sit there: a table for two is left out, and the next tap goes on to four."""
    host, *guests = await evening.friends("Ada", "Bo", "Cem")
    await evening.room.seats(host, *guests)
    await press(host, evening, Word.PAGE, Page.GAMES)
    await press(host, evening, Word.PAGE, Page.TABLE)
    await press(host, evening, Word.SETTING, [*SETTINGS].index("seats"))
    assert "Seats: 4" in evening.board.captions


@pytest.mark.parametrize(("language", "cost"), [("en", "44.78 %"), ("pl", "44,78 %")])
async def test_the_rules_of_a_running_game_come_with_its_board_below_them(
    evening: Evening, language: str, cost: str
) -> None:
    """The card of the table that is played, whatever else the group likes to play, and what it costs."""
    host, guest, reader = await evening.friends("Ada", "Bo", "Cem", language=language)
    await evening.room.deals(host, guest, rules=PRESETS["blind_bank"], chips=100)
    assert evening.table.phase is Phase.BLIND_BET
    asked, deadline = evening.table.asked, evening.room.view.due_at
    await reader.writes("/rules")
    card = evening.said
    assert cost in card.text
    assert not card.buttons
    assert evening.board.id == evening.room.messages[-1].id > card.id
    assert (evening.table.asked, evening.room.view.due_at) == (asked, deadline)
    check_reading(evening, language)
    await evening.room.plays(lambda table: table.round > 1)
    await reader.writes("/rules home pot")
    assert cost not in evening.said.text


async def test_a_game_chosen_over_a_changed_one_is_that_game(evening: Evening) -> None:
    """Every game of the page, one after the other, with the chips that it needs; the tick follows."""
    host, _ = await evening.friends("Ada", "Bo")
    await host.writes("/newgame")
    await press(host, evening, Word.PAGE, Page.GAMES)
    await press(host, evening, Word.PAGE, Page.RULES)
    await press(host, evening, Word.SWITCH, [*SWITCHES].index("post_pays"))
    await press(host, evening, Word.PAGE, Page.GAMES)
    for number, name in enumerate(GAMES):
        await press(host, evening, Word.PRESET, number)
        assert evening.table.rules == PRESETS[name]
        assert [caption.startswith("✓ ") for caption in evening.board.captions].index(True) == number
        most = PRESETS[name].max_bet
        assert evening.table.settings.chips >= 10 * (most or 5), f"{name} cannot be played with so few chips"
        assert "✎" not in evening.board.text
