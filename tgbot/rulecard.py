"""The rule card: what a player must know, made from the switches, so that it can never lie."""

from domain.presets import PRESETS
from domain.rules import Consecutive, PairKind, Rules
from domain.settings import Settings
from tgbot.words import Words


def preset_name(rules: Rules, tr: Words) -> str:
    """The name of the preset with these switches, or the nearest word for a mixture."""
    names = {
        "home_pot": tr("Home pot"),
        "home_pot_three": tr("Home pot with three"),
        "friendly_pot": tr("Friendly pot"),
    }
    name = next((name for name, preset in PRESETS.items() if preset == rules), "")
    return names.get(name, tr("House rules"))


def headline(rules: Rules, tr: Words) -> str:
    """The game and the one rule that people ask about first."""
    return tr("In-Between · {preset}", preset=preset_name(rules, tr))


def short_rules(rules: Rules, tr: Words) -> list[str]:
    """The rules in a few short lines."""
    return [_pair(rules, tr), _post(rules, tr), _consecutive(rules, tr), _passing(rules, tr)]


def _pair(rules: Rules, tr: Words) -> str:
    match rules.pair.kind:
        case PairKind.WIN:
            return tr("A pair wins {chips}.", chips=tr.chips(rules.pair.amount))
        case PairKind.REDEAL:
            return tr("A pair is dealt again.")
        case _:
            return tr("A pair: nothing happens.")


def _post(rules: Rules, tr: Words) -> str:
    return tr.count("Hitting a post costs the bet.", "Hitting a post costs {n} times the bet.", rules.post_pays)


def _consecutive(rules: Rules, tr: Words) -> str:
    match rules.consecutive:
        case Consecutive.LOSE_MIN:
            return tr("Nothing between: {chips} lost.", chips=tr.chips(rules.min_bet))
        case Consecutive.REDEAL:
            return tr("Nothing between: dealt again.")
        case _:
            return tr("Nothing between: nothing happens.")


def _passing(rules: Rules, tr: Words) -> str:
    if rules.pass_cost is None:
        return tr("No passing: bet from {n} to the pot.", n=rules.min_bet)
    if rules.pass_cost == 0:
        return tr("You may pass; a bet is at most the pot.")
    return tr("Passing costs {chips}; a bet is at most the pot.", chips=tr.chips(rules.pass_cost))


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
    """The whole card as an HTML text: how a hand goes, what this table plays, and how a game ends."""
    lines = [
        f"<b>{headline(rules, tr)}</b>",
        "",
        tr("Two cards are dealt face up. You bet that the third one falls strictly between them."),
        tr("Between: you win your bet from the pot. Not between: your bet goes into the pot."),
        tr("Aces are high, twos are low, suits don't matter."),
        "",
        *(f"• {line}" for line in short_rules(rules, tr)),
        "• " + tr("An empty pot is filled again: {chips} from everybody.", chips=tr.chips(rules.ante)),
        "• " + tr("The dealer plays last; then the deal goes to the left."),
        "• " + tr("Most chips at the end wins; what is left in the pot is shared."),
        "",
        settings_line(settings, tr),
        "",
        tr("Example: 3♥ and 10♠ lie open, Ada bets 2. A 5♣ wins her 2; a 2, a king, a 3 or a 10 costs her 2."),
    ]
    return "\n".join(lines)
