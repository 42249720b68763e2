"""The rule card: what a player must know, made from the switches, so that it can never lie."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from domain.odds import value
from domain.presets import PRESETS, nearest
from domain.rules import (
    Ace,
    Consecutive,
    Counterparty,
    PairKind,
    Payout,
    Rotation,
    Rules,
    Shuffle,
)
from domain.settings import Settings
from tgbot.words import Words

_POINT, _CHANGED = "• ", "✎ "


def preset_name(name: str, tr: Words) -> str:
    """A preset's name for players."""
    return {
        "home_pot": tr("Home pot"),
        "bank": tr("Bank"),
        "blind_bank": tr("Blind bank"),
        "acey_deucey": tr("Acey-Deucey"),
        "dragon_gate": tr("Dragon Gate"),
        "red_dog": tr("Red Dog"),
        "home_pot_three": tr("Home pot with three"),
        "sheets": tr("Sheets"),
        "friendly_pot": tr("Friendly pot"),
        "staked_bank": tr("Staked bank"),
        "soft_blind_bank": tr("Soft blind bank"),
    }[name]


def headline(rules: Rules, tr: Words) -> str:
    """The game, and whether somebody has changed it."""
    name, changed = nearest(rules)
    preset = preset_name(name, tr)
    return tr("In-Between · {preset}", preset=tr("{preset}, changed", preset=preset) if changed else preset)


def short_rules(rules: Rules, tr: Words) -> list[str]:
    """Who pays, may I pass, what a post, a pair and neighbours do, whatever is unusual, and what differs from the
    preset; of a game that is dear to play, also what it costs."""
    _, changed = nearest(rules)
    lines = [
        (_CHANGED if key in changed else _POINT) + LINES[key](rules, tr)
        for key in LINES
        if key in changed or key in _ASKED_FIRST or _is_unusual(key, rules)
    ]
    return [*lines, _POINT + cost_line(rules, tr)] if rules.blind else lines


_ASKED_FIRST = frozenset({"counterparty", "pass_cost", "post_pays", "pair", "consecutive"})


def _is_unusual(key: str, rules: Rules) -> bool:
    """Whether a switch is set so that a player who knows the home game would be surprised."""
    return {
        "bet_when": rules.blind,
        "max_bet": rules.max_bet is not None,
        "half_opening": rules.half_opening,
        "payout": rules.payout is not Payout.EVEN,
        "raises": rules.raises,
        "ace": rules.ace is not Ace.HIGH,
    }.get(key, False)


def settings_line(settings: Settings, tr: Words) -> str:
    """What the table agreed on, in one line."""
    parts = [
        tr("{chips} each", chips=tr.chips(settings.chips)),
        tr("{time} a turn", time=tr.time(settings.clock)),
    ]
    if settings.rebuys != 0:
        parts.append(tr("chips can be bought again"))
    if settings.rounds is not None:
        parts.append(tr.count("{n} round", "{n} rounds", settings.rounds))
    return " · ".join(parts)


def rule_card(rules: Rules, settings: Settings, tr: Words) -> str:
    """The whole card as an HTML text: how a hand goes, what this table plays, and what it costs."""
    _, changed = nearest(rules)
    lines = [
        (_CHANGED if key in changed else _POINT) + line(rules, tr)
        for key, line in LINES.items()
        if key in changed or _says_something(key, rules)
    ]
    return "\n".join(
        [
            f"<b>{headline(rules, tr)}</b>",
            "",
            tr("Two cards are dealt face up. You bet that the third one falls strictly between them."),
            *lines,
            "• " + tr("Suits don't matter. Most chips at the end wins."),
            *(["• " + tr("What is left in the pot at the end is shared.")] if rules.has_pot else []),
            "",
            cost_line(rules, tr),
            settings_line(settings, tr),
            "",
            tr("Example: 3♥ and 10♠ lie open, Ada bets 2. A 5♣ wins her 2; a 2, a king, a 3 or a 10 loses."),
        ]
    )


def _says_something(key: str, rules: Rules) -> bool:
    """Whether a switch that is as the preset has it is worth a line."""
    if key in ("half_opening", "ante", "ante_each_round"):
        return rules.has_pot and (key != "half_opening" or rules.half_opening)
    return {"raises": rules.raises, "decks": rules.decks > 1, "rotation": rules.has_dealer}.get(key, True)


def cost_line(rules: Rules, tr: Words) -> str:
    """What a hand costs or brings whoever plays best, from the exact odds; said as it is."""
    worth = value(rules)
    percent = percentage(abs(worth), tr)
    if worth >= 0:
        return tr("Played well, a hand brings the player {percent} of a bet on average.", percent=percent)
    if rules.blind:
        return tr("Every bet costs the player {percent} of it on average.", percent=percent)
    return tr("Betting one chip, a hand costs the player {percent} of it on average.", percent=percent)


def prices(tr: Words) -> list[str]:
    """What each game brings or costs a hand, a line for each."""
    worths = [(preset_name(name, tr), value(rules)) for name, rules in PRESETS.items()]
    return [
        tr("{game}: {sign}{percent}", game=game, sign="+" if worth >= 0 else "−", percent=percentage(abs(worth), tr))
        for game, worth in worths
    ]


def percentage(share: Fraction, tr: Words) -> str:
    """A share in percent with two decimals, written as the reader writes it."""
    whole, hundredths = divmod(round(share * 10_000), 100)
    padded = f"{hundredths:02}"
    return tr("{whole}.{hundredths} %", whole=whole, hundredths=padded)


# -- a line for each switch ------------------------------------------------------------------------


def _counterparty(rules: Rules, tr: Words) -> str:
    return {
        Counterparty.POT: tr("You play for the pot: it pays you and takes what you lose."),
        Counterparty.STAKE: tr("The dealer puts up a stake, and you play against it."),
        Counterparty.BANKER: tr("The dealer is the bank: he pays, and has no hand."),
        Counterparty.HOUSE: tr("You play against the house."),
    }[rules.counterparty]


def _bet_when(rules: Rules, tr: Words) -> str:
    return tr("You bet before you see a card.") if rules.blind else tr("You see your two cards before you bet.")


def _passing(rules: Rules, tr: Words) -> str:
    if rules.pass_cost is None:
        return tr("No passing.")
    if rules.pass_cost:
        return tr("Passing costs {chips}.", chips=tr.chips(rules.pass_cost))
    return tr("You may sit a hand out.") if rules.blind else tr("You may pass for nothing.")


def _max_bet(rules: Rules, tr: Words) -> str:
    if rules.max_bet is not None:
        return tr("The most bet is {chips}.", chips=tr.chips(rules.max_bet))
    return tr("The most bet is the pot.") if rules.has_pot else tr("The most bet is the stake.")


def _half_opening(rules: Rules, tr: Words) -> str:
    if rules.half_opening:
        return tr("Until everybody has had a turn, half the pot is the most.")
    return tr("The whole pot may be bet from the first turn on.")


def _post(rules: Rules, tr: Words) -> str:
    return tr.count("Hitting a post costs the bet.", "Hitting a post costs {n} times the bet.", rules.post_pays)


def _consecutive(rules: Rules, tr: Words) -> str:
    return {
        Consecutive.LOSE_MIN: tr("Nothing between: {chips} lost.", chips=tr.chips(rules.min_bet)),
        Consecutive.LOSE_BET: tr("Nothing between: the bet is lost."),
        Consecutive.PUSH: tr("Nothing between: nothing happens."),
        Consecutive.REDEAL: tr("Nothing between: dealt again."),
    }[rules.consecutive]


def _pair(rules: Rules, tr: Words) -> str:
    n = rules.pair.amount
    return {
        PairKind.WIN: tr("A pair wins {chips}.", chips=tr.chips(n)),
        PairKind.PUSH: tr("A pair: nothing happens."),
        PairKind.LOSE_BET: tr("A pair loses the bet."),
        PairKind.REDEAL: tr("A pair is dealt again."),
        PairKind.GUESS: tr("A pair: bet on higher or lower; a third equal card costs {n} times the bet.", n=n),
        PairKind.TRIPS: tr("A pair: a third equal card pays {n} to 1, any other gives the bet back.", n=n),
    }[rules.pair.kind]


def _payout(rules: Rules, tr: Words) -> str:
    if rules.payout is Payout.LADDER:
        return tr("1, 2 or 3 ranks between win 5, 4 or 2 times the bet, more win the bet.")
    return tr("Between: you win as much as you bet.")


def _ace(rules: Rules, tr: Words) -> str:
    return {
        Ace.HIGH: tr("Aces are high."),
        Ace.LOW: tr("Aces are low: ace and king are the widest."),
        Ace.FIRST: tr("If your first card is an ace, you call it high or low; other aces are high."),
    }[rules.ace]


def _raises(rules: Rules, tr: Words) -> str:
    return tr("After your two cards you may raise, up to your bet.") if rules.raises else tr("No raising.")


def _ante(rules: Rules, tr: Words) -> str:
    return tr("Ante: {chips} from everybody.", chips=tr.chips(rules.ante)) if rules.ante else tr("No ante.")


def _each_round(rules: Rules, tr: Words) -> str:
    return tr("An ante every round.") if rules.ante_each_round else tr("A new ante only when the pot is empty.")


def _shuffle(rules: Rules, tr: Words) -> str:
    return {
        Shuffle.ROUND: tr("Every dealer starts with a full deck."),
        Shuffle.EMPTY: tr("Used cards are shuffled in when the deck is used up."),
        Shuffle.TURN: tr("All cards are shuffled before every hand."),
    }[rules.shuffle]


def _rotation(rules: Rules, tr: Words) -> str:
    return {
        Rotation.ROUND: tr("The deal goes to the left after every round."),
        Rotation.POT: tr("The deal goes to the left when the pot is won."),
        Rotation.BROKE: tr("The deal goes to the left when the bank is empty."),
        Rotation.FIXED: tr("The dealer stays the same."),
    }[rules.rotation]


LINES: Mapping[str, Callable[[Rules, Words], str]] = {
    "counterparty": _counterparty,
    "bet_when": _bet_when,
    "pass_cost": _passing,
    "min_bet": lambda rules, tr: tr("The least bet is {chips}.", chips=tr.chips(rules.min_bet)),
    "max_bet": _max_bet,
    "half_opening": _half_opening,
    "payout": _payout,
    "post_pays": _post,
    "consecutive": _consecutive,
    "pair": _pair,
    "raises": _raises,
    "ace": _ace,
    "ante": _ante,
    "ante_each_round": _each_round,
    "decks": lambda rules, tr: tr.count("{n} deck of cards.", "{n} decks of cards.", rules.decks),
    "shuffle": _shuffle,
    "rotation": _rotation,
}
"""A line for every switch, in the order in which a player asks."""
