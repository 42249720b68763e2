"""What a group agrees on while it plays: /share, /passbank and /max, and what everybody sees of it."""

import pytest

from domain.presets import PRESETS
from domain.rules import Rules
from domain.table import Phase
from tests.databases import KINDS
from tests.journeys.evening import Evening

on_both = pytest.mark.parametrize("kind", KINDS)
FIXED_BANK = Rules.from_dict({**PRESETS["bank"].to_dict(), "rotation": "fixed"})


@on_both
async def test_a_pot_is_shared_when_all_agree(evening: Evening) -> None:
    people = await evening.hand("Ada", "Bo", "Cem")
    ada, bo, cem = people
    stranger = await evening.person("Sly")
    await ada.does("add", chat=evening.room.chat, who=stranger.id)
    await stranger.writes("/share")
    assert evening.said.text == "You don't sit at this table. Send /join to play."
    await ada.writes("/share")
    assert "Share the pot? 1 of 3 agree: /share" in evening.board.text
    await ada.writes("/share")
    assert evening.said.text == "That's noted already."
    await bo.writes("/share")
    pot = evening.table.pot
    await cem.writes("/share")
    assert evening.table.pot == pot, "the hand on the table is played first"
    assert "Share the pot?" not in evening.board.text
    await evening.room.bets()
    assert "All agreed: the pot of" in evening.board.text
    assert evening.table.pot == 3
    assert sum(seat.chips for seat in evening.table.seats) == 3 * 50 - 3


async def test_a_bank_has_no_pot_and_a_house_no_dealer(evening: Evening) -> None:
    ada, bo = await evening.friends("Ada", "Bo")
    await ada.writes("/newgame bank")
    await bo.taps("Join")
    await ada.writes("/share")
    assert evening.said.text == "The game hasn't started yet."
    await ada.taps("Start")
    await evening.room.cuts()
    await ada.writes("/share")
    assert evening.said.text == "There is no pot to share."


@on_both
async def test_the_bank_is_handed_over_by_a_vote_or_by_the_banker(evening: Evening) -> None:
    """S2: between rounds; the one on the left is the next bank."""
    people = await evening.friends("Ada", "Bo", "Cem")
    await evening.room.deals(*people, rules=FIXED_BANK)
    banker = evening.people[evening.table.dealer or 0]
    others = [person for person in people if person is not banker]
    await others[0].writes("/passbank")
    assert "Another dealer? 1 of 3 agree: /passbank" in evening.board.text
    await others[1].writes("/passbank")
    assert "The deal passes after this round." in evening.board.text
    assert evening.table.dealer == banker.id
    await evening.room.plays(lambda table: table.round == 2, lambda board: board.button("Fold"))
    assert evening.table.dealer not in (banker.id, None)
    second = evening.people[evening.table.dealer or 0]
    await second.writes("/passbank")
    assert "The deal passes after this round." in evening.board.text
    await evening.room.plays(lambda table: table.round == 3, lambda board: board.button("Fold"))
    assert evening.table.dealer not in (second.id, None)


@on_both
async def test_the_most_bet_waits_for_the_next_round(evening: Evening) -> None:
    """S9, and only the host's or an admin's word counts."""
    people = await evening.friends("Ada", "Bo", "Cem")
    ada, bo, _ = people
    await evening.room.deals(*people, rules=PRESETS["bank"])
    await bo.writes("/max 5")
    assert evening.said.text == "Only the host or a group admin can do that."
    for wrong in ("/max", "/max ½", "/max 1e3"):
        await ada.writes(wrong)
        assert evening.said.text == "Write a whole number of chips, like /max 20"
    for wrong in ("/max 0", "/max -5"):
        await ada.writes(wrong)
        assert evening.said.text == "The most bet must not be smaller than the least."
    await ada.writes("/max 5")
    assert "From the next round: bets up to 5" in evening.board.text
    assert "bets up to 10" in evening.board.text
    await evening.room.plays(lambda table: table.round == 2, lambda board: board.button("Fold"))
    assert evening.table.rules.max_bet == 5
    assert "From the next round" not in evening.board.text
    await evening.room.plays(lambda table: table.phase is Phase.DECIDE)
    assert "bets up to 5" in evening.board.text
    await evening.room.actor.writes("/bet 6")
    assert evening.said.text == "The most at this table is 5 chips."


async def test_a_vote_is_counted_again_when_somebody_leaves(evening: Evening) -> None:
    _, bo, cem, ola = await evening.hand()
    await bo.writes("/end")
    await cem.writes("/end")
    assert "2 votes to stop" in evening.board.text
    await ola.writes("/leave")
    assert evening.table.ending
    assert "This is the last round." in evening.board.text
