"""Who may do what, and when: every command by every role in every phase, as the table that the game itself gives.

After a change of the game: ``python -m tests.domain.roles``, and then read what ``git diff`` shows as a host would.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from domain import commands as c
from domain.hand import Side
from domain.play import decide
from domain.presets import HOME_POT, PRESETS
from domain.refusals import Refusal
from domain.rules import Rules
from domain.settings import Settings
from domain.shoe import Shoe
from domain.table import WAITING, Phase, Player, Table
from tests.domain.tables import ANN, BOB, CAT, DAN, SEED, STRANGER, cards, set_up

ADMIN = 98
ROLES: Mapping[str, Player] = {
    "asked": BOB,
    "host": ANN,
    "player": CAT,
    "newcomer": DAN,
    "stranger": STRANGER,
    "admin": ADMIN,
}
"""Bob has the turn, Ann is the host, Cat deals, Dan waits for the next round, and an admin of the group reads along."""
FILE = Path(__file__).with_name("roles.txt")
OK = "yes"
_ASLEEP = {"away": True, "missed": 3}
_CHIPS = {ANN: 40, BOB: 40, CAT: 40}
_RULES: Mapping[Phase, Rules] = {
    Phase.STAKE: PRESETS["staked_bank"],
    Phase.BLIND_BET: PRESETS["blind_bank"],
    Phase.CALL_ACE: PRESETS["acey_deucey"],
    Phase.RAISE: PRESETS["red_dog"],
    Phase.DECIDE: PRESETS["friendly_pot"],
}
_CARDS = {Phase.CALL_ACE: "AH", Phase.DECIDE: "3H TS", Phase.RAISE: "3H TS"}

COMMANDS: Mapping[str, Callable[[Player, bool, Table], c.Command]] = {
    "set up": lambda who, admin, table: c.SetUp(who, HOME_POT, Settings(), admin),
    "join": lambda who, _, table: c.Join(who),
    "leave": lambda who, _, table: c.Leave(who),
    "kick Cat": lambda who, admin, table: c.Kick(who, CAT, admin),
    "start": lambda who, admin, table: c.Start(who, SEED, admin),
    "cut": lambda who, _, table: c.Cut(who, 20),
    "put up": lambda who, _, table: c.PutUp(who, 5),
    "call": lambda who, _, table: c.CallAce(who, low=True),
    "guess": lambda who, _, table: c.Guess(who, Side.HIGHER),
    "bet": lambda who, _, table: c.Bet(who, 1),
    "pass": lambda who, _, table: c.Pass(who),
    "raise": lambda who, _, table: c.Raise(who, 0),
    "rebuy": lambda who, _, table: c.Rebuy(who),
    "back": lambda who, _, table: c.Back(who),
    "end": lambda who, admin, table: c.End(who, admin),
    "end now": lambda who, admin, table: c.End(who, admin, now=True),
    "share": lambda who, _, table: c.SharePot(who),
    "pass bank": lambda who, _, table: c.PassBank(who),
    "most bet": lambda who, admin, table: c.SetMaxBet(who, 7, admin),
}
"""Each command as somebody would give it; only the clock has no role."""


def table_in(phase: Phase) -> Table:
    """A table that waits in this phase, Bob being asked where somebody is."""
    rules = _RULES.get(phase, HOME_POT)
    asked = None if phase in (Phase.LOBBY, Phase.REST, Phase.ENDED) else BOB
    shown = cards(_CARDS.get(phase, ""))
    dealer = BOB if phase is Phase.STAKE else None if phase is Phase.LOBBY or not rules.has_dealer else CAT
    table = set_up(
        dict.fromkeys(_CHIPS, 0) if phase is Phase.LOBBY else _CHIPS,
        rules=rules,
        dealer=dealer,
        phase=phase,
        actor=asked,
        pot=6 if rules.has_pot and phase is not Phase.LOBBY else 0,
        arrivals=() if phase in (Phase.LOBBY, Phase.REST, Phase.ENDED) else (DAN,),
        bet=2 if phase is Phase.RAISE else None,
        about={BOB: _ASLEEP, CAT: _ASLEEP} if phase is Phase.REST else {},
    )
    rest = tuple(card for card in table.shoe.stock if card not in shown)
    return replace(table, shoe=Shoe(rest, shown))


def verdict(table: Table, command: c.Command) -> str:
    """Whether the table takes a command, or why not."""
    try:
        decide(table, command)
    except Refusal as refused:
        return refused.reason.value
    return OK


def drawn() -> Iterator[str]:
    """The whole table, a block for each phase and a line for each command."""
    for phase in sorted(WAITING):
        table = table_in(phase)
        yield f"== {phase}"
        yield f"{'':10}" + "".join(f"{role:17}" for role in ROLES).rstrip()
        for name, command in COMMANDS.items():
            answers = (verdict(table, command(who, who == ADMIN, table)) for who in ROLES.values())
            yield f"{name:10}" + "".join(f"{answer:17}" for answer in answers).rstrip()
        yield ""


if __name__ == "__main__":
    FILE.write_text("\n".join(drawn()), encoding="utf-8")
