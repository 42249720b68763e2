"""Tables between two messages: what is written, who waits for whom, and what it costs."""

import asyncio
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import get_args

import pytest

from domain import commands as c
from domain.choices import LOBBY_PATIENCE, REST_PATIENCE
from domain.play import open_table, play
from domain.presets import PRESETS
from domain.refusals import Reason, Refusal
from domain.settings import Settings
from domain.table import Phase, Seat, Table
from persistence.audit import audit
from persistence.boards import Boards
from persistence.chats import Chats
from persistence.database import Database
from persistence.mapping import Place
from persistence.sitting import WARNING_AT
from persistence.tables import Tables
from persistence.views import NoTableError
from tests.persistence.conftest import Clock
from tests.persistence.evenings import (
    ANN,
    BOB,
    CAT,
    DAN,
    PEOPLE,
    PLACE,
    TOPIC,
    behind,
    deadlines,
    in_memory,
    open_at,
    play_at,
    put,
    questions,
    remember,
    row_of,
    rows_of,
    seen,
    some_answer,
    some_command,
    some_settings,
    statements_of,
    table_at,
    takes,
)

MOST_STATEMENTS = 8


# -- a table is what the domain says ---------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
async def test_an_evening_by_luck_is_the_same_in_rows_and_in_memory(
    tables: Tables, database: Database, preset: str
) -> None:
    luck, rules = Random(preset), PRESETS[preset]
    await remember(tables)
    table: Table | None = None
    moves = 0
    while moves < 20:
        async with tables.at(PLACE) as sitting:
            assert sitting.table == table
            if table is None:
                opener, settings = PEOPLE[luck.randrange(8)].id, some_settings(luck, rules)
                sitting.open(PLACE, opener, rules, settings)
                table = open_table(opener, rules, settings)[1]
                continue
            command = some_command(luck, table)
            try:
                wanted, table = play(table, command)
            except Refusal:
                with pytest.raises(Refusal):
                    sitting.play(command)
            else:
                assert sitting.play(command) == wanted
                moves += 1
        if table.phase is Phase.ENDED:
            table = None
    report = await audit(database)
    assert report.faults == []
    assert report.moves == moves + report.tables


async def test_chips_beyond_32_bits_are_kept(tables: Tables, database: Database, clock: Clock) -> None:
    rich = Table(
        rules=PRESETS["red_dog"],
        settings=Settings(cut=False),
        host=ANN,
        phase=Phase.REST,
        move=2**40,
        asked=2**40,
        seats=(Seat(player=ANN, chips=17_000_000, bought=2**33), Seat(player=BOB, bought=17_000_000)),
        departed=(Seat(player=DAN, cashed=2**33, gone=True), Seat(player=CAT, cashed=1, gone=True)),
        house=-(2**33),
    )
    await remember(tables)
    await put(database, TOPIC, rich, clock())
    async with tables.at(TOPIC) as sitting:
        assert sitting.table == rich
        sitting.play(c.End(ANN))
    async with tables.numbered(sitting.id) as sitting:
        assert seen(sitting) == play(rich, c.End(ANN))[1]


# -- what a refused command, or an accident, leaves behind -----------------------------------------


@pytest.mark.parametrize(
    "command",
    [c.Bet(CAT, 1), c.Bet(5_000_000_019, 1), c.Join(ANN), c.Start(ANN, ""), c.RunOutOfTime(1), c.Kick(BOB, ANN)],
    ids=lambda command: type(command).__name__,
)
async def test_a_refused_command_changes_nothing(tables: Tables, database: Database, command: c.Command) -> None:
    await open_at(tables)
    before = await rows_of(database)
    with pytest.raises(Refusal):
        async with tables.at(PLACE) as sitting:
            sitting.play(command)
    assert await rows_of(database) == before


async def test_an_accident_after_a_move_undoes_it(tables: Tables, database: Database) -> None:
    await open_at(tables)
    before = await rows_of(database)

    async def accident() -> None:
        async with tables.at(PLACE) as sitting:
            sitting.remember(PEOPLE[9])
            sitting.play(c.Join(PEOPLE[9].id))
            sitting.play(c.RunOutOfTime(seen(sitting).asked))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await accident()
    assert await rows_of(database) == before


async def test_an_accident_while_writing_undoes_the_whole_move(
    tables: Tables, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_at(tables)
    before = await rows_of(database)
    monkeypatch.setattr("persistence.sitting.dump_event", lambda _: 1 / 0)  # seats and row are written by then
    with pytest.raises(ZeroDivisionError):
        async with tables.at(PLACE) as sitting:
            sitting.play(c.RunOutOfTime(seen(sitting).asked))
    assert await rows_of(database) == before


async def test_where_no_table_stands_there_is_nothing_to_play(tables: Tables) -> None:
    async with tables.at(PLACE) as sitting:
        assert (sitting.table, sitting.board) == (None, None)
        with pytest.raises(NoTableError):
            sitting.play(c.Join(ANN))
        with pytest.raises(NoTableError):
            _ = sitting.id


async def test_a_number_that_no_table_has(tables: Tables) -> None:
    with pytest.raises(NoTableError):
        async with tables.numbered(404):
            pass


async def test_a_finished_table_keeps_its_number_and_takes_no_command(tables: Tables, database: Database) -> None:
    number = await open_at(tables)
    async with tables.at(PLACE) as sitting:
        sitting.play(c.End(ANN, now=True))
    before = await rows_of(database)
    async with tables.at(PLACE) as sitting:
        assert sitting.table is None
    async with tables.numbered(number) as sitting:
        assert seen(sitting).phase is Phase.ENDED
        with pytest.raises(Refusal, match=Reason.GAME_OVER):
            sitting.play(c.Join(DAN))
    assert await rows_of(database) == before


async def test_tables_of_one_group_know_nothing_of_each_other(tables: Tables, database: Database) -> None:
    """I28; and the next table of a place leaves the finished one alone."""
    first, second = await open_at(tables), await open_at(tables, TOPIC, players=4)
    assert first != second
    async with tables.at(PLACE) as sitting:
        sitting.play(c.RunOutOfTime(seen(sitting).asked))
        sitting.play(c.End(ANN, now=True))
    assert await table_at(tables, TOPIC) == in_memory(4)
    assert await open_at(tables) not in (first, second)
    assert await table_at(tables) == in_memory(3)
    assert (await audit(database)).faults == []
    assert sorted(await tables.topics(PLACE.chat)) == [0, TOPIC.topic]


async def test_people_are_remembered_as_they_are_now(tables: Tables, database: Database) -> None:
    async with tables.at(PLACE) as sitting:
        sitting.remember(PEOPLE[0])
        sitting.remember(PEOPLE[0]._replace(name="Ann, married 💍", language="en"))
    assert (await rows_of(database))["players"] == [(ANN, "Ann, married 💍", "en")]


# -- at the same moment ----------------------------------------------------------------------------


async def test_of_two_identical_bets_one_is_placed(
    tables: Tables, other_database: Database, database: Database, clock: Clock
) -> None:
    await open_at(tables)
    before = await table_at(tables)
    actor = before.actor
    assert actor is not None

    async def bet(at: Tables) -> tuple[int, str]:
        async with at.at(PLACE) as sitting:
            move = seen(sitting).move
            await asyncio.sleep(0.05)
            try:
                sitting.play(c.Bet(actor, 1))
            except Refusal as refusal:
                return move, refusal.reason
            return move, "placed"

    done = await asyncio.gather(bet(tables), bet(Tables(other_database, clock)))
    assert sorted(done) == [(before.move, "placed"), (before.move + 1, Reason.ALREADY_BET)]
    assert await table_at(tables) == play(before, c.Bet(actor, 1))[1]
    assert (await audit(database)).faults == []


async def test_fifty_at_once_lose_no_write(
    tables: Tables, other_database: Database, database: Database, clock: Clock
) -> None:
    await open_at(tables, players=2, start=False)

    async def set_up(at: Tables, seconds: int) -> None:
        async with at.at(PLACE) as sitting:
            table = seen(sitting)
            await asyncio.sleep(0)
            sitting.play(c.SetUp(ANN, table.rules, Settings(clock=seconds, chips=table.settings.chips + 1)))

    others = Tables(other_database, clock)
    await asyncio.gather(*(set_up(others if n % 2 else tables, 20 + n) for n in range(50)))
    table = await table_at(tables)
    assert (table.move, table.settings.chips) == (2 + 50, Settings().chips + 50)
    assert (await audit(database)) == (1, 52, [])


@pytest.mark.parametrize("known", [True, False], ids=["a known group", "a new group"])
async def test_two_who_open_at_once_sit_at_one_table(
    tables: Tables, other_database: Database, database: Database, clock: Clock, known: bool
) -> None:
    if known:
        await remember(tables, TOPIC)

    async def sit_down(at: Tables, place: Place, who: int) -> int:
        async with at.at(place) as sitting:
            await asyncio.sleep(0.05)
            sitting.remember(PEOPLE[who])
            if sitting.table is None:
                sitting.open(place, PEOPLE[who].id, PRESETS["home_pot"], Settings())
            else:
                sitting.play(c.Join(PEOPLE[who].id))
        return sitting.id

    others = Tables(other_database, clock)
    one, same, other = await asyncio.gather(
        sit_down(tables, PLACE, 0), sit_down(others, PLACE, 1), sit_down(others, TOPIC, 2)
    )
    assert one == same != other
    assert {seat.player for seat in (await table_at(tables)).seats} == {ANN, BOB}
    assert [seat.player for seat in (await table_at(tables, TOPIC)).seats] == [CAT]
    assert (await audit(database)) == (2, 3, [])


async def test_a_move_that_waited_for_the_last_one_finds_no_table(
    tables: Tables, other_database: Database, clock: Clock
) -> None:
    await open_at(tables)
    locked = asyncio.Event()

    async def end() -> None:
        async with tables.at(PLACE) as sitting:
            locked.set()
            await asyncio.sleep(0.05)
            sitting.play(c.End(ANN, now=True))

    async def look() -> Table | None:
        await locked.wait()
        async with Tables(other_database, clock).at(PLACE) as sitting:
            return sitting.table

    assert (await asyncio.gather(end(), look()))[1] is None


# -- what a tap costs ------------------------------------------------------------------------------


LOBBY_KINDS: set[type] = {c.SetUp, c.Join, c.Start}
KINDS: Mapping[str, set[type]] = {
    "home_pot": {c.Cut, c.Bet, c.Join, c.Leave, c.Kick, c.Rebuy, c.Back, c.End, c.SharePot, c.RunOutOfTime},
    "bank": {c.PassBank, c.SetMaxBet},
    "acey_deucey": {c.CallAce, c.Guess, c.Pass},
    "red_dog": {c.Raise},
    "staked_bank": {c.PutUp},
}
"""Where each kind of command can be given."""
LATE = PEOPLE[16].id
WIDE, LAST = "a timeout that changes several seats in different ways", "the last of the game"


def test_every_command_is_counted() -> None:
    assert set().union(LOBBY_KINDS, *KINDS.values()) == {*get_args(c.Command)}


@cache
def commands_after(moves: int) -> Mapping[str, tuple[Table, c.Command]]:
    """A command of every kind, each with a table of many players that takes it after so many moves."""
    _, lobby = open_table(ANN, PRESETS["home_pot"], Settings())
    for person in PEOPLE[1:16]:
        lobby = play(lobby, c.Join(person.id))[1]
    in_lobby = (c.SetUp(ANN, lobby.rules, lobby.settings), c.Join(LATE), c.Start(ANN, "5eed" * 16))
    found: dict[str, tuple[Table, c.Command]] = {f"{type(one).__name__} in the lobby": (lobby, one) for one in in_lobby}
    for preset, kinds in KINDS.items():
        luck = Random(preset)
        settings = Settings(chips=4 if c.Rebuy in kinds else 50, rebuys=None, cut=preset != "red_dog")
        table = in_memory(16, PRESETS[preset], settings)
        while table.move < moves or LATE in table.arrivals:
            table = play(table, c.Leave(LATE) if LATE in table.arrivals else c.Join(LATE))[1]
        wanted = {kind.__name__ for kind in kinds} | ({WIDE, LAST} if c.End in kinds else set())
        while not wanted <= found.keys():
            for command in _likely(luck, table):
                if type(command).__name__ in wanted - found.keys() and takes(table, command):
                    for name in _names(table, command):
                        found.setdefault(name, (table, command))
            table = play(table, next(command for command in _likely(luck, table) if takes(table, command)))[1]
    return found


def _likely(luck: Random, table: Table) -> Iterator[c.Command]:
    """What may be played now, an answer to the question first."""
    if luck.random() < 0.7 and (answer := some_answer(luck, table)):
        yield answer
    for seat in table.present:
        if seat.chips == 0:
            yield c.Rebuy(seat.player)
    yield c.RunOutOfTime(table.asked)
    for seat in table.present:
        if seat.missed:
            yield c.Back(seat.player)
    yield from (c.Join(LATE), c.Leave(CAT), c.Kick(table.host, DAN), c.End(table.host, now=True))
    yield from (c.SharePot(table.host), c.PassBank(table.host), c.SetMaxBet(table.host, 7))


def _names(table: Table, command: c.Command) -> Iterator[str]:
    after = play(table, command)[1]
    yield type(command).__name__
    if isinstance(command, c.RunOutOfTime) and len(_changes(table, after)) > 1:
        yield WIDE
    if after.phase is Phase.ENDED:
        yield LAST


def _changes(before: Table, after: Table) -> set[tuple[str, ...]]:
    """Which fields of a seat have changed, for each seat that has."""
    changes = {
        tuple(name for name in Seat.__dataclass_fields__ if getattr(old, name) != getattr(new, name))
        for old in before.seats
        for new in after.seats
        if old.player == new.player
    }
    return changes - {()}


@pytest.mark.parametrize("moves", [3, 300])
async def test_no_tap_takes_more_than_eight_statements(
    tables: Tables, database: Database, clock: Clock, moves: int
) -> None:
    await remember(tables)
    for topic, (name, (table, command)) in enumerate(commands_after(moves).items()):
        place = PLACE._replace(topic=topic)
        await put(database, place, table, clock())
        with statements_of(database) as statements:
            async with tables.at(place) as sitting:
                sitting.remember(PEOPLE[0])
                sitting.play(command)
        assert len(statements) <= MOST_STATEMENTS, (name, statements)
        assert await _numbered(tables, sitting.id) == play(table, command)[1]


async def _numbered(tables: Tables, number: int) -> Table:
    async with tables.numbered(number) as sitting:
        return seen(sitting)


# -- deadlines -------------------------------------------------------------------------------------


async def test_a_lobby_lives_on_with_every_visitor_and_reminds_nobody(
    tables: Tables, database: Database, clock: Clock
) -> None:
    number = await open_at(tables, players=2, start=False)
    assert await deadlines(database, clock(), number) == (LOBBY_PATIENCE, None)
    clock.wait(LOBBY_PATIENCE - 1)
    assert (questions(await tables.overdue()), questions(await tables.late())) == ([], [])
    await play_at(tables, c.Join(CAT))
    assert await deadlines(database, clock(), number) == (LOBBY_PATIENCE, None)
    clock.wait(LOBBY_PATIENCE)
    assert (questions(await tables.overdue()), questions(await tables.late())) == ([(number, 1)], [])


async def test_a_question_has_its_time_and_an_answer_gives_the_next_its_own(
    tables: Tables, database: Database, clock: Clock
) -> None:
    number = await open_at(tables, settings=Settings(cut=False, clock=90))
    asked = (await table_at(tables)).asked
    assert await deadlines(database, clock(), number) == (90, 60)
    clock.wait(80)
    await play_at(tables, c.Join(DAN))  # no answer: the question stands, and so does its deadline
    assert await deadlines(database, clock(), number) == (10, -20)
    assert (questions(await tables.overdue()), questions(await tables.late())) == ([], [(number, asked)])
    clock.wait(10)
    assert questions(await tables.overdue()) == [(number, asked)]
    await play_at(tables, c.RunOutOfTime(asked))
    assert await deadlines(database, clock(), number) == (90, 60)
    assert questions(await tables.overdue()) == []


async def test_a_question_to_the_same_player_again_is_a_new_one(
    tables: Tables, database: Database, clock: Clock
) -> None:
    table, command = commands_after(3)["Guess"]  # the bet is asked for after it
    number = await put(database, PLACE, table, clock())
    clock.wait(50)
    await play_at(tables, command)
    assert await deadlines(database, clock(), number) == (table.settings.clock, table.settings.clock * WARNING_AT)


async def test_a_rest_has_a_day_and_reminds_nobody(tables: Tables, database: Database, clock: Clock) -> None:
    number = await open_at(tables, players=2, settings=Settings(cut=False, rebuys=None))
    while (await table_at(tables)).phase is not Phase.REST:
        async with tables.at(PLACE) as sitting:
            sitting.play(c.RunOutOfTime(seen(sitting).asked))
    assert await deadlines(database, clock(), number) == (REST_PATIENCE, None)
    clock.wait(REST_PATIENCE)
    assert [table for table, _ in questions(await tables.overdue())] == [number]


async def test_a_finished_table_has_no_deadline(tables: Tables, database: Database, clock: Clock) -> None:
    number = await open_at(tables)
    await play_at(tables, c.End(ANN, now=True))
    assert await deadlines(database, clock(), number) == (None, None)
    assert (await row_of(database, number)).ended_at == clock()
    clock.wait(10**6)
    assert (questions(await tables.overdue()), questions(await tables.late())) == ([], [])


async def test_the_messages_about_a_question_are_litter_when_it_is_answered(tables: Tables, boards: Boards) -> None:
    number = await open_at(tables)
    asked = (await table_at(tables)).asked
    await boards.reminded(number, asked, 5_000_000_701)
    await boards.prompted(number, 5_000_000_702)
    async with tables.at(PLACE) as sitting:
        sitting.play(c.Join(DAN))
        assert (sitting.litter, sitting.prompt) == ([], 5_000_000_702)
        sitting.play(c.RunOutOfTime(asked))
        assert sitting.litter == [5_000_000_701, 5_000_000_702]
    async with tables.at(PLACE) as sitting:
        assert (sitting.litter, sitting.prompt) == ([], None)
    assert (await boards.view(number)).reminder is None


async def test_a_typed_amount_counts_once(tables: Tables, other_database: Database, clock: Clock) -> None:
    """I23, where no button names the move."""
    await open_at(tables)

    async def hear(at: Tables, message: int) -> bool:
        async with at.at(PLACE) as sitting:
            return sitting.hear(message)

    others = Tables(other_database, clock)
    heard = await asyncio.gather(*(hear(others if n % 2 else tables, 5_000_000_800) for n in range(4)))
    assert sorted(heard) == [False, False, False, True]
    assert not await hear(tables, 5_000_000_799)
    assert await hear(tables, 5_000_000_801)


async def test_a_typed_amount_that_was_refused_may_come_again(tables: Tables) -> None:
    await open_at(tables)

    async def bet_out_of_turn() -> None:
        async with tables.at(PLACE) as sitting:
            assert sitting.hear(7)
            sitting.play(c.Bet(5_000_000_019, 1))

    with pytest.raises(Refusal):
        await bet_out_of_turn()
    async with tables.at(PLACE) as sitting:
        assert sitting.hear(7)


async def test_where_no_table_stands_nothing_is_heard(tables: Tables) -> None:
    async with tables.at(PLACE) as sitting:
        with pytest.raises(NoTableError):
            sitting.hear(7)


async def test_after_an_outage_nobody_has_less_than_the_grace(
    tables: Tables, boards: Boards, database: Database, clock: Clock
) -> None:
    late = await open_at(tables, settings=Settings(cut=False, clock=60))
    patient = await open_at(tables, TOPIC, settings=Settings(cut=False, clock=3600))
    over = await open_at(tables, PLACE._replace(topic=1))
    await play_at(tables, c.End(ANN, now=True), PLACE._replace(topic=1))
    for number in (late, patient, over):
        await boards.shown(await boards.view(number), 9)
    clock.wait(100)
    await tables.grant_grace(45)
    assert await behind(boards) == [(late, PLACE.chat)]  # its board tells the new deadline
    assert (await deadlines(database, clock(), late))[0] == 45
    assert await deadlines(database, clock(), patient) == (3500, 2300)
    assert await deadlines(database, clock(), over) == (None, None)
    assert questions(await tables.overdue()) == []


async def test_a_silent_group_has_no_clock(tables: Tables, chats: Chats, clock: Clock) -> None:
    await open_at(tables)
    await chats.silence(PLACE.chat)
    clock.wait(10**6)
    assert (questions(await tables.overdue()), questions(await tables.late())) == ([], [])
