"""A player who sleeps is called once for each question: by the clock, or earlier by anybody at the table."""

import pytest

from domain.table import Phase
from tests.databases import KINDS
from tests.journeys.evening import Evening

on_both = pytest.mark.parametrize("kind", KINDS)


@on_both
async def test_a_nudge_is_the_one_mention_of_a_turn(evening: Evening) -> None:
    people = await evening.hand("Ada", "Bo", "Cem", clock=60)
    asked = evening.room.actor
    others = [person for person in people if person is not asked]
    await others[0].writes("/nudge")
    assert evening.said.text == f"{asked}, it's your turn!"
    assert evening.said.mentions == [asked.id]
    said = len(evening.room.messages)
    await others[1].writes("/nudge")
    assert evening.said.text == "A reminder for this hand is out already."
    await evening.passes(45)
    assert len(evening.room.messages) == said + 1, "the clock does not call him again"
    await evening.room.bets()
    assert f"{asked}, it's your turn!" not in [message.text for message in evening.room.messages]


async def test_who_may_not_nudge(evening: Evening) -> None:
    await evening.hand("Ada", "Bo", "Cem")
    sly = await evening.person("Sly")
    await evening.room.actor.does("add", chat=evening.room.chat, who=sly.id)
    await sly.writes("/nudge")
    assert evening.said.text == "You don't sit at this table. Send /join to play."
    await evening.room.actor.writes("/nudge")
    assert evening.said.text == "It's your turn yourself."


@on_both
async def test_a_game_of_a_turn_a_day_mentions_once_a_turn(evening: Evening) -> None:
    """Slow games: the reminder comes in the last third of the day, and the clock's answer when it is over."""
    await evening.hand("Ada", "Bo", "Cem", clock=86_400)
    asked, said = evening.room.actor, len(evening.room.messages)
    for _ in range(14):
        await evening.passes(3_600)
    assert len(evening.room.messages) == said
    for _ in range(8):
        await evening.passes(3_600)
    assert len(evening.room.messages) == said + 1
    assert evening.said.mentions == [asked.id]
    await evening.passes(3 * 3_600)
    assert evening.table.phase in (Phase.DECIDE, Phase.CUT)
    assert any(hand.by_clock and hand.player == asked.id for hand in evening.table.played)
