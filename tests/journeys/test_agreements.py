"""Agreements when people come, go and sleep, between two rounds, and in games that have no pot or no dealer."""

import pytest

from domain import commands as c
from domain.play import play
from domain.presets import HOME_POT, PRESETS
from domain.rules import Counterparty
from domain.table import Phase
from tests.databases import KINDS
from tests.journeys.evening import Evening, Person
from tests.journeys.luck import bet, seed_where

on_both = pytest.mark.parametrize("kind", KINDS)


async def round_of(evening: Evening, number: int) -> None:
    """Everybody plays on by the first button until a round has begun."""
    await evening.room.plays(lambda table: table.round >= number and table.phase is not Phase.CUT)


def dealer(evening: Evening) -> Person:
    assert evening.table.dealer is not None
    return evening.people[evening.table.dealer]


# -- the pot -----------------------------------------------------------------------------------------


@on_both
async def test_a_pot_is_shared_when_the_last_who_did_not_want_to_has_left(evening: Evening) -> None:
    """He goes in the middle of the round with the 49 chips that are his: from then on everybody agrees."""
    people = await evening.hand("Ada", "Bo", "Cem")
    unwilling = next(person for person in people if person is not evening.room.actor)
    for person in people:
        if person is not unwilling:
            await person.writes("/share")
    assert "Share the pot? 2 of 3 agree: /share" in evening.board.text
    await unwilling.writes("/leave")
    assert "Share the pot?" not in evening.board.text
    await evening.room.bets()
    assert "All agreed: the pot of" in evening.board.text
    assert sum(seat.chips for seat in evening.table.present) + evening.table.pot == 3 * 50 - 49


async def test_whoever_leaves_takes_his_vote_with_him(evening: Evening) -> None:
    people = await evening.hand()
    gone, stays, *_ = [person for person in people if person is not evening.room.actor]
    for person in (gone, stays):
        await person.writes("/share")
    assert "Share the pot? 2 of 4 agree: /share" in evening.board.text
    await gone.writes("/leave")
    assert "Share the pot? 1 of 3 agree: /share" in evening.board.text


async def test_a_sleeper_is_not_asked_for_his_part(evening: Evening) -> None:
    """Three times too late, he sits out; the two who are awake agree without him, but he has his share, too."""
    people = await evening.hand("Ada", "Bo", "Cem", chips=1_000)
    silent = evening.room.actor
    for _ in range(40):
        seat = evening.table.seat(silent.id)
        if seat and seat.away:
            break
        if evening.room.actor is silent:
            await evening.passes(61)
        else:
            await evening.room.plays(lambda table: table.actor == silent.id)
    await evening.room.plays(lambda table: table.phase is Phase.DECIDE)
    awake = [person for person in people if person is not silent]
    await awake[0].writes("/share")
    assert "Share the pot? 1 of 2 agree: /share" in evening.board.text
    before = evening.room.chips(silent)
    await awake[1].writes("/share")
    await evening.room.bets()
    assert "All agreed: the pot of" in evening.board.text
    assert evening.room.chips(silent) > before


async def test_a_pot_is_shared_between_two_rounds_at_once(evening: Evening) -> None:
    """While the deck is being cut no hand is on: what is shared is not mixed with the antes of the next round."""
    people = await evening.friends("Ada", "Bo")
    await evening.room.deals(*people)
    await evening.room.plays(lambda table: table.phase is Phase.CUT and table.pot > 0)
    pot = evening.table.pot
    for person in people:
        await person.writes("/share")
    assert f"All agreed: the pot of {pot} was shared." in evening.board.text
    assert (evening.table.pot, evening.table.phase) == (0, Phase.CUT)
    await evening.room.cuts()
    assert evening.table.pot == 2


# -- the dealer --------------------------------------------------------------------------------------


async def test_the_house_deals_and_stays(evening: Evening) -> None:
    ada, bo = await evening.friends("Ada", "Bo")
    await evening.room.starts(ada, bo, rules=PRESETS["red_dog"], chips=1_000, cut=False)
    await bo.writes("/passbank")
    assert evening.said.text == "Nobody deals here but me."
    await ada.writes("/share")
    assert evening.said.text == "There is no pot to share."


@on_both
async def test_a_stake_goes_home_when_the_bank_is_handed_over(evening: Evening) -> None:
    """Q32: what is left of it is the old banker's again, and the next one is asked for a stake of his own."""
    people = await evening.friends("Ada", "Bo", "Cem")
    await evening.room.deals(*people, rules=PRESETS["staked_bank"])
    assert evening.table.phase is Phase.STAKE
    banker = dealer(evening)
    await banker.taps_word("stake")
    await banker.writes("/passbank")
    assert "The deal passes after this round." in evening.board.text
    await banker.writes("/passbank")
    assert evening.said.text == "That's noted already."
    await evening.room.plays(lambda table: table.phase is Phase.STAKE, lambda board: board.buttons[-4])
    assert dealer(evening) is not banker
    assert evening.table.pot == 0
    assert sum(seat.chips for seat in evening.table.seats) == 3 * 50


async def test_a_vote_for_another_dealer_is_over_with_his_round(evening: Evening) -> None:
    """The deal has passed anyway: who is not content with the next dealer votes again."""
    people = await evening.hand("Ada", "Bo", "Cem", chips=1_000)
    voter = next(person for person in people if person.id != evening.table.dealer)
    await voter.writes("/passbank")
    assert "Another dealer? 1 of 3 agree: /passbank" in evening.board.text
    await round_of(evening, 2)
    assert "Another dealer?" not in evening.board.text


# -- the most bet ------------------------------------------------------------------------------------


@on_both
async def test_a_pot_game_can_have_a_most_bet_too(evening: Evening) -> None:
    """From the next round on, though the pot holds more; and the card of the table says so."""
    people = await evening.hand(chips=1_000)
    await people[0].writes("/max 1")
    assert "From the next round: bets up to 1" in evening.board.text
    assert evening.table.rules == HOME_POT
    await round_of(evening, 2)
    await evening.room.plays(lambda table: table.phase is Phase.DECIDE and table.pot > 1)
    assert evening.table.rules.max_bet == 1
    assert evening.board.text.startswith("In-Between · Home pot, changed · round")
    assert " · bets up to 1\n" in evening.board.text
    await evening.room.actor.writes("/bet 2")
    assert evening.said.text == "The most at this table is 1 chip."
    await people[1].writes("/rules")
    assert "✎ The most bet is 1 chip." in evening.said.text


async def test_in_the_lobby_the_most_bet_is_part_of_the_card_at_once(evening: Evening) -> None:
    """An admin of the group may do it as well as the host; nobody else."""
    ada, bo, cem = await evening.friends("Ada", "Bo", "Cem", type="supergroup")  # Ada has founded the group
    await bo.writes("/newgame bank")
    await cem.writes("/max 5")
    assert evening.said.text == "Only the host or a group admin can do that."
    await ada.writes("/max 5")
    assert "✎ The most bet is 5 chips." in evening.board.text
    assert evening.table.rules.counterparty is Counterparty.BANKER
    await bo.writes("/max 10")
    assert evening.board.text.startswith("In-Between · Bank\n")
    assert "✎" not in evening.board.text


async def test_the_newest_word_about_the_most_bet_counts(evening: Evening) -> None:
    people = await evening.friends("Ada", "Bo")
    await evening.room.deals(*people, rules=PRESETS["bank"], chips=100)
    await people[0].writes("/max 5")
    await people[0].writes("/max 20")
    assert "From the next round: bets up to 20" in evening.board.text
    agreed_in = evening.table.round
    await evening.room.plays(lambda table: table.round > agreed_in, lambda board: board.button("Fold"))
    assert evening.table.rules.max_bet == 20


# -- the end -----------------------------------------------------------------------------------------


async def test_a_group_can_stop_between_two_rounds_by_a_vote(evening: Evening) -> None:
    """Everybody has had as many turns: nobody waits for another round."""
    host, *others = await evening.friends("Ada", "Bo", "Cem")
    evening.seed = seed_where(lambda table: play(bet(table), c.End(table.host))[1].round == 1, players=3)
    await evening.room.deals(host, *others)
    await evening.room.plays(lambda table: table.phase is Phase.CUT)
    for person in others:
        await person.writes("/end")
    assert evening.table.phase is Phase.ENDED
    assert "Over after 1 round." in evening.board.text
