"""The rule card: what it says is what the switches do."""

from dataclasses import replace

import pytest

from domain.presets import HOME_POT, PRESETS
from domain.rules import Consecutive, Pair, PairKind, Rules
from domain.settings import Settings
from tests.tgbot.drawing import parsed, read
from tgbot.rulecard import headline, preset_name, rule_card, settings_line, short_rules
from tgbot.words import LANGUAGES, words

EN, PL = words("en"), words("pl")
POTS = ("home_pot", "home_pot_three", "friendly_pot")
"""The presets that a group can play."""


def test_the_card_of_the_home_pot() -> None:
    assert (
        read(rule_card(HOME_POT, Settings(), EN))
        == """\
In-Between · Home pot

Two cards are dealt face up. You bet that the third one falls strictly between them.
Between: you win your bet from the pot. Not between: your bet goes into the pot.
Aces are high, twos are low, suits don't matter.

• A pair wins 2 chips.
• Hitting a post costs the bet.
• Nothing between: 1 chip lost.
• No passing: bet from 1 to the pot.
• An empty pot is filled again: 1 chip from everybody.
• The dealer plays last; then the deal goes to the left.
• Most chips at the end wins; what is left in the pot is shared.

50 chips each · 60 seconds a turn

Example: 3♥ and 10♠ lie open, Ada bets 2. A 5♣ wins her 2; a 2, a king, a 3 or a 10 costs her 2."""
    )


def test_the_card_of_the_home_pot_in_polish() -> None:
    assert (
        read(rule_card(HOME_POT, Settings(), PL))
        == """\
In-Between · Pula domowa

Dwie karty leżą odkryte. Obstawiasz, że trzecia wypadnie ściśle pomiędzy nimi.
Pomiędzy: wygrywasz z puli tyle, ile stawiasz. Nie pomiędzy: twoja stawka idzie do puli.
As jest najwyższy, dwójka najniższa, kolory nie mają znaczenia.

• Para: wygrywasz 2 żetony.
• Trafienie w słupek kosztuje stawkę.
• Karty sąsiednie: tracisz 1 żeton.
• Bez pasowania: od 1 do całej puli.
• Pusta pula napełnia się znowu: każdy wnosi 1 żeton.
• Rozdający gra ostatni, potem rozdaje osoba po jego lewej.
• Wygrywa, kto na końcu ma najwięcej żetonów; resztę puli dzieli się po równo.

50 żetonów na osobę · 60 sekund na ruch

Przykład: leżą 3♥ i 10♠, Ada stawia 2. Przy 5♣ wygrywa 2; dwójka, król, trójka albo dziesiątka kosztują ją 2."""
    )


@pytest.mark.parametrize(
    ("change", "english", "polish"),
    [
        ({"pair": Pair(PairKind.WIN, 3)}, "A pair wins 3 chips.", "Para: wygrywasz 3 żetony."),
        ({"pair": Pair(PairKind.PUSH)}, "A pair: nothing happens.", "Para: nic się nie dzieje."),
        ({"pair": Pair(PairKind.REDEAL)}, "A pair is dealt again.", "Para: nowe rozdanie."),
        ({"post_pays": 2}, "Hitting a post costs 2 times the bet.", "Trafienie w słupek kosztuje 2 stawki."),
        (
            {"consecutive": Consecutive.REDEAL},
            "Nothing between: dealt again.",
            "Karty sąsiednie: nowe rozdanie.",
        ),
        (
            {"consecutive": Consecutive.PUSH},
            "Nothing between: nothing happens.",
            "Karty sąsiednie: nic się nie dzieje.",
        ),
        ({"min_bet": 2}, "Nothing between: 2 chips lost.", "Karty sąsiednie: tracisz 2 żetony."),
        (
            {"pass_cost": 0},
            "You may pass; a bet is at most the pot.",
            "Można spasować; stawka najwyżej w wysokości puli.",
        ),
        (
            {"pass_cost": 1},
            "Passing costs 1 chip; a bet is at most the pot.",
            "Pas kosztuje 1 żeton; stawka najwyżej w wysokości puli.",
        ),
        (
            {"ante": 2},
            "An empty pot is filled again: 2 chips from everybody.",
            "Pusta pula napełnia się znowu: każdy wnosi 2 żetony.",
        ),
    ],
)
def test_each_option_changes_its_line(change: dict[str, object], english: str, polish: str) -> None:
    rules = replace(HOME_POT, **change)  # type: ignore[arg-type]
    for text, tr in ((english, EN), (polish, PL)):
        assert text not in read(rule_card(HOME_POT, Settings(), tr))
        assert f"• {text}" in read(rule_card(rules, Settings(), tr)).split("\n")


@pytest.mark.parametrize(
    ("settings", "english", "polish"),
    [
        (Settings(), "50 chips each · 60 seconds a turn", "50 żetonów na osobę · 60 sekund na ruch"),
        (
            Settings(chips=2, clock=300, rebuys=None, rounds=3),
            "2 chips each · 5 minutes a turn · chips can be bought again · 3 rounds",
            "2 żetony na osobę · 5 minut na ruch · można dokupić żetony · 3 rundy",
        ),
        (
            Settings(rebuys=1, rounds=1, clock=86_400),
            "50 chips each · 24 hours a turn · chips can be bought again · 1 round",
            "50 żetonów na osobę · 24 godziny na ruch · można dokupić żetony · 1 runda",
        ),
    ],
)
def test_what_the_table_agreed_on(settings: Settings, english: str, polish: str) -> None:
    assert settings_line(settings, EN) == english
    assert settings_line(settings, PL) == polish


def test_games_are_called_by_their_names_and_mixtures_are_house_rules() -> None:
    assert [preset_name(PRESETS[name], EN) for name in POTS] == ["Home pot", "Home pot with three", "Friendly pot"]
    assert preset_name(Rules(ante=2), EN) == "House rules"
    assert headline(HOME_POT, PL) == "In-Between · Pula domowa"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", POTS)
def test_a_card_is_a_message_of_one_screen(preset: str, language: str) -> None:
    html = rule_card(PRESETS[preset], Settings(rebuys=None, rounds=10), words(language))
    assert len(parsed(html).text) < 1000
    assert [entity["type"] for entity in parsed(html).entities] == ["bold"]
    assert len(short_rules(PRESETS[preset], words(language))) == 4
