"""A home pot from the greeting to the last chip, as a group sees it."""

import pytest

from domain import commands as c
from domain.hand import HandClass
from domain.play import play
from domain.table import Phase, Table
from tests.databases import KINDS
from tests.journeys.evening import Evening, Person
from tests.journeys.luck import bet, seed_where

on_both = pytest.mark.parametrize("kind", KINDS)


def over(table: Table) -> bool:
    return table.phase is Phase.ENDED


def stopped_now(table: Table) -> Table:
    """The table after the host has stopped it in the middle of the round."""
    return play(table, c.End(table.host, now=True))[1]


# -- the greeting and the lobby ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "hello", "button", "join"),
    [
        ("en", "Hello! I deal In-Between", "Open a table", "Join"),
        ("pl-PL", "Cześć! Rozdaję karty", "Otwórz stół", "Dołącz"),
        ("tlh", "Hello! I deal In-Between", "Open a table", "Join"),
    ],
)
async def test_the_bot_greets_in_the_language_of_who_adds_it(
    evening: Evening, language: str, hello: str, button: str, join: str
) -> None:
    ada, bo = await evening.person("Ada", language), await evening.person("Bo")
    await evening.group(ada, bo)

    assert evening.said.text.startswith(hello)
    assert evening.said.captions == [button]
    assert len(evening.room.messages) == 1

    await bo.taps(button)  # whoever taps it: the table speaks the group's language
    assert join in evening.board.captions
    assert evening.table.host == bo.id


async def test_people_come_and_go_in_the_lobby(evening: Evening) -> None:
    ada, bo, cem = await evening.friends("Ada", "Bo", "Cem")
    await ada.taps("Open a table")
    assert "At the table (1): Ada\nWaiting for a second player." in evening.board.text
    assert await ada.taps("Start") == "It takes two to play. Somebody else has to join first."
    assert await bo.taps("Join") == "Welcome to the table!"
    assert "At the table (2): Ada, Bo\nEverybody here? Ada starts the game." in evening.board.text
    assert await bo.taps("Join") == "You are at the table already."
    assert await bo.taps("Start") == "Only the host or a group admin can do that."
    await cem.writes("/join@inbetween_bot")
    assert await ada.taps("Leave") == "You left."
    assert "At the table (2): Bo, Cem\nEverybody here? Bo starts the game." in evening.board.text
    assert await cem.taps("Leave") == "You left."
    assert await bo.taps("Leave") == "You left."
    assert evening.board.text.endswith("Closed before the first card.")
    assert evening.board.captions == ["New game"]


@on_both
async def test_two_open_a_table_in_the_same_second(evening: Evening) -> None:
    """Situation 21: one table, and both may sit at it."""
    ada, bo = await evening.friends("Ada", "Bo")
    await ada.writes("/newgame", settle=False)
    await bo.writes("/newgame", settle=False)
    await evening.settled()
    assert len((await evening.rows())["tables"]) == 1
    assert [seat.player for seat in evening.table.seats] == [ada.id]
    await bo.taps("Join")
    assert len(evening.table.seats) == 2


# -- whole evenings ----------------------------------------------------------------------------------


@on_both
@pytest.mark.parametrize("language", ["en", "pl"])
async def test_a_whole_evening_by_buttons(evening: Evening, language: str) -> None:
    """P2-P22: four people, three rounds, and the one with most chips wins."""
    join = {"en": "Join", "pl": "Dołącz"}[language]
    ada, bo, cem, ola = await evening.friends("Ada", "Bo", "Cem", "Ola", language=language)
    await ada.writes("/newgame")
    await evening.room.agrees(rounds=3)
    evening.seed = seed_where(lambda table: table.phase is Phase.DECIDE, rounds=3)
    await bo.taps(join)
    await cem.writes("/join")
    await ola.taps(join)
    await ada.taps("Start")
    lobby = evening.board.id

    assert evening.table.phase is Phase.CUT
    assert evening.table.cutter == evening.table.actor  # P7: the player on the dealer's right
    toast = await evening.room.actor.taps(evening.board.captions[2])
    assert toast == {"en": "Cut.", "pl": "Przełożone."}[language]
    assert evening.table.pot >= 1
    assert sum(seat.chips for seat in evening.table.seats) + evening.table.pot == 4 * 50
    await evening.room.plays(over, lambda board: board.buttons[1])

    (winner,), best = evening.table.winners, max(seat.chips for seat in evening.table.seats)
    assert evening.table.round == 3
    text, name = evening.board.text, evening.people[winner].name
    if language == "en":
        assert "Over after 3 rounds.\n\n" in text
        assert f"\n\n🏆 {name} wins with {best} chips!\n\n" in text
    else:
        assert "Koniec po 3 rundach.\n\n" in text
        assert any(f"🏆 Wygrywa {name} – {best} {chips}!" in text for chips in ("żeton", "żetony", "żetonów"))
    for seat in evening.table.seats:
        assert f"{evening.people[seat.player].name} {seat.chips}" in text
    assert evening.board.captions == [{"en": "New game", "pl": "Nowa gra"}[language]]
    # The end stands at the bottom; the boards above it have nothing to tap.
    assert evening.board.id == evening.room.messages[-1].id > lobby
    assert [message.buttons for message in evening.room.messages if message.id >= lobby][:-1].count([]) >= 1
    results = (await evening.rows())["results"]
    assert {row["player"]: row["chips"] for row in results} == {s.player: s.chips for s in evening.table.seats}
    assert [row["player"] for row in results if row["winner"]] == [winner]


async def test_the_host_ends_the_evening_after_the_round(evening: Evening) -> None:
    """Q11, Q12: the round is played to its end, so that everybody has had as many turns."""
    people = await evening.friends("Ada", "Bo", "Cem")
    evening.seed = seed_where(lambda table: len(table.queue) == 2 and bet(table).round == 1, players=3)
    await evening.room.deals(*people)
    await people[0].writes("/end")
    assert evening.said.text == "The game ends after this round."
    assert evening.said.captions == ["Stop at once"]
    assert "This is the last round." in evening.board.text
    await evening.room.plays(over)
    assert evening.table.round == 1
    assert evening.table.pot == 0
    assert "Over after 1 round.\n\n" in evening.board.text
    assert " was shared.\n\n🏆" in evening.board.text
    assert await people[0].taps("Stop at once") == "No game is on. Send /newgame to open a table."
    assert sum(seat.chips for seat in evening.table.seats) == 150


@on_both
@pytest.mark.parametrize(
    ("language", "stop", "end"),
    [
        ("en", "Stop at once", "Ada, Bo, Cem and Ola win with 50 chips each!"),
        ("pl", "Zakończ od razu", "Wygrywają Ada, Bo, Cem i Ola – każdy ma 50 żetonów!"),
    ],
)
async def test_joint_winners_of_an_evening_stopped_at_once(
    evening: Evening, language: str, stop: str, end: str
) -> None:
    """Q12: the hand on the table is finished with the least bet, the pot shared; equal stacks win together."""
    people = await evening.friends("Ada", "Bo", "Cem", "Ola", language=language)
    evening.seed = seed_where(lambda table: table.phase is Phase.DECIDE and len(stopped_now(table).winners) == 4)
    await evening.room.deals(*people)
    await people[0].writes("/end")
    assert await people[1].taps(stop) != ""
    assert evening.table.phase is Phase.DECIDE  # only the host's word, or an admin's, ends it at once
    await people[0].taps(stop)
    assert end in evening.board.text


async def test_a_new_game_after_the_end(evening: Evening) -> None:
    ada, bo = await evening.friends("Ada", "Bo")
    await evening.room.deals(ada, bo)
    first = evening.room.view.number
    await ada.writes("/end")
    await ada.taps("Stop at once")
    ending = evening.board.id
    await bo.taps("New game")
    assert evening.room.view.number == first + 1
    assert evening.table.phase is Phase.LOBBY
    assert evening.table.host == bo.id
    assert evening.board.id > ending
    assert [message for message in evening.room.messages if "New game" in message.captions] == []
    await ada.writes("/newgame")  # the table that stands is shown
    assert evening.room.view.number == first + 1
    assert evening.board.id == evening.room.messages[-1].id


@on_both
async def test_everybody_leaves(evening: Evening) -> None:
    """Situation 23: the game ends, nothing is lost."""
    people = await evening.friends("Ada", "Bo", "Cem")
    await evening.room.deals(*people)
    for person in people:
        if not over(evening.table):
            await person.writes("/leave")
    assert over(evening.table)
    assert sum(s.chips + s.cashed for s in (*evening.table.seats, *evening.table.departed)) == 150


# -- coming late, going early ------------------------------------------------------------------------


@on_both
async def test_somebody_comes_late(evening: Evening) -> None:
    """Q20: from the next round on, last before the dealer, with one ante into the pot."""
    ada, bo, ola = await evening.friends("Ada", "Bo", "Ola")
    await evening.room.deals(ada, bo)
    await ola.writes("/join")
    assert "Ola joins next round" in evening.board.text
    assert await ola.presses(evening.board.buttons[0].data, evening.board.id) == "It's not your turn yet."
    await evening.room.plays(lambda table: table.round == 2)
    assert ola.id in evening.table.queue or ola.id in [hand.player for hand in evening.table.played]
    assert "Ola" in evening.board.text
    assert "joins next round" not in evening.board.text
    bought = {seat.player: seat.bought for seat in evening.table.seats}
    assert bought == {ada.id: 50, bo.id: 50, ola.id: 50}


async def test_somebody_leaves_who_is_not_asked(evening: Evening) -> None:
    people = await evening.friends("Ada", "Bo", "Cem", "Ola")
    evening.seed = seed_where(lambda table: table.phase is Phase.DECIDE and len(table.queue) == 3)
    await evening.room.deals(*people)
    asked = evening.room.actor
    leaver = next(p for p in people if p is not asked and p.id not in (evening.table.host, evening.table.dealer))
    chips, pot = evening.room.chips(leaver), evening.table.pot
    await leaver.writes("/leave")
    assert evening.room.actor is asked
    assert evening.table.pot == pot  # nothing comes out of the pot (Q19)
    assert next(seat for seat in evening.table.seats if seat.player == leaver.id).cashed == chips
    assert f"{leaver.name} {chips}" not in evening.board.text
    await leaver.writes("/leave")
    assert evening.said.text == "You don't sit at this table. Send /join to play."


async def test_somebody_leaves_on_his_own_turn(evening: Evening) -> None:
    """Q19: the least bet is made for him first; he takes what he has then."""
    people = await evening.friends("Ada", "Bo", "Cem", "Ola")
    evening.seed = seed_where(lambda table: table.phase is Phase.DECIDE and len(table.queue) == 3)
    await evening.room.deals(*people)
    leaver = evening.room.actor
    chips = evening.room.chips(leaver)
    await leaver.writes("/leave")
    hand = next(hand for hand in evening.table.played if hand.player == leaver.id and hand.bet is not None)
    assert hand.bet == 1
    assert hand.by_clock is False
    seat = next(seat for seat in evening.table.seats if seat.player == leaver.id)
    assert (seat.gone, seat.cashed) == (True, chips + hand.gain)
    assert evening.table.actor != leaver.id


async def test_the_dealer_leaves(evening: Evening) -> None:
    """Q19: the deal counts as his until the round ends, then it passes on."""
    people = await evening.friends("Ada", "Bo", "Cem", "Ola")
    evening.seed = seed_where(lambda table: table.phase is Phase.DECIDE and len(table.queue) == 3)
    await evening.room.deals(*people)
    dealer = evening.table.dealer
    assert dealer is not None
    await evening.people[dealer].writes("/leave")
    assert evening.table.dealer == dealer
    assert "deals" not in evening.board.text.split("\n\n")[1]
    left_of_him = next(seat.player for seat in evening.table.clockwise(dealer))
    await evening.room.plays(lambda table: table.round == 2 or table.dealer != dealer)
    assert evening.table.dealer == left_of_him


async def test_the_host_leaves(evening: Evening) -> None:
    """The next on his left is the host then; the old one has no say any more."""
    people = await evening.friends("Ada", "Bo", "Cem", type="supergroup")
    ada, bo, cem = people
    outsider = await evening.person("Eve")
    await outsider.does("join", chat=evening.room.chat)
    await ada.does("promote", chat=evening.room.chat, who=outsider.id)
    await evening.room.deals(bo, cem, outsider)
    await bo.writes("/leave")
    assert evening.table.host == cem.id
    await bo.writes("/end")
    assert evening.said.text == "Only the host or a group admin can do that."
    await cem.writes("/end")
    assert evening.said.captions == ["Stop at once"]


# -- somebody has to go ------------------------------------------------------------------------------


@pytest.fixture
async def four(evening: Evening) -> list[Person]:
    """Ada has founded the group and so is its admin; Bo is the host of the table; somebody has the turn."""
    ada, bo, cem, ola = await evening.friends("Ada", "Bo", "Cem", "Ola")
    await evening.room.deals(bo, cem, ola)
    return [ada, bo, cem, ola]


async def test_the_host_makes_somebody_leave_by_a_reply(evening: Evening, four: list[Person]) -> None:
    _, bo, cem, _ = four
    message = await cem.writes("let me think, this may take the whole evening…")
    await bo.writes("/kick", reply_to=message)
    assert evening.table.seat(cem.id) is None


async def test_the_host_makes_somebody_leave_by_a_button(evening: Evening, four: list[Person]) -> None:
    _, bo, cem, ola = four
    await bo.writes("/kick")
    question = evening.said
    assert question.text == "Who has to leave the table?"
    assert question.captions == ["Bo", "Cem", "Ola"]
    assert await cem.presses(question.button("Ola").data, question.id) == "Only the host or a group admin can do that."
    assert evening.table.seat(ola.id)
    await bo.presses(question.button("Ola").data, question.id)
    assert evening.table.seat(ola.id) is None
    assert await bo.presses(question.button("Ola").data, question.id) == (
        "You don't sit at this table. Send /join to play."
    )


async def test_an_admin_of_the_group_makes_the_host_leave(evening: Evening, four: list[Person]) -> None:
    """He does not play himself; Telegram says who he is, now (trap 16)."""
    ada, bo, cem, _ = four
    await ada.writes("/kick")
    await ada.taps("Bo")
    assert evening.table.seat(bo.id) is None
    assert evening.table.host == cem.id
    assert [call["request"]["user_id"] for call in evening.calls("getChatMember")] == [ada.id]


async def test_nobody_else_makes_anybody_leave(evening: Evening, four: list[Person]) -> None:
    _, bo, cem, ola = four
    before = await evening.rows()
    message = await bo.writes("who, me?")
    await cem.writes("/kick", reply_to=message)
    assert evening.said.text == "Only the host or a group admin can do that."
    stranger = await evening.person("Sly", "pl")
    await stranger.does("join", chat=evening.room.chat)
    await stranger.writes("/kick", reply_to=message)
    assert evening.said.text == "Może to zrobić tylko gospodarz albo administrator grupy."
    assert await evening.rows() == before
    assert evening.table.seat(ola.id)


# -- chips -------------------------------------------------------------------------------------------


@on_both
async def test_chips_are_bought_again_where_the_table_agreed(evening: Evening) -> None:
    """Q7: without chips no turn; one more stack, once."""
    people = await evening.friends("Ada", "Bo", "Cem")
    await evening.room.deals(*people, chips=3, rebuys=1)
    assert await people[0].presses(f"rebuy:{evening.room.view.number}:1", evening.board.id) == (
        "You can buy chips when you have none."
    )
    await evening.room.plays(
        lambda table: any(seat.chips == 0 for seat in table.seats) or over(table),
        lambda board: [button for button in board.buttons if button.data[:3] in ("bet", "cut")][-1],
    )
    broke = next(evening.people[seat.player] for seat in evening.table.seats if seat.chips == 0)
    assert "Buy chips" in evening.board.captions
    assert await broke.taps("Buy chips") == "You bought 3 chips."
    assert evening.room.chips(broke) == 3
    assert await broke.presses(f"rebuy:{evening.room.view.number}:1", evening.board.id) == (
        "You can buy chips when you have none."
    )


async def test_the_last_chips_end_the_game_where_none_are_sold(evening: Evening) -> None:
    """Q8, Q9: fewer than two with chips; the pot is shared."""
    people = await evening.friends("Ada", "Bo")
    await evening.room.deals(*people, chips=2)
    await evening.room.plays(
        over, lambda board: [button for button in board.buttons if button.data[:3] in ("bet", "cut")][-1]
    )
    assert sum(seat.chips for seat in evening.table.seats) == 4
    assert "🏆" in evening.board.text


async def test_an_amount_of_ones_own_by_a_reply(evening: Evening) -> None:
    """Trap 17: the bot asks with a forced reply, and its question goes once it is answered."""
    people = await evening.friends("Ada", "Bo", "Cem", "Ola", language="pl")
    evening.seed = seed_where(lambda table: table.phase is Phase.DECIDE and table.pot == 4 and len(table.queue) == 3)
    await evening.room.deals(*people)
    asked = evening.room.actor
    other = next(person for person in people if person is not asked)
    assert await other.taps("Inna kwota…") == "To jeszcze nie twoja kolej."
    assert await asked.taps("Inna kwota…") == "Odpowiedz na moją wiadomość liczbą."
    question = evening.said
    assert question.text == f"{asked.name}, ile żetonów? Od 1 do 4."
    assert question.mentions == [asked.id]
    sent = evening.calls("sendMessage")[-1]["request"]
    assert sent["reply_markup"]["force_reply"] is sent["reply_markup"]["selective"] is True
    await other.replies(question, "3")
    assert evening.said.text == "To jeszcze nie twoja kolej."
    await asked.replies(question, "trzy")
    assert evening.said.text == "Napisz całą liczbę żetonów, na przykład /bet 5"
    assert evening.room.actor is asked
    assert evening.calls("sendMessage")[-1]["request"]["reply_markup"]["force_reply"] is True
    await asked.replies(evening.said, "3")  # the answer asks again
    assert [hand.bet for hand in evening.table.played if hand.player == asked.id][:1] == [3]
    assert question.id not in [message.id for message in evening.room.messages]


async def test_a_typed_bet(evening: Evening) -> None:
    people = await evening.friends("Ada", "Bo", "Cem", "Ola")
    evening.seed = seed_where(lambda table: table.phase is Phase.DECIDE and table.pot == 4)
    await evening.room.starts(*people)
    cutter = evening.room.actor
    await cutter.writes("/bet 26")  # while the deck is cut, the number is a place in it
    assert evening.table.phase is not Phase.CUT
    asked, hands = evening.room.actor, len(evening.table.played)
    await asked.writes("/BET@inbetween_bot 2")
    assert evening.table.played[hands].bet == 2


async def test_a_pot_won_whole_is_worth_a_board_at_the_bottom(evening: Evening) -> None:
    """P21, and the rule of the boards: the pot is filled again at once, and the old board has nothing to tap."""
    people = await evening.friends("Ada", "Bo", "Cem", "Ola")

    def wins_it_all(table: Table) -> bool:
        after = bet(table, table.pot) if table.phase is Phase.DECIDE and not table.played else table
        return bool(after.played and after.played[0].pot_emptied and after.played[0].hand is HandClass.WIN)

    evening.seed = seed_where(wins_it_all)
    await evening.room.deals(*people)
    asked, old = evening.room.actor, evening.board
    toast = await asked.taps("Pot 4")
    assert toast == "You bet 4 and won 4 chips."
    assert "won the whole pot: 4!\nPot empty: everybody puts in 1 chip." in evening.board.text
    assert evening.board.id > old.id
    retired = next(message for message in evening.room.messages if message.id == old.id)
    assert retired.buttons == []
    assert retired.text.endswith("The game goes on below.")


# -- the end by vote ---------------------------------------------------------------------------------


async def test_those_who_sit_there_vote_to_stop(evening: Evening) -> None:
    """Q11: more than half of them agree; the host's word needs nobody's."""
    ada, bo, cem, ola = await evening.friends("Ada", "Bo", "Cem", "Ola", type="supergroup")
    evening.seed = seed_where(lambda table: table.phase is Phase.DECIDE and len(table.queue) == 3)
    await evening.room.deals(ada, bo, cem, ola)
    await bo.writes("/end")
    assert "1 vote to stop" in evening.board.text
    await bo.writes("/end")
    assert evening.said.text == "That's noted already."
    await cem.writes("/end")
    assert "2 votes to stop" in evening.board.text
    assert not evening.table.ending
    stranger = await evening.person("Sly")
    await stranger.does("join", chat=evening.room.chat)
    await stranger.writes("/end")
    assert evening.said.text == "Only the host or a group admin can do that."
    await ola.writes("/end")
    assert evening.table.ending
    assert "This is the last round." in evening.board.text
    await evening.room.plays(over)
    assert evening.table.round == 1


# -- the board, the words ----------------------------------------------------------------------------


async def test_the_board_goes_to_the_bottom(evening: Evening) -> None:
    people = await evening.friends("Ada", "Bo")
    await evening.room.starts(*people)
    old = evening.board
    await people[1].writes("look what I had for dinner")
    await people[1].writes("/table")
    assert evening.board.id == evening.room.messages[-1].id > old.id
    assert evening.board.text == old.text
    assert evening.board.captions == old.captions
    retired = next(message for message in evening.room.messages if message.id == old.id)
    assert retired.buttons == []
    assert "The game goes on below." in retired.text


async def test_the_group_chooses_its_language(evening: Evening) -> None:
    """The board speaks the group's language, a toast the reader's."""
    ada, ola = await evening.person("Ada"), await evening.person("Ola", "pl")
    await evening.group(ada, ola)
    await evening.room.seats(ada, ola)
    await ola.writes("/language")
    question = evening.said
    assert question.captions == ["English", "Polski"]
    assert await ada.taps("Polski") == "Ta grupa gra teraz po polsku."
    assert evening.board.captions == ["Dołącz", "Start", "Gra…", "Zasady", "Wyjdź"]
    assert "Przy stole (2): Ada, Ola" in evening.board.text
    assert question.id not in [message.id for message in evening.room.messages]
    assert await ada.taps("Dołącz") == "You are at the table already."
    assert await ola.taps("Dołącz") == "Już siedzisz przy stole."
    await ola.writes("/language")
    assert await ola.taps("English") == "This group plays in English now."
    assert evening.board.captions == ["Join", "Start", "Game…", "Rules", "Leave"]


async def test_the_rules_and_the_help_in_the_group(evening: Evening) -> None:
    ada, bo = await evening.friends("Ada", "Bo")
    await bo.writes("/rules")
    assert "• No passing.\n" in evening.said.text
    await ada.writes("/newgame")
    await evening.room.agrees(chips=12, rebuys=None)
    await ada.taps("Rules")
    assert "12 chips each · 60 seconds a turn · chips can be bought again" in evening.said.text
    await bo.writes("/help")
    assert "/kick – make somebody leave (host, admin)" in evening.said.text
    await ada.does("write", chat=evening.room.chat, text="/help me@inbetween_bot")
    await bo.taps("Join")
    await ada.taps("Start")
    toast = await bo.taps("⋯")
    assert "/bet 7 – any amount" in toast
    assert evening.calls("answerCallbackQuery")[-1]["request"]["show_alert"] is True


async def test_the_bot_in_private(evening: Evening) -> None:
    ola = await evening.person("Ola", "pl")
    await ola.does("start", payload="play")
    hello = (await ola.private("/start")).buttons
    assert [button.text for button in hello] == ["Dodaj mnie do grupy"]
    assert hello[0].url == "https://t.me/inbetween_bot?startgroup=play"
    assert "/newgame otwiera stół" in (await ola.private("/help")).text
    assert "• Para: wygrywasz 2 żetony." in (await ola.private("/rules")).text
    assert (await ola.private("/language")).text.startswith("Mówię w języku twojego Telegrama.")
    for command in ("newgame", "join", "leave", "bet", "table", "end", "kick"):
        before = len(evening.calls("sendMessage"))
        said = await ola.private(f"/{command}")
        assert said.text.startswith("To działa w grupie."), command
        assert len(evening.calls("sendMessage")) == before + 1
    assert (await evening.rows())["tables"] == []


async def test_the_commands_stand_in_the_menu(evening: Evening) -> None:
    """Trap 26: once at the start, for groups and private chats, in every language."""
    commands = (await evening.client.get("/people/state")).json()["bot"]["commands"]
    groups, private = commands["all_group_chats"], commands["all_private_chats"]
    assert {one["command"] for one in groups[""]} >= {"newgame", "join", "bet", "end", "kick", "language"}
    assert [one["command"] for one in private["pl"]] == ["start", "rules", "help"]
    assert {"command": "join", "description": "siadaj do stołu"} in groups["pl"]


@on_both
async def test_names_that_hurt(evening: Evening) -> None:
    """Trap 13, situation 11: no name breaks the board, and whoever has no readable one is called by his place."""
    people = await evening.friends("<3", "_*`[x](y)", "\u202eevil", "\u200b\u2060", "👩‍👩‍👧‍👦" * 20)
    await evening.room.deals(*people)
    lines = evening.board.text
    assert "<3 " in lines
    assert "_*`[x](y) " in lines
    assert "\u202e" not in lines
    assert "Player 4 " in lines
    assert "👩" * 20 not in lines


@on_both
async def test_one_person_at_two_tables(evening: Evening) -> None:
    """Situation 20, I28: a move here changes nothing there."""
    ada, bo, cem = await evening.friends("Ada", "Bo", "Cem")
    here, there = evening.room, await evening.group(cem, ada, title="Elsewhere")
    await here.deals(ada, bo)
    await there.deals(ada, cem)
    before = there.view
    await here.bets()
    assert there.view == before
    await ada.writes("/leave", room=there)
    assert there.table.seat(ada.id) is None
    assert here.table.seat(ada.id)
