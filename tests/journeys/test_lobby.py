"""Choosing the rules in the group: the menu of buttons, who may use it, what it remembers and what it refuses."""

import pytest

from domain.presets import HOME_POT, PRESETS
from domain.rules import Ace
from domain.table import Phase
from tests.databases import KINDS
from tests.journeys.evening import Evening, Person, press
from tgbot.buttons import Word
from tgbot.menu import GAMES, SETTINGS, SWITCHES, Page

on_both = pytest.mark.parametrize("kind", KINDS)
HOST_ONLY = "Only the host or a group admin can do that."


async def switch(person: Person, evening: Evening, name: str) -> str:
    return await press(person, evening, Word.SWITCH, [*SWITCHES].index(name))


async def rules_page(person: Person, evening: Evening) -> None:
    if "Game…" in evening.board.captions:
        await press(person, evening, Word.PAGE, Page.GAMES)
    await press(person, evening, Word.PAGE, Page.RULES)


async def opened(evening: Evening, *names: str, language: str = "en") -> list[Person]:
    """Friends, of whom the second has opened a table: he is the host, and no admin of the group."""
    people = await evening.friends(*(names or ("Ada", "Bo", "Cem")), language=language, type="supergroup")
    await people[1].writes("/newgame")
    return people


# -- the pages -------------------------------------------------------------------------------------


@on_both
async def test_the_pages_of_the_menu_are_one_message(evening: Evening) -> None:
    _, bo, _ = await opened(evening)
    lobby, sent = evening.board.id, len(evening.calls("sendMessage"))
    await press(bo, evening, Word.PAGE, Page.GAMES)
    assert evening.board.text.endswith("Which game?")
    assert {"✓ Home pot", "Bank", "Blind bank", "Acey-Deucey", "Dragon Gate", "Red Dog"} <= {*evening.board.captions}
    await press(bo, evening, Word.PRESET, GAMES.index("bank"))
    assert evening.table.rules == PRESETS["bank"]
    assert evening.board.text.startswith("In-Between · Bank\n• The dealer is the bank: he pays, and has no hand.")
    assert "✓ Bank" in evening.board.captions
    await press(bo, evening, Word.PAGE, Page.RULES)
    await switch(bo, evening, "post_pays")
    assert "✎ Post: ×2" in evening.board.captions
    await press(bo, evening, Word.PAGE, Page.TABLE)
    await press(bo, evening, Word.SETTING, [*SETTINGS].index("clock"))
    assert "Time: 2 minutes" in evening.board.captions
    await press(bo, evening, Word.PAGE, Page.CARD)
    assert evening.board.text.startswith("In-Between · Bank, changed\n")
    assert "✎ Hitting a post costs 2 times the bet." in evening.board.text
    assert "100 chips each · 2 minutes a turn" in evening.board.text
    assert (evening.board.id, len(evening.calls("sendMessage"))) == (lobby, sent)


async def test_an_open_page_outlives_a_restart_and_a_guest(evening: Evening) -> None:
    _, bo, cem = await opened(evening)
    await rules_page(bo, evening)
    await evening.closes()
    await evening.opens()
    assert await cem.writes("/join")
    assert "✎ differs from the game" in evening.board.text
    await switch(bo, evening, "ace")
    assert evening.table.rules.ace is Ace.LOW


async def test_the_menu_in_polish(evening: Evening) -> None:
    _, bo, _ = await opened(evening, language="pl")
    await press(bo, evening, Word.PAGE, Page.GAMES)
    assert {"✓ Pula domowa", "Bank w ciemno", "Smocza Brama"} <= {*evening.board.captions}
    await press(bo, evening, Word.PRESET, GAMES.index("blind_bank"))
    await press(bo, evening, Word.PAGE, Page.CARD)
    assert "• Każda stawka kosztuje gracza średnio 44,78 % jej wysokości." in evening.board.text


# -- who may -----------------------------------------------------------------------------------------


async def test_only_the_host_and_the_admins_of_the_group_choose(evening: Evening) -> None:
    """Ada has founded the group, Bo has opened the table; Cem reads."""
    ada, bo, cem = await opened(evening)
    before = await evening.rows()
    assert await press(cem, evening, Word.PAGE, Page.GAMES) == HOST_ONLY
    assert await evening.rows() == before
    await rules_page(bo, evening)
    before = await evening.rows()
    assert await switch(cem, evening, "decks") == HOST_ONLY
    assert await press(cem, evening, Word.PAGE, Page.CARD) == HOST_ONLY
    assert await evening.rows() == before
    await switch(ada, evening, "decks")
    assert evening.table.rules.decks == 2
    await ada.does("promote", chat=evening.room.chat, who=cem.id)
    await switch(cem, evening, "decks")
    assert evening.table.rules.decks == 4


async def test_a_switch_that_makes_no_game_is_refused_with_the_reason(evening: Evening) -> None:
    _, bo, _ = await opened(evening)
    await rules_page(bo, evening)
    before = await evening.rows()
    assert await switch(bo, evening, "raises") == "Raising goes only with bets before the cards."
    assert await switch(bo, evening, "payout") == "The 5·4·2·1 pay does not go with a pot."
    assert await evening.rows() == before


async def test_after_the_start_the_menu_is_closed(evening: Evening) -> None:
    _, bo, cem = await opened(evening)
    await press(bo, evening, Word.PAGE, Page.GAMES)
    menu = evening.board
    await cem.writes("/join")
    await press(bo, evening, Word.PAGE, Page.CARD)
    await press(bo, evening, Word.START)
    before = await evening.rows()
    for button in menu.buttons:
        assert await bo.presses(button.data, menu.id) == "That was an earlier hand. The newest board counts."
    assert await evening.rows() == before
    assert evening.table.rules == HOME_POT


# -- what is remembered --------------------------------------------------------------------------------


@on_both
async def test_a_group_remembers_its_choice_and_other_groups_have_their_own(evening: Evening) -> None:
    ada, bo, cem = await opened(evening)
    await press(bo, evening, Word.PAGE, Page.GAMES)
    await press(bo, evening, Word.PRESET, GAMES.index("acey_deucey"))
    await press(bo, evening, Word.PAGE, Page.TABLE)
    await press(bo, evening, Word.SETTING, [*SETTINGS].index("seats"))
    agreed = evening.table.settings
    assert agreed.seats == 2
    await press(bo, evening, Word.PAGE, Page.CARD)
    await press(bo, evening, Word.LEAVE)
    assert evening.table.phase is Phase.ENDED

    await cem.taps("New game")
    assert (evening.table.rules, evening.table.settings) == (PRESETS["acey_deucey"], agreed)
    other = await evening.group(ada, bo, title="Saturday")
    await bo.writes("/newgame", room=other)
    assert other.table.rules == HOME_POT


@pytest.mark.parametrize("words", ["red dog", "red_dog", "Red-Dog", "RED DOG"])
async def test_a_game_can_be_named(evening: Evening, words: str) -> None:
    people = await evening.friends("Ada", "Bo")
    await people[0].writes(f"/newgame {words}")
    assert evening.table.rules == PRESETS["red_dog"]
    assert evening.table.settings.chips == 1000
    assert evening.board.text.startswith("In-Between · Red Dog\n• You play against the house.")


async def test_a_game_that_there_is_not_opens_nothing(evening: Evening) -> None:
    people = await evening.friends("Ada", "Bo")
    await people[0].writes("/newgame poker")
    assert evening.said.text.startswith("I know these games: home pot, bank, blind bank, acey deucey, dragon gate")
    assert (await evening.rows())["tables"] == []


async def test_one_person_plays_red_dog_against_the_house(evening: Evening) -> None:
    """Q31: the bot pays, and its account is shown."""
    ada, _ = await evening.friends("Ada", "Bo")
    await ada.writes("/newgame red dog")
    assert "Everybody here? Ada starts the game." in evening.board.text
    await ada.taps("Start")
    assert evening.table.phase is Phase.BLIND_BET
    assert "The house won 0 · bets up to 100" in evening.board.text
    await ada.taps("Sit out")
    assert "Ada: sat out" in evening.board.text
    assert evening.table.round == 2


# -- the rules and the odds ------------------------------------------------------------------------------


async def test_the_rules_are_those_of_the_table_or_of_the_game_that_is_named(evening: Evening) -> None:
    ada, bo, _ = await opened(evening)
    await press(bo, evening, Word.PAGE, Page.GAMES)
    await press(bo, evening, Word.PRESET, GAMES.index("blind_bank"))
    await press(bo, evening, Word.PAGE, Page.CARD)
    await ada.writes("/rules")
    assert evening.said.text.startswith("In-Between · Blind bank\n")
    assert "Every bet costs the player 44.78 % of it on average." in evening.said.text
    await ada.writes("/rules dragon gate")
    assert "• Aces are low: ace and king are the widest." in evening.said.text
    await ada.writes("/rules poker")
    assert evening.said.text.startswith("I know these games: ")
    await ada.does("start")
    assert "• Aces are low" in (await ada.private("/rules dragon gate")).text
    assert (await ada.private("/rules poker")).text.startswith("I know these games: ")


async def test_the_help_says_what_every_game_costs(evening: Evening) -> None:
    ada, _ = await evening.friends("Ada", "Bo")
    await ada.writes("/help")
    assert "Home pot: −27.14 %\nBank: +6.03 %\nBlind bank: −44.78 %\nAcey-Deucey: +6.27 %" in evening.said.text


async def test_the_odds_count_the_unseen_cards_for_whoever_asks(evening: Evening) -> None:
    """A fresh deck of 52 without two posts; the toast is in the language of the one who taps."""
    await evening.hand()
    between = evening.board.text.partition(" ranks between")[0].split()[-1]
    win = 4 * int(between)
    ola = await evening.person("Ola", "pl")
    await evening.room.actor.does("add", chat=evening.room.chat, who=ola.id)
    before = (await evening.rows())["tables"]
    toast = await evening.room.actor.taps("Odds")
    assert toast == f"{between} ranks between: {win} of 50 unseen cards win, 6 hit a post."
    ranks = "karta" if between == "1" else "karty" if between in "234" else "kart"
    assert await ola.taps("Odds") == f"{between} {ranks} pomiędzy: z 50 niewidzianych wygrywa {win}, w słupek 6."
    assert (await evening.rows())["tables"] == before


async def test_a_table_can_play_without_the_odds(evening: Evening) -> None:
    await evening.hand(odds=False)
    assert "Odds" not in evening.board.captions
    forged = evening.board.buttons[0].data.replace("bet:", "odds:").rpartition(":")[0]
    toast = await evening.room.actor.presses(forged, evening.board.id)
    assert toast == "This table plays without the odds."
