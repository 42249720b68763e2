"""Everything twice, at once, and out of order: each move is made once (trap 7, I23)."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

import pytest

from domain.table import Phase, Table
from tests.databases import KINDS
from tests.journeys.evening import Evening, Person
from tests.journeys.luck import bet, seed_where

on_both = pytest.mark.parametrize("kind", KINDS)


async def random_evening(evening: Evening, luck: Random, moves: int) -> Table:
    """People who do what people do, by buttons and by words; some of it is refused."""
    people = await evening.friends("Ada", "Bo", "Cem", "Ola", "Eve")
    await evening.room.seats(*people[:3], chips=8, rebuys=2)
    await people[0].taps("Start")
    for _ in range(moves):
        table = evening.table
        if table.phase is Phase.ENDED:
            break
        person = evening.people[table.actor] if table.actor and luck.random() < 0.8 else luck.choice(people)
        if luck.random() < 0.75:
            button = luck.choice([b for b in evening.board.buttons if not b.data.startswith(("more", "end"))])
            await person.presses(button.data, button.message)
        else:
            await person.writes(luck.choice(["/bet 1", "/bet 2", "/bet 4", "/join", "/leave", "/table"]))
    return evening.table


@on_both
async def test_an_evening_where_every_update_comes_twice(begin: Callable[..., Awaitable[Evening]]) -> None:
    """The table goes the very way it goes when everything comes once."""
    once = await random_evening(await begin(), Random(1), 26)
    evening = await begin()
    await evening.twice()
    twice = await random_evening(evening, Random(1), 26)
    assert twice == once
    assert twice.move > 12


async def test_a_typed_bet_that_comes_twice_is_no_cut(evening: Evening) -> None:
    """Of two players, the dealer bets last and cuts next: his bet, delivered again, is not the place of the cut."""
    people = await evening.friends("Ada", "Bo")
    evening.seed = seed_where(
        lambda table: len(table.queue) == 1 and bet(table).queue == () and (bet(table).round, bet(table).pot) == (1, 3),
        players=2,
    )
    await evening.room.deals(*people)
    await evening.room.bets()
    dealer = evening.room.actor
    assert dealer.id == evening.table.dealer
    move = evening.table.move
    await evening.twice()
    await dealer.writes("/bet 3")
    assert evening.table.move == move + 1
    assert evening.table.phase is Phase.CUT
    assert evening.room.actor is dealer


@on_both
async def test_the_same_tap_twice_within_fifty_milliseconds(evening: Evening) -> None:
    """Situation 1: one bet, and both fingers are answered."""
    await evening.hand(clock=600)
    for _ in range(4):
        await evening.room.cuts()
        move, asked, button = evening.table.move, evening.room.actor, evening.board.buttons[0]
        toasts = await asyncio.gather(
            *(asked.presses(button.data, button.message, settle=False) for _ in range(2)),
        )
        await evening.settled()
        assert sorted(toast.startswith("You bet 1 and ") for toast in toasts) == [False, True]
        assert all(toasts)
        assert evening.table.move == move + 1


async def test_every_button_of_a_board_at_once(evening: Evening) -> None:
    """By the one who is asked: whichever comes first is his bet."""
    await evening.hand()
    move, asked = evening.table.move, evening.room.actor
    bets = [button for button in evening.board.buttons if button.data.startswith("bet:")]
    assert len(bets) > 2
    toasts = await asyncio.gather(*(asked.presses(bet.data, bet.message, settle=False) for bet in bets))
    await evening.settled()
    assert sum(toast.startswith("You bet ") for toast in toasts) == 1
    assert evening.table.move == move + 1


async def test_everybody_taps_at_once(evening: Evening) -> None:
    """The players' taps come side by side: Telegram queues them for each person."""
    people = await evening.hand()
    move, button = evening.table.move, evening.board.buttons[0]
    asked = evening.room.actor
    toasts = dict(
        zip(
            people,
            await asyncio.gather(*(p.presses(button.data, button.message, settle=False) for p in people)),
            strict=True,
        )
    )
    await evening.settled()
    assert evening.table.move == move + 1
    assert [person for person, toast in toasts.items() if toast.startswith("You bet 1 and ")] == [asked]


@on_both
async def test_a_table_is_opened_and_started_once(evening: Evening) -> None:
    """Situation 21: with all fingers at once."""
    people = await evening.friends("Ada", "Bo", "Cem", "Ola")
    hello = evening.said.buttons[0]
    await asyncio.gather(*(person.presses(hello.data, hello.message, settle=False) for person in people))
    await evening.settled()
    assert len((await evening.rows())["tables"]) == 1
    join = evening.board.button("Join")
    await asyncio.gather(*(p.presses(join.data, join.message, settle=False) for p in people for _ in range(2)))
    await evening.settled()
    assert sorted(seat.player for seat in evening.table.seats) == [person.id for person in people]
    start, host = evening.board.button("Start"), evening.people[evening.table.host]
    toasts = await asyncio.gather(*(host.presses(start.data, start.message, settle=False) for _ in range(3)))
    await evening.settled()
    assert evening.table.phase is not Phase.LOBBY
    assert sorted(toasts)[1:] == ["That was an earlier hand. The newest board counts."] * 2
    assert sum(seat.bought for seat in evening.table.seats) == 4 * 50


@on_both
async def test_what_came_while_the_bot_was_away_comes_backwards(evening: Evening) -> None:
    """Taps wait at Telegram's; delivered in the wrong order, and again and again until all are confirmed."""
    people = await evening.hand()
    move, asked, board = evening.table.move, evening.room.actor, evening.board
    await evening.closes()
    for person in (*people, *people):
        for button in board.buttons[:2]:
            tap = {"chat": evening.room.chat, "message": board.id, "data": button.data}
            await person.does("tap", settle=False, **tap)
    evening.telegram.network.updates._queue.reverse()
    await evening.opens()
    assert evening.table.move == move + 1
    assert evening.table.played[0].player == asked.id
    answered = [call["request"]["callback_query_id"] for call in evening.calls("answerCallbackQuery")]
    assert {tap["id"] for tap in evening.taps_so_far()} <= set(answered)


async def test_an_evenings_taps_once_more_in_any_order(evening: Evening) -> None:
    """However late they come again: nothing moves."""
    people = await evening.hand()
    await evening.room.plays(lambda table: table.round == 3 and table.phase is Phase.DECIDE)
    taps = [tap for tap in evening.taps_so_far() if tap["data"].partition(":")[0] in ("bet", "cut", "start", "join")]
    assert len(taps) > 12
    assert {tap["from"]["id"] for tap in taps} == {person.id for person in people}
    before = evening.room.view
    Random(3).shuffle(taps)
    for tap in taps:
        evening.telegram.network.updates.add("callback_query", tap, "again")
    await evening.settled()
    assert evening.room.view == before


@on_both
async def test_a_leave_and_a_bet_at_once(evening: Evening) -> None:
    """Whoever leaves on his own turn has one hand more, never two."""
    await evening.hand()
    asked, bet = evening.room.actor, evening.board.buttons[1]
    await asyncio.gather(
        asked.writes("/leave", settle=False),
        asked.presses(bet.data, bet.message, settle=False),
    )
    await evening.settled()
    assert evening.table.seat(asked.id) is None
    assert len([hand for hand in evening.table.played if hand.player == asked.id]) == 1


async def test_two_buy_their_chips_at_once(evening: Evening) -> None:
    """Each finger twice; nobody gets two stacks."""
    people: list[Person] = await evening.friends("Ada", "Bo")
    await evening.room.deals(*people, chips=2, rebuys=1)
    await evening.room.plays(
        lambda table: any(seat.chips == 0 for seat in table.seats) or table.phase is Phase.REST,
        lambda board: [button for button in board.buttons if button.data[:3] in ("bet", "cut")][-1],
    )
    buy = evening.board.button("Buy chips")
    broke = [person for person in people if evening.room.chips(person) == 0]
    assert broke
    await asyncio.gather(*(p.presses(buy.data, buy.message, settle=False) for p in broke for _ in range(2)))
    await evening.settled()
    assert all(seat.rebuys <= 1 for seat in evening.table.seats)
    bought = sum(row["chips"] for row in (await evening.rows())["ledger"] if row["account"] == "cage")
    assert bought == -(4 + 2 * len(broke))
