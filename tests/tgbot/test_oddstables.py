"""``inbetween odds``: what it prints is exact."""

import json
from fractions import Fraction

import pytest

from domain.presets import PRESETS
from tests.conftest import HANDS
from tgbot.__main__ import main
from tgbot.oddstables import as_text, table

ODDS = json.loads(HANDS.with_name("odds.json").read_text(encoding="utf-8"))


def test_the_document_equals_the_published_one_to_the_fraction(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {key: value for key, value in ODDS.items() if key in document}
    assert {*ODDS} - {*document} <= {"schema", "about"}
    assert [*document] == [key for key in ODDS if key in document]


def test_the_table_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--preset", "blind_bank"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "blind_bank, 1 deck: -44.78 % of a bet a hand"
    assert lines[3].split() == ["pair", "5.88", "%"]
    assert lines[4].split() == ["none", "14.48", "%"]
    assert lines[11].split() == ["7", *["6.03", "%", "56.00", "%", "12.00", "%", "32.00", "%", "12.00", "%"]]
    assert lines[-1] == "A bet pays from 7 ranks between on."


def test_a_double_post_pays_from_the_same_spread_on_and_the_fair_one_counts() -> None:
    """Rules 0.2: k = 7 is exactly fair where a post costs double."""
    odds = table("acey_deucey")
    assert odds.break_even == 7
    assert next(row.value for row in odds.rows if row.k == 7) == 0


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("decks", [None, 1, 2, 8])
def test_a_game_as_json(preset: str, decks: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["odds", "--json", "--preset", preset] + ([] if decks is None else ["--decks", str(decks)])
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["preset"], document["decks"]) == (preset, decks or 1)
    assert sum(Fraction(row["chance"]) for row in document["spread"]) == 1
    for row in document["spread"]:
        if row["k"]:
            assert Fraction(row["win"]) + Fraction(row["post"]) + Fraction(row["outside"]) == 1


def test_red_dog_tells_its_edge_with_every_number_of_decks() -> None:
    assert [*as_text(table("red_dog", 6))][-1] == (
        "house edge by decks: 1: 3.155 %, 2: 3.077 %, 4: 2.884 %, 6: 2.798 %, 8: 2.751 %"
    )


@pytest.mark.parametrize("wrong", [["--preset", "poker"], ["--decks", "0"], ["--decks", "9"], ["--decks", "½"]])
def test_what_there_is_not_is_refused_with_the_choices(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["odds", *wrong])
    assert left.value.code == 2
    assert "choose from" in capsys.readouterr().err or "½" in wrong
