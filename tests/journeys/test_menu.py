"""The lobby's menu from end to end: every entry of every page, on every game; and the rules while a game is on."""

import pytest

from domain.presets import PRESETS
from domain.rules import PairKind
from domain.settings import check_together
from domain.table import Phase
from tests.journeys.evening import Evening, Person
from tests.journeys.reading import check_reading
from tgbot.buttons import Word, read_tap
from tgbot.menu import GAMES, SETTINGS, SWITCHES, Page

REFUSED = {
    ("home_pot", "raises"): "Podbicie tylko ze stawką przed kartami.",
    ("home_pot", "payout"): "Wypłata 5·4·2·1 nie idzie w parze z pulą.",
}


async def press(person: Person, evening: Evening, word: Word, amount: int | None = None) -> str:
    """Tap the board's button with this meaning."""
    found = [b for b in evening.board.buttons if (tap := read_tap(b.data)) and (tap.word, tap.amount) == (word, amount)]
    assert found, f"no button {word} {amount} among {evening.board.captions}"
    return await person.presses(found[0].data, found[0].message)


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
