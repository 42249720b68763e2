"""The rule card: what it says is what the switches do."""

from dataclasses import fields, replace

import pytest
from hypothesis import given

from domain.presets import HOME_POT, PRESETS, nearest
from domain.rules import Rules
from domain.settings import Settings
from tests.domain.strategies import legal_rules
from tests.tgbot.drawing import parsed, read
from tgbot.menu import SWITCHES, switch_label
from tgbot.rulecard import LINES, headline, preset_name, rule_card, settings_line, short_rules
from tgbot.words import LANGUAGES, words

EN, PL = words("en"), words("pl")


def test_the_card_of_the_home_pot() -> None:
    assert (
        read(rule_card(HOME_POT, Settings(), EN))
        == """\
In-Between · Home pot

Two cards are dealt face up. You bet that the third one falls strictly between them.
• You play for the pot: it pays you and takes what you lose.
• You see your two cards before you bet.
• No passing.
• The least bet is 1 chip.
• The most bet is the pot.
• Between: you win as much as you bet.
• Hitting a post costs the bet.
• Nothing between: 1 chip lost.
• A pair wins 2 chips.
• Aces are high.
• Ante: 1 chip from everybody.
• A new ante only when the pot is empty.
• Every dealer starts with a full deck.
• The deal goes to the left after every round.
• Suits don't matter. Most chips at the end wins.
• What is left in the pot at the end is shared.

Betting one chip, a hand costs the player 27.14 % of it on average.
50 chips each · 60 seconds a turn

Example: 3♥ and 10♠ lie open, Ada bets 2. A 5♣ wins her 2; a 2, a king, a 3 or a 10 loses."""
    )


def test_the_card_of_the_blind_bank_in_polish() -> None:
    rules = PRESETS["blind_bank"]
    assert (
        read(rule_card(rules, Settings().fitted(rules), PL))
        == """\
In-Between · Bank w ciemno

Dwie karty leżą odkryte. Obstawiasz, że trzecia wypadnie ściśle pomiędzy nimi.
• Rozdający jest bankierem: płaci i sam nie gra.
• Stawiasz, zanim zobaczysz karty.
• Możesz opuścić rozdanie.
• Najmniejsza stawka to 1 żeton.
• Największa stawka to 10 żetonów.
• Pomiędzy: wygrywasz tyle, ile stawiasz.
• Trafienie w słupek kosztuje stawkę.
• Karty sąsiednie: tracisz stawkę.
• Para: tracisz stawkę.
• As jest najwyższy.
• Zużyte karty wracają do talii, gdy się skończy.
• Po każdej rundzie rozdaje osoba po lewej.
• Kolory nie mają znaczenia. Wygrywa, kto na końcu ma najwięcej żetonów.

Każda stawka kosztuje gracza średnio 44,78 % jej wysokości.
100 żetonów na osobę · 60 sekund na ruch

Przykład: leżą 3♥ i 10♠, Ada stawia 2. Przy 5♣ wygrywa 2; dwójka, król, trójka albo dziesiątka przegrywa."""
    )


# -- it cannot lie -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@given(rules=legal_rules())
def test_the_card_names_and_marks_each_switch_that_differs_from_the_preset(rules: Rules, language: str) -> None:
    """And marks no other."""
    tr = words(language)
    name, changed = nearest(rules)
    preset = PRESETS[name]
    assert changed == {switch for switch in SWITCHES if getattr(rules, switch) != getattr(preset, switch)}
    for card in (rule_card(rules, Settings(), tr), "\n".join(short_rules(rules, tr))):
        lines = read(card).split("\n")
        assert {line for line in lines if line.startswith("✎ ")} == {f"✎ {LINES[key](rules, tr)}" for key in changed}
        assert read(card).count("✎") == len(changed)
    assert (", changed" in headline(rules, EN)) is bool(changed)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("switch", SWITCHES)
def test_every_value_of_a_switch_has_a_line_of_its_own(switch: str, language: str) -> None:
    """Two values that read the same would hide a change."""
    said = [LINES[switch](replace(HOME_POT, **{switch: value}), words(language)) for value in SWITCHES[switch]]
    assert len(set(said)) == len(said)
    labels = [switch_label(replace(HOME_POT, **{switch: value}), switch, words(language)) for value in SWITCHES[switch]]
    assert len(set(labels)) == len(labels)


def test_every_switch_has_its_line() -> None:
    assert LINES.keys() == SWITCHES.keys() == {field.name for field in fields(Rules)}


@pytest.mark.parametrize(
    ("preset", "english", "polish"),
    [
        ("home_pot", "costs the player 27.14 % of it", "kosztuje gracza średnio 27,14 % żetonu"),
        ("bank", "brings the player 6.03 % of a bet", "daje graczowi średnio 6,03 % stawki"),
        ("blind_bank", "costs the player 44.78 % of it", "kosztuje gracza średnio 44,78 % jej wysokości"),
        ("soft_blind_bank", "costs the player 24.42 % of it", "kosztuje gracza średnio 24,42 % jej wysokości"),
        ("red_dog", "costs the player 3.16 % of it", "kosztuje gracza średnio 3,16 % jej wysokości"),
    ],
)
def test_a_card_says_what_the_game_costs(preset: str, english: str, polish: str) -> None:
    """Rules 0.3: the blind variation is said as it is; the figures are those of the exact odds."""
    for text, tr in ((english, EN), (polish, PL)):
        assert text in read(rule_card(PRESETS[preset], Settings(), tr))


def test_the_lobby_tells_what_would_surprise_a_player() -> None:
    assert "• Every bet costs the player 44.78 % of it on average." in short_rules(PRESETS["blind_bank"], EN)
    assert "• Until everybody has had a turn, half the pot is the most." in short_rules(PRESETS["acey_deucey"], EN)
    assert "• Aces are low: ace and king are the widest." in short_rules(PRESETS["dragon_gate"], EN)
    assert "• The most bet is 10 chips." in short_rules(PRESETS["bank"], EN)
    assert "• After your two cards you may raise, up to your bet." in short_rules(PRESETS["red_dog"], EN)
    assert len(short_rules(HOME_POT, EN)) == 5


# -- the agreements ------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_has_its_name(language: str) -> None:
    names = [preset_name(name, words(language)) for name in PRESETS]
    assert len(set(names)) == len(PRESETS)
    assert headline(HOME_POT, PL) == "In-Between · Pula domowa"
    assert headline(replace(HOME_POT, ante=2), EN) == "In-Between · Home pot, changed"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_card_is_a_message_of_one_screen(preset: str, language: str) -> None:
    html = rule_card(PRESETS[preset], Settings(rebuys=None, rounds=10), words(language))
    assert len(parsed(html).text) < 1300
    assert [entity["type"] for entity in parsed(html).entities] == ["bold"]
    assert len(short_rules(PRESETS[preset], words(language))) <= 11
