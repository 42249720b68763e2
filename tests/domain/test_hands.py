"""The worked hands of a file (`--hands FILE`): each is played by the real game and compared with the book."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from domain import commands as c
from domain import events as e
from domain.cards import Card
from domain.course import Course
from domain.dealing import ensure_stock
from domain.hand import Side, spread
from domain.presets import HOME_POT, PRESETS
from domain.refusals import Reason
from domain.rules import Rules
from domain.settings import Settings
from domain.shoe import Shoe
from domain.table import Phase, Player, Table
from tests.domain.tables import Game, Step, goes_on, set_up, shuffles, stacks, started, turn

COMPANION = 1000
"""Sits beside somebody who is alone in the book: a game needs two."""


class BadCaseError(Exception):
    """A case of the file that cannot be played as it is written."""


@dataclass(frozen=True)
class Case:
    """One worked hand, with the presets of its file."""

    data: Mapping[str, Any]
    presets: Mapping[str, Mapping[str, Any]]

    def __getitem__(self, key: str) -> Any:
        if key not in self.data:
            raise BadCaseError(f"{self.data.get('id')}: {key!r} is missing")
        return self.data[key]

    @property
    def story(self) -> str:
        return ": ".join(self.data[part] for part in ("id", "title", "note") if part in self.data)

    @property
    def rules(self) -> Rules:
        """The preset with the overrides; the file's own reading of a preset comes first."""
        name = self["preset"]
        if name in self.presets:
            switches = dict(self.presets[name])
        elif name in PRESETS:
            switches = PRESETS[name].to_dict()
        else:
            raise BadCaseError(f"{self['id']}: no preset is called {name!r}")
        overrides = self.data.get("overrides", {})
        if strange := overrides.keys() - PRESETS["home_pot"].to_dict().keys():
            raise BadCaseError(f"{self['id']}: no switch is called {', '.join(sorted(strange))}")
        return self._rules({**switches, **overrides})

    def _rules(self, switches: dict[str, Any]) -> Rules:
        dealer_plays = switches.pop("dealer_plays", None)
        try:
            rules = Rules.from_dict(switches)
            list(rules.clashes())  # compares the numbers, so that they must be numbers
        except (KeyError, ValueError, TypeError) as error:
            raise BadCaseError(f"{self['id']}: a switch has no such value: {error}") from error
        for switch in ("raise", "ante_each_round"):
            if not isinstance(switches[switch], bool):
                raise BadCaseError(f"{self['id']}: {switch} has no value {switches[switch]!r}")
        if dealer_plays not in (None, rules.has_pot):
            raise BadCaseError(f"{self['id']}: dealer_plays cannot be {dealer_plays} against the {rules.counterparty}")
        return rules

    @property
    def names(self) -> dict[str, Player]:
        """The players by the letters of the book, in the order of their seats."""
        seats = self.data.get("seats") or list(self["before"]["stacks"])
        return {name: player for player, name in enumerate(seats, start=1)}

    def player(self, name: str | None) -> Player | None:
        """Whom a letter of the book means; nobody if it gives none."""
        if name is not None and name not in self.names:
            raise BadCaseError(f"{self['id']}: nobody is called {name!r}")
        return None if name is None else self.names[name]

    def name(self, player: Player | None) -> str | None:
        return next((name for name, other in self.names.items() if other == player), None)

    @property
    def chips(self) -> dict[Player, int]:
        chips = {player: self["before"]["stacks"][name] for name, player in self.names.items()}
        return chips if len(chips) > 1 else {**chips, COMPANION: 500}

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.read(self["cards"])

    def read(self, codes: list[str]) -> tuple[Card, ...]:
        try:
            return tuple(Card.parse(code) for code in codes)
        except ValueError as error:
            raise BadCaseError(f"{self['id']}: {error}") from error

    def stacks(self, table: Table) -> dict[str, int]:
        """The chips of those whom the book names."""
        found = stacks(table)
        return {name: found[player] for name, player in self.names.items() if player in found}

    def check(self, expected: Mapping[str, Any], found: Mapping[str, Any]) -> None:
        """Compare everything that the book says with what has happened."""
        if strange := expected.keys() - found.keys():
            raise BadCaseError(f"{self['id']}: nothing is known about {', '.join(sorted(strange))}")
        assert {key: found[key] for key in expected} == dict(expected), self.story


def read_cases(path: Path) -> list[Case]:
    """All cases of a file of worked hands."""
    book = json.loads(path.read_text(encoding="utf-8"))
    if book.get("schema") != 1:
        raise BadCaseError(f"{path} has the schema {book.get('schema')!r}, not 1")
    return [Case(case, book.get("presets", {})) for case in book["cases"]]


# -- actions ---------------------------------------------------------------------------------------


def command_of(case: Case, action: Mapping[str, Any], table: Table) -> c.Command:
    """What an action of the book asks of the table."""
    deed, argument = action.get("do"), action.get("arg")
    if action.get("by") == "clock":
        if deed != "timeout":
            raise BadCaseError(f"{case['id']}: the clock does not {deed!r}")
        return c.RunOutOfTime(table.asked)
    player = case.player(action.get("by"))
    if player is None:
        raise BadCaseError(f"{case['id']}: nobody does {deed!r}")
    match deed, argument:
        case "bet", int():
            return c.Bet(player, argument)
        case "raise", int():
            return c.Raise(player, argument)
        case "stay", None:
            return c.Raise(player, 0)
        case "pass", None:
            return c.Pass(player)
        case "call", "high" | "low":
            return c.CallAce(player, low=argument == "low")
        case "guess", "higher" | "lower":
            return c.Guess(player, Side(argument))
        case _:
            raise BadCaseError(f"{case['id']}: no action {deed!r} with {argument!r}")


def act(case: Case, game: Game, actions: list[Mapping[str, Any]]) -> None:
    """Do what the book says; what it refuses must be refused for its reason and change nothing (I6)."""
    for action in actions:
        command = command_of(case, action, game.table)
        if "reject" not in action:
            game.do(command)
            continue
        if action["reject"] not in set(Reason):
            raise BadCaseError(f"{case['id']}: nothing is refused as {action['reject']!r}")
        before = game.table
        reason, _ = game.refuses(command)
        assert reason == action["reject"], case.story
        assert game.table == before


# -- what a turn has done --------------------------------------------------------------------------


def turns_of(game: Game) -> list[list[Step]]:
    """The steps of each hand, up to the next question or the next player's turn: the automatic re-ante included.

    The sharing of the pot at the end of a game is not part of a hand.
    """
    turns: list[list[Step]] = [[]]
    settled = False
    for step in game.steps:
        if isinstance(step.event, e.PotShared | e.Ended):
            break
        if settled and isinstance(step.event, e.PostDealt | e.TurnStarted | e.Asked):
            turns[-1].append(step)
            turns.append([])
            settled = False
        else:
            settled = settled or isinstance(step.event, e.Settled)
            turns[-1].append(step)
    return turns


def outcome(case: Case, steps: list[Step]) -> dict[str, Any]:
    """What the book can say about one hand."""
    settlement = next((step for step in steps if isinstance(step.event, e.Settled)), None)
    assert settlement is not None, f"{case.story}: the hand is not over"
    assert isinstance(settlement.event, e.Settled)
    before, after = settlement.before, steps[-1].after
    dealt = [step.event for step in steps if isinstance(step.event, e.PostDealt | e.ThirdDealt)]
    return {
        "actor": case.name(settlement.event.player),
        "class": settlement.event.hand.value,
        "spread": spread(before.rules, before.posts, before.low_call is True) if len(before.posts) == 2 else None,
        "third_card": any(isinstance(event, e.ThirdDealt) for event in dealt),
        "cards_used": len(dealt),
        "stacks": case.stacks(after),
        "pot": after.pot,
        "house": after.house,
        "dealer": case.name(after.dealer),
        "next_actor": case.name(after.actor),
    }


# -- the kinds of cases ----------------------------------------------------------------------------


def play_turn(case: Case, _: pytest.MonkeyPatch) -> None:
    game = seated(case, case.player(case["actor"]), first_time=case.data.get("first_round", False))
    act(case, game, case["actions"])
    steps = turns_of(game)[0]
    case.check(case["expect"], outcome(case, steps))
    dealt = [step.event.card for step in steps if isinstance(step.event, e.PostDealt | e.ThirdDealt)]
    assert tuple(dealt) == case.cards[: len(dealt)], case.story


def play_round(case: Case, _: pytest.MonkeyPatch) -> None:
    game = seated(case, case.player(case["turns"][0]["actor"]), first_time=False)
    for hand in case["turns"]:
        act(case, game, hand["actions"])
    turns = turns_of(game)
    for hand, steps in zip(case["turns"], turns, strict=False):
        case.check({key: value for key, value in hand.items() if key != "actions"}, outcome(case, steps))
    last = turns[len(case["turns"]) - 1]
    after = next((step.after for step in last if isinstance(step.event, e.RoundEnded)), last[-1].after)
    case.check(case["expect"], {**outcome(case, last), "discard": len(after.shoe.discards)})


def seated(case: Case, actor: Player | None, *, first_time: bool) -> Game:
    if actor is None:
        raise BadCaseError(f"{case['id']}: nobody has the turn")
    before = case["before"]
    return turn(
        case.chips,
        " ".join(card.code for card in case.cards),
        rules=case.rules,
        dealer=case.player(case["dealer"]),
        actor=actor,
        pot=before.get("pot", 0),
        house=before.get("house", 0),
        first_time=first_time,
    )


def play_draw(case: Case, _: pytest.MonkeyPatch) -> None:
    """The draw for the first deal, then the cut and the first turn."""
    with shuffles(" ".join(card.code for card in case.cards)):
        game = started(case.names.values(), settings=Settings())
    cutter = game.table.actor
    assert game.table.phase is Phase.CUT, case.story
    game.time_out()
    found = {
        "dealer": case.name(game.table.dealer),
        "rounds": 1 + len(game.all(e.DrawTied)),
        "cards_used": len(game.all(e.DrawnForDeal)),
        "first_actor": case.name(game.turns[0]),
        "cutter": case.name(cutter),
    }
    case.check(case["expect"], found)


def play_ante(case: Case, _: pytest.MonkeyPatch) -> None:
    rules = case.rules if "preset" in case.data else HOME_POT
    rules = Rules.from_dict({**rules.to_dict(), "ante": case.data.get("ante", rules.ante)})
    dealer = case.player(case.data["dealer"]) if "dealer" in case.data else list(case.chips)[-1]
    game = goes_on(set_up(case.chips, rules=rules, dealer=dealer, phase=Phase.ROUND, pot=case["before"]["pot"]))
    paid = [step.after for step in game.steps if isinstance(step.event, e.RoundStarted | e.AntePaid | e.PotFilled)]
    after = paid[-1]
    case.check(case["expect"], {"stacks": case.stacks(after), "pot": after.pot, "dealer": case.name(after.dealer)})


def play_reshuffle(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards wanted from a stock that may run out; the luck of the shuffle is the book's."""
    reshuffled = case.read(case["reshuffled_order"])

    def order(cards: tuple[Card, ...], key: bytes) -> tuple[Card, ...]:
        assert sorted(cards) == sorted(reshuffled), f"{case.story}: other cards are shuffled than the book's"
        return reshuffled

    monkeypatch.setattr("domain.shoe.order", order)
    shoe = Shoe(case.read(case["stock"]), discards=case.read(case["discard"]))
    course = Course(set_up({1: 9, 2: 9}, dealer=2, phase=Phase.DEAL, shoe=shoe))
    for _ in range(case["draws"]):
        ensure_stock(course)
        course(e.PostDealt(course.table.shoe.stock[0]))
    found = {
        "drawn": [card.code for card in course.table.shoe.shown],
        "stock": [card.code for card in course.table.shoe.stock],
        "discard": [card.code for card in course.table.shoe.discards],
        "reshuffles": sum(isinstance(event, e.Shuffled) for event in course.events),
    }
    case.check(case["expect"], found)


def play_end(case: Case, _: pytest.MonkeyPatch) -> None:
    """The last word of the host at a table that is not in a hand."""
    rules = case.rules if "preset" in case.data else HOME_POT
    pot = case["before"]["pot"]
    table = set_up(case.chips, rules=rules, dealer=case.player(case["dealer"]), phase=Phase.REST, pot=pot)
    after = Game(table).do(c.End(table.host)).table
    assert after.phase is Phase.ENDED
    winners = [case.name(player) for player in after.winners]
    case.check(case["expect"], {"stacks": case.stacks(after), "pot": after.pot, "winners": winners})


KINDS: Mapping[str, Callable[[Case, pytest.MonkeyPatch], None]] = {
    "turn": play_turn,
    "round": play_round,
    "draw": play_draw,
    "ante": play_ante,
    "reshuffle": play_reshuffle,
    "end": play_end,
}


def play_case(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play one case of any kind."""
    if case["kind"] not in KINDS:
        raise BadCaseError(f"{case['id']}: no kind {case['kind']!r}")
    KINDS[case["kind"]](case, monkeypatch)


# -- tests -----------------------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "recorded" in metafunc.fixturenames:
        cases = read_cases(Path(metafunc.config.getoption("--hands")))
        metafunc.parametrize("recorded", cases, ids=[str(case["id"]) for case in cases])


def test_a_recorded_hand_goes_as_the_book_says(recorded: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every case covers the rules that it names: P1-P22, S1-S24, V-*, Q18, Q32."""
    play_case(recorded, monkeypatch)


A_HAND: Mapping[str, Any] = {
    "id": "Z00",
    "kind": "turn",
    "title": "a hand of our own",
    "preset": "home_pot",
    "seats": ["A", "B"],
    "dealer": "B",
    "actor": "A",
    "before": {"stacks": {"A": 9, "B": 9}, "pot": 2},
    "cards": ["3H", "TS", "5C"],
    "actions": [{"by": "A", "do": "bet", "arg": 2}],
    "expect": {"class": "win", "stacks": {"A": 10, "B": 8}, "pot": 2},
}


def test_a_case_needs_nothing_but_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A preset that the file does not describe is ours; what a case does not expect is not compared."""
    play_case(Case(A_HAND, {}), monkeypatch)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"kind": "dance"}, "no kind 'dance'"),
        ({"preset": "poker"}, "no preset is called 'poker'"),
        ({"overrides": {"jokers": 2}}, "no switch is called jokers"),
        ({"overrides": {"pair": "lose:2"}}, "no such value.*lose"),
        ({"overrides": {"pair": "win"}}, "no such value.*'win'"),
        ({"overrides": {"opening_cap": "1/3"}}, "no such value.*1/3"),
        ({"overrides": {"decks": "two"}}, "no such value.*str"),
        ({"overrides": {"raise": "perhaps"}}, "raise has no value 'perhaps'"),
        ({"actions": [{"by": "A", "do": "bluff"}]}, "no action 'bluff' with None"),
        ({"actions": [{"by": "A", "do": "bet", "arg": "all"}]}, "no action 'bet' with 'all'"),
        ({"actions": [{"by": "A", "do": "guess", "arg": "sideways"}]}, "no action 'guess' with 'sideways'"),
        ({"actions": [{"by": "clock", "do": "bet", "arg": 1}]}, "the clock does not 'bet'"),
        ({"actions": [{"by": "Z", "do": "bet", "arg": 1}]}, "nobody is called 'Z'"),
        ({"actions": [{"by": "A", "do": "bet", "arg": 9, "reject": "no_mood"}]}, "refused as 'no_mood'"),
        ({"actor": "Z"}, "nobody is called 'Z'"),
        ({"cards": ["3H", "11S"]}, "no card is called '11S'"),
        ({"expect": {"weather": "fine"}}, "nothing is known about weather"),
    ],
)
def test_a_case_that_cannot_be_played_says_why(
    change: dict[str, Any], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadCaseError, match=complaint):
        play_case(Case({**A_HAND, **change}, {}), monkeypatch)


def test_a_case_without_an_expected_part_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadCaseError, match="'actions' is missing"):
        play_case(Case({key: A_HAND[key] for key in A_HAND if key != "actions"}, {}), monkeypatch)


@pytest.mark.parametrize(
    "change",
    [
        {"expect": {"class": "post"}},
        {"expect": {"stacks": {"A": 11, "B": 9}}},
        {"expect": {"next_actor": "A"}},
        {"actions": [{"by": "A", "do": "bet", "arg": 9, "reject": "bet_below_min"}]},
    ],
)
def test_a_case_that_goes_otherwise_fails(change: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="Z00: a hand of our own"):
        play_case(Case({**A_HAND, **change}, {}), monkeypatch)


def test_a_refusal_that_does_not_come_fails_the_case(monkeypatch: pytest.MonkeyPatch) -> None:
    change = {"actions": [{"by": "A", "do": "bet", "arg": 1, "reject": "bet_below_min"}]}
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        play_case(Case({**A_HAND, **change}, {}), monkeypatch)


def test_another_schema_is_not_read(tmp_path: Path) -> None:
    book = tmp_path / "hands.json"
    book.write_text('{"schema": 2, "cases": []}', encoding="utf-8")
    with pytest.raises(BadCaseError, match="has the schema 2, not 1"):
        read_cases(book)
