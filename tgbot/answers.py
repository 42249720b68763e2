"""What a player reads about his own move: a refusal with its reason, or a short word that it counted.

Toasts hold 200 characters; these are far shorter in every language, and a test sees to it.
"""

from collections.abc import Callable, Mapping, Sequence

from domain.events import (
    BankHandedOver,
    BankVoted,
    BetPlaced,
    CameBack,
    EndAgreed,
    Ended,
    EndVoted,
    Event,
    Joined,
    LeaveAsked,
    Left,
    MaxBetChosen,
    Raised,
    Rebought,
    RoundEnded,
    Settled,
    ShareAgreed,
    ShareVoted,
    WasCut,
)
from domain.refusals import Reason, Refusal
from domain.rules import Clash
from domain.table import Phase, Player, Table
from tgbot.words import Words

TOAST = 200
"""The most characters that Telegram takes in a toast."""


def refusal(refused: Refusal, tr: Words) -> str:
    """Why not, in the words of the player; the nearest legal number is in it where there is one."""
    if refused.clash is not None:
        return _CLASHES[refused.clash](tr)
    return _REASONS[refused.reason](tr, refused.limit if refused.limit is not None else 0)


def done(player: Player, events: Sequence[Event], table: Table, tr: Words) -> str:
    """What a player's own command did, or an empty text where the board says it all."""
    for event in events:
        match event:
            case BetPlaced(who, chips) if who == player and _is_his_word(player, events):
                return _bet(player, chips, events, tr)
            case Raised(who, _) if who == player and _is_his_word(player, events):
                return _raised(player, events, tr)
            case WasCut(who, _) if who == player and _is_his_word(player, events):
                return tr("Cut.")
            case Joined(who) if who == player and table.phase is not Phase.LOBBY and player in table.arrivals:
                return tr("Welcome! You play from the next round.")
            case Joined(who) if who == player:
                return tr("Welcome to the table!")
            case Left(who, chips) if who == player:
                return tr("You left with {chips}.", chips=tr.chips(chips)) if chips else tr("You left.")
            case LeaveAsked(who) if who == player:
                return tr("You leave as soon as this hand is over.")
            case Rebought(who, chips) if who == player:
                return tr("You bought {chips}.", chips=tr.chips(chips))
            case EndVoted(who) if who == player and not table.ending and table.phase is not Phase.ENDED:
                return tr("Your vote counts. The game stops when more than half agree.")
            case ShareVoted(who) if who == player and ShareAgreed() not in events:
                return tr("Noted. The pot is shared when everybody agrees: /share")
            case BankVoted(who) if who == player and BankHandedOver() not in events:
                return tr("Noted. The deal passes when more than half agree: /passbank")
            case ShareAgreed():
                return tr("Everybody agrees: the pot is shared.")
            case BankHandedOver():
                return tr("The deal passes after this round.")
            case MaxBetChosen(chips):
                return tr("From the next round on the most bet is {chips}.", chips=tr.chips(chips))
            case EndAgreed() if table.phase is not Phase.ENDED:
                return tr("The game ends after this round.")
            case Ended():
                return ""
            case _:
                pass
    return tr("Welcome back!") if CameBack(player) in events else ""


def _is_his_word(player: Player, events: Sequence[Event]) -> bool:
    """Whether he answered himself: for one who leaves, or stops the game at once, the clock's answer comes first."""
    left = any(isinstance(event, Left) and event.player == player for event in events)
    kinds = {type(event) for event in events}
    return not left and (Ended not in kinds or RoundEnded in kinds)


def _bet(player: Player, chips: int, events: Sequence[Event], tr: Words) -> str:
    gain = next((event.gain for event in events if isinstance(event, Settled) and event.player == player), None)
    if not gain:  # the hand goes on, or the bet has come back: the board tells why
        return tr("You bet {chips}.", chips=tr.chips(chips))
    if gain > 0:
        return tr("You bet {bet} and won {chips}.", bet=chips, chips=tr.chips(gain))
    return tr("You bet {bet} and lost {chips}.", bet=chips, chips=tr.chips(-gain))


def _raised(player: Player, events: Sequence[Event], tr: Words) -> str:
    gain = next((event.gain for event in events if isinstance(event, Settled) and event.player == player), 0)
    if gain > 0:
        return tr("You won {chips}.", chips=tr.chips(gain))
    return tr("You lost {chips}.", chips=tr.chips(-gain))


_REASONS: Mapping[Reason, Callable[[Words, int], str]] = {
    Reason.NOT_YOUR_TURN: lambda tr, _: tr("It's not your turn yet."),
    Reason.NOT_ALLOWED: lambda tr, _: tr("Only the host or a group admin can do that."),
    Reason.NOT_SEATED: lambda tr, _: tr("You don't sit at this table. Send /join to play."),
    Reason.NOT_STARTED: lambda tr, _: tr("The game hasn't started yet."),
    Reason.ALREADY_STARTED: lambda tr, _: tr("The game has started already."),
    Reason.GAME_OVER: lambda tr, _: tr("No game is on. Send /newgame to open a table."),
    Reason.RESTING: lambda tr, _: tr("The game rests until enough players with chips are here."),
    Reason.OLD_BUTTON: lambda tr, _: tr("That was an earlier hand. The newest board counts."),
    Reason.ALREADY_IN: lambda tr, _: tr("You are at the table already."),
    Reason.FULL: lambda tr, n: tr.count("The table is full: {n} player.", "The table is full: {n} players.", n),
    Reason.CLOSED: lambda tr, _: tr("This table takes nobody after the start."),
    Reason.TOO_FEW: lambda tr, _: tr("It takes two to play. Somebody else has to join first."),
    Reason.BAD_COMBINATION: lambda tr, _: tr("These rules don't go together."),
    Reason.ALREADY_HERE: lambda tr, _: tr("You are in the game."),
    Reason.ALREADY_VOTED: lambda tr, _: tr("That's noted already."),
    Reason.REBUY_OFF: lambda tr, _: tr("No more chips can be bought at this table."),
    Reason.TOO_MANY_CHIPS: lambda tr, _: tr("You can buy chips when you have none."),
    Reason.ODDS_OFF: lambda tr, _: tr("This table plays without the odds."),
    Reason.NO_POT: lambda tr, _: tr("There is no pot to share."),
    Reason.NO_DEALER: lambda tr, _: tr("Nobody deals here but me."),
    Reason.CUT_OUT_OF_RANGE: lambda tr, n: tr("The cut must leave at least 3 cards on each side. Nearest: {n}.", n=n),
    Reason.NO_CUT_PENDING: lambda tr, _: tr("There is nothing to cut now."),
    Reason.CUT_FIRST: lambda tr, _: tr("Cut the deck first."),
    Reason.CALL_FIRST: lambda tr, _: tr("Call your ace first: high or low."),
    Reason.NO_CALL_PENDING: lambda tr, _: tr("There is no ace to call."),
    Reason.GUESS_FIRST: lambda tr, _: tr("Say first whether it will be higher or lower."),
    Reason.NO_PAIR: lambda tr, _: tr("There is no pair to guess on."),
    Reason.ALREADY_BET: lambda tr, _: tr("Your bet stands already."),
    Reason.PASS_FORBIDDEN: lambda tr, _: tr("There is no passing at this table: bet at least the least."),
    Reason.BET_BELOW_MIN: lambda tr, n: tr("The least bet is {chips}.", chips=tr.chips(n)),
    Reason.BET_ABOVE_STACK: lambda tr, n: tr("You have {chips}.", chips=tr.chips(n)),
    Reason.BET_ABOVE_COVER: lambda tr, n: tr(
        "A hit post costs more than the bet; your chips cover a bet of {n} at most.", n=n
    ),
    Reason.BET_ABOVE_POT: lambda tr, n: tr("The pot holds {chips}; that's the most.", chips=tr.chips(n)),
    Reason.BET_ABOVE_MAX: lambda tr, n: tr("The most at this table is {chips}.", chips=tr.chips(n)),
    Reason.BET_ABOVE_BANK: lambda tr, n: tr("The bank covers a bet of {n} at most.", n=n),
    Reason.BET_ABOVE_OPENING_CAP: lambda tr, n: tr("In the first turns half the pot is the most: {n}.", n=n),
    Reason.RAISE_ABOVE_BET: lambda tr, n: tr("You can add {chips} at most.", chips=tr.chips(n)),
    Reason.NO_RAISE_PENDING: lambda tr, _: tr("There is no bet to raise now."),
    Reason.NO_RAISE_ON_PAIR: lambda tr, _: tr("A pair cannot be raised."),
    Reason.NO_STAKE_PENDING: lambda tr, _: tr("Nobody has to put up a stake now."),
    Reason.STAKE_FIRST: lambda tr, _: tr("Put up your stake first."),
}

_CLASHES: Mapping[Clash, Callable[[Words], str]] = {
    Clash.RAISE_NEEDS_BLIND_BET: lambda tr: tr("Raising goes only with bets before the cards."),
    Clash.GUESS_NEEDS_OPEN_BET: lambda tr: tr("Guessing on a pair goes only with bets after the cards."),
    Clash.TRIPS_NEED_BLIND_BET: lambda tr: tr("Pay for three of a kind goes only with bets before the cards."),
    Clash.LOSE_BET_NEEDS_BLIND_BET: lambda tr: tr("Losing the bet at once goes only with bets before the cards."),
    Clash.LOSE_MIN_NEEDS_OPEN_BET: lambda tr: tr("Losing the least bet goes only with bets after the cards."),
    Clash.CAP_NEEDS_POT: lambda tr: tr("Half the pot as a limit needs a pot."),
    Clash.ANTE_NEEDS_POT: lambda tr: tr("An ante needs a pot."),
    Clash.POT_NEEDS_ANTE: lambda tr: tr("A pot needs an ante."),
    Clash.BANK_NEEDS_MAX_BET: lambda tr: tr("A bank or the house needs a most bet."),
    Clash.LADDER_WITH_POT: lambda tr: tr("The 5·4·2·1 pay does not go with a pot."),
    Clash.BROKE_NEEDS_BANK: lambda tr: tr("Dealing until the bank is empty needs a bank."),
    Clash.POT_ROTATION_NEEDS_POT: lambda tr: tr("Dealing until the pot is won needs a pot."),
    Clash.CUT_WITH_SHUFFLE_EVERY_TURN: lambda tr: tr("Nobody cuts when the cards are shuffled for every hand."),
    Clash.MAX_BELOW_MIN: lambda tr: tr("The most bet must not be smaller than the least."),
    Clash.OUT_OF_RANGE: lambda tr: tr("That number is too small or too big."),
    Clash.TOO_FEW_CHIPS: lambda tr: tr("Everybody needs more chips than the ante."),
}
