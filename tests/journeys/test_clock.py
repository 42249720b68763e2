"""The clock: one reminder, the default move, and nobody loses his turn to an outage (Q18)."""

import asyncio

import pytest

from domain.table import Phase
from tests.databases import KINDS
from tests.journeys.evening import Evening
from tests.journeys.luck import seed_where

on_both = pytest.mark.parametrize("kind", KINDS)


def reminders(evening: Evening) -> list[int]:
    """The messages that call somebody's attention."""
    return [message.id for message in evening.room.messages if message.text.endswith("it's your turn!")]


# -- the reminder ------------------------------------------------------------------------------------


@on_both
async def test_one_reminder_before_the_time_is_over(evening: Evening) -> None:
    """An edit notifies nobody, a mention does; it goes when he has acted."""
    await evening.hand()
    asked = evening.room.actor
    await evening.passes(39)
    assert reminders(evening) == []
    await evening.passes(2)
    (reminder,) = (message for message in evening.room.messages if message.id in reminders(evening))
    assert reminder.text == f"{asked.name}, it's your turn!"
    assert reminder.mentions == [asked.id]
    assert reminder.quotes == evening.board.id
    for _ in range(3):
        await evening.passes(5)
    assert reminders(evening) == [reminder.id]
    assert evening.room.actor is asked
    await evening.room.bets()
    assert reminders(evening) == []
    await evening.passes(39)
    assert reminders(evening) == []
    await evening.passes(2)
    assert len(reminders(evening)) == 1


async def test_a_reminder_to_cut_in_the_groups_language(evening: Evening) -> None:
    people = await evening.friends("Ada", "Bo", language="pl")
    await evening.room.starts(*people)
    cutter = evening.room.actor
    await evening.passes(41)
    assert evening.said.text == f"{cutter.name}, talia czeka na przełożenie."
    assert evening.said.mentions == [cutter.id]
    reminder = evening.said.id
    await evening.room.cuts()
    assert reminder not in [message.id for message in evening.room.messages]


async def test_two_clocks_remind_once(evening: Evening) -> None:
    """Two replicas look at the same rows at the same moment."""
    await evening.hand()
    evening.clock.move(45)
    await asyncio.gather(*(evening.house.clock.sweep() for _ in range(4)))
    await evening.settled()
    assert len(reminders(evening)) == 1


# -- the default move --------------------------------------------------------------------------------


@on_both
async def test_the_least_is_bet_for_whoever_is_silent(evening: Evening) -> None:
    """P10: there is no passing; the board tells that it was the clock."""
    await evening.hand()
    asked = evening.room.actor
    await evening.passes(41)
    assert reminders(evening)
    await evening.passes(20)
    hand = evening.table.played[0]
    assert (hand.player, hand.bet, hand.by_clock) == (asked.id, 1, True)
    line = next(line for line in evening.board.text.split("\n") if line.startswith(f"{asked.name}: "))
    assert line.endswith("⏰")
    assert evening.room.actor is not asked
    assert reminders(evening) == []


async def test_the_deck_is_cut_by_luck_for_whoever_is_silent(evening: Evening) -> None:
    """Q14: no answer is a random cut, with three cards at least in each packet."""
    people = await evening.friends("Ada", "Bo", "Cem")
    await evening.room.starts(*people)
    cutter = evening.room.actor
    await evening.passes(61)
    assert evening.table.phase is not Phase.CUT
    cuts = [e for row in (await evening.rows())["journal"] for e in row["events"] if e["event"] == "WasCut"]
    assert [(cut["player"], 3 <= cut["place"] <= 49) for cut in cuts] == [(cutter.id, True)]


async def test_the_clock_ticks_by_itself(evening: Evening) -> None:
    """No sweep but the bot's own: a second after the time is over, the move is made and shown."""
    await evening.hand()
    board = evening.board
    evening.clock.move(61)
    await evening.until(lambda: evening.board.text != board.text, "the clock moves")
    await evening.settled()
    assert evening.table.played[0].by_clock


async def test_the_length_of_a_turn_is_the_tables(evening: Evening) -> None:
    await evening.hand(clock=15)
    asked = evening.room.actor
    await evening.passes(14)
    assert evening.room.actor is asked
    await evening.passes(2)
    assert evening.room.actor is not asked


# -- away and back -----------------------------------------------------------------------------------


@on_both
async def test_three_misses_in_a_row_and_he_sits_out(evening: Evening) -> None:
    """Q18: no turn and no ante until he is back, and he comes back with a tap."""
    people = await evening.hand("Ada", "Bo", "Cem")
    silent = evening.room.actor
    for _ in range(60):
        if evening.table.seat(silent.id).away:  # type: ignore[union-attr]
            break
        if evening.room.actor is silent:
            await evening.passes(61)
        elif evening.table.phase is Phase.CUT:
            await evening.room.actor.taps(evening.board.captions[2])
        else:
            await evening.room.bets()
    assert f"{silent.name} {evening.room.chips(silent)} (away" in evening.board.text or (
        f"{silent.name} {evening.room.chips(silent)} (deals, away)" in evening.board.text
    )
    others = [person for person in people if person is not silent]
    assert await others[0].taps("I'm back") == "You are in the game."
    for _ in range(6):
        assert evening.room.actor is not silent
        if evening.table.phase is Phase.CUT:
            await evening.room.actor.taps(evening.board.captions[2])
        else:
            await evening.room.bets()
    assert await silent.taps("I'm back") == "Welcome back!"
    assert "away" not in evening.board.text
    assert "I'm back" not in evening.board.captions
    await evening.room.plays(lambda table: table.actor == silent.id)


@on_both
async def test_a_game_rests_when_nobody_is_there_and_goes_on(evening: Evening) -> None:
    """Everybody sleeps: nothing is lost, and the first two who are back go on."""
    people = await evening.hand("Ada", "Bo", "Cem")
    for _ in range(20):
        if evening.table.phase is Phase.REST:
            break
        await evening.passes(61)
    assert "The game rests until two can play." in evening.board.text
    assert evening.board.captions == ["Stop the game", "I'm back", "⋯"]
    chips = evening.table.chips
    await evening.passes(12 * 3600)
    assert evening.table.phase is Phase.REST
    assert await people[0].taps("I'm back") == "Welcome back!"
    assert evening.table.phase is Phase.REST
    assert await people[1].writes("/bet 1")
    assert evening.said.text == "The game rests until enough players with chips are here."
    await people[1].taps("I'm back")
    assert evening.table.phase in (Phase.CUT, Phase.DECIDE)
    assert evening.table.chips == chips == 150
    assert evening.room.actor in people[:2]


async def test_a_game_that_rests_for_a_day_is_over(evening: Evening) -> None:
    people = await evening.hand("Ada", "Bo")
    for _ in range(20):
        if evening.table.phase is not Phase.REST:
            await evening.passes(61)
    await evening.passes(24 * 3600 + 1)
    assert evening.table.phase is Phase.ENDED
    assert sum(seat.chips for seat in evening.table.seats) == 100
    assert "🏆" in evening.board.text
    assert [person.name in evening.board.text for person in people] == [True, True]


async def test_a_game_that_rests_is_stopped_by_its_host(evening: Evening) -> None:
    people = await evening.hand("Ada", "Bo")
    for _ in range(20):
        if evening.table.phase is not Phase.REST:
            await evening.passes(61)
    await people[0].taps("Stop the game")
    assert evening.table.phase is Phase.ENDED


async def test_a_lobby_that_nobody_starts_is_closed(evening: Evening) -> None:
    """Two hours after the last visitor."""
    ada, bo = await evening.friends("Ada", "Bo")
    await ada.writes("/newgame")
    await evening.passes(7_000)
    await bo.taps("Join")
    await evening.passes(7_000)
    assert evening.table.phase is Phase.LOBBY
    await evening.passes(300)
    assert "Closed before the first card." in evening.board.text
    assert evening.board.captions == ["New game"]
    await evening.passes(24 * 3600)
    assert len(evening.room.messages) == 2  # the greeting and the board: nobody was disturbed


# -- the clock and a finger ----------------------------------------------------------------------------


@on_both
async def test_the_clock_and_a_tap_at_the_same_instant(evening: Evening) -> None:
    """Situation 4: exactly one of them wins, every time."""
    await evening.hand(chips=500)
    won_by_clock = set()
    for number in range(40):
        for seat in evening.table.present:
            if seat.away:  # the clock has won against him three times in a row
                await evening.people[seat.player].taps("I'm back")
        await evening.room.plays(lambda table: table.phase is Phase.DECIDE)
        asked, button, move = evening.room.actor, evening.board.buttons[0], evening.table.move
        evening.clock.move(60.001)
        # By turns the clock or the finger comes first, each time with a greater lead.
        racers = [evening.house.clock.sweep(), asked.presses(button.data, button.message, settle=False)]
        first, second = racers if number % 2 else reversed(racers)
        leader = asyncio.create_task(first)
        await asyncio.sleep(number * 0.01)
        others = await asyncio.gather(leader, second)
        toast = next(answer for answer in others if answer is not None)
        await evening.settled()
        hand = next(hand for hand in evening.table.played if hand.move == move + 1)
        assert (hand.player, hand.bet) == (asked.id, 1)
        assert evening.table.move == move + 1
        assert hand.by_clock is not toast.startswith("You bet 1 and "), toast
        won_by_clock.add(hand.by_clock)
        if len(won_by_clock) == 2:
            break
    assert won_by_clock == {True, False}


async def test_several_clocks_make_one_move(evening: Evening) -> None:
    """Each replica has a clock."""
    await evening.hand()
    move = evening.table.move
    evening.clock.move(61)
    await asyncio.gather(*(evening.house.clock.sweep() for _ in range(5)))
    await evening.settled()
    assert evening.table.move == move + 1


# -- after an outage ---------------------------------------------------------------------------------


@on_both
async def test_an_outage_costs_nobody_his_turn(evening: Evening) -> None:
    """After a restart whoever is asked has half a minute at least, and his board tells the truth about it."""
    await evening.hand()
    asked, move = evening.room.actor, evening.table.move
    await evening.closes()
    evening.clock.move(10_000)
    await evening.opens()
    assert (evening.room.actor, evening.table.move) == (asked, move)
    await evening.check_boards()
    await evening.passes(25)
    assert evening.room.actor is asked
    await evening.passes(10)
    assert evening.table.played[0].by_clock
    assert evening.room.actor is not asked


async def test_a_short_outage_takes_no_time_away(evening: Evening) -> None:
    await evening.hand()
    due = evening.room.view.due_at
    await evening.closes()
    evening.clock.move(3)
    await evening.opens()
    assert evening.room.view.due_at == due


async def test_a_tap_made_during_an_outage_counts(evening: Evening) -> None:
    """Trap 21: nothing that waits is thrown away."""
    await evening.hand()
    asked, button = evening.room.actor, evening.board.buttons[1]
    await evening.closes()
    tap = {"chat": evening.room.chat, "message": button.message, "data": button.data}
    await asked.does("tap", settle=False, **tap)
    evening.clock.move(100)
    await evening.opens()
    hand = evening.table.played[0]
    assert (hand.player, hand.by_clock) == (asked.id, False)


@on_both
async def test_a_restart_in_every_phase(evening: Evening) -> None:
    """Situation 25: lobby, cut, turn, end; the same table goes on each time."""
    people = await evening.friends("Ada", "Bo")
    evening.seed = seed_where(lambda table: table.phase is Phase.DECIDE, players=2)

    async def restarts() -> None:
        before, board = evening.room.view, evening.board
        await evening.closes()
        await evening.opens()
        assert evening.room.view == before
        assert evening.board == board

    await evening.room.seats(*people)
    await restarts()
    await people[0].taps("Start")
    await restarts()
    await evening.room.cuts()
    await restarts()
    await people[0].writes("/end")
    await restarts()
    await people[0].taps("Stop at once")
    await restarts()
    assert evening.board.captions == ["New game"]
