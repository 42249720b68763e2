"""Words in the reader's language: plurals, lengths of time, and whom to speak which language to."""

import pytest

from tgbot.words import LANGUAGES, SOURCE, closest, words


@pytest.mark.parametrize(
    ("n", "polish", "english"),
    [
        (0, "0 żetonów", "0 chips"),
        (1, "1 żeton", "1 chip"),
        *((n, f"{n} żetony", f"{n} chips") for n in (2, 3, 4)),
        *((n, f"{n} żetonów", f"{n} chips") for n in range(5, 22)),
        *((n, f"{n} żetony", f"{n} chips") for n in (22, 23, 24)),
        *((n, f"{n} żetonów", f"{n} chips") for n in (25, 30, 31, 100, 101, 111, 112, 113, 114, 115, 121)),
        *((n, f"{n} żetony", f"{n} chips") for n in (102, 122, 1002, 1_000_000_000_000_000_002)),
        (1_000_000, "1000000 żetonów", "1000000 chips"),
    ],
)
def test_chips_are_counted_as_people_count_them(n: int, polish: str, english: str) -> None:
    assert words("pl").chips(n) == polish
    assert words("en").chips(n) == english


@pytest.mark.parametrize(
    ("seconds", "polish", "english"),
    [
        (0, "0 sekund", "0 seconds"),
        (1, "1 sekunda", "1 second"),
        (22, "22 sekundy", "22 seconds"),
        (60, "60 sekund", "60 seconds"),
        (119, "119 sekund", "119 seconds"),
        (120, "2 minuty", "2 minutes"),
        (150, "2 minuty", "2 minutes"),
        (300, "5 minut", "5 minutes"),
        (7_199, "120 minut", "120 minutes"),
        (7_200, "2 godziny", "2 hours"),
        (86_400, "24 godziny", "24 hours"),
    ],
)
def test_time_is_told_in_its_largest_whole_unit(seconds: int, polish: str, english: str) -> None:
    assert words("pl").time(seconds) == polish
    assert words("en").time(seconds) == english


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("pl", "pl"),
        ("pl-PL", "pl"),
        ("PL", "pl"),
        ("en", "en"),
        ("en-GB", "en"),
        ("de", "en"),
        ("zh-hans", "en"),
        ("plt", "en"),
        ("", "en"),
        ("-", "en"),
        ("../../etc", "en"),
        (None, "en"),
    ],
)
def test_somebody_is_spoken_to_in_the_closest_language(code: str | None, language: str) -> None:
    assert closest(code) == language


@pytest.mark.parametrize("language", ["", "de", "../pl", "PL"])
def test_a_language_that_nobody_speaks_is_english(language: str) -> None:
    assert words(language)("Join") == "Join"
    assert words(language).language == SOURCE


def test_every_language_of_the_folder_is_spoken_and_english_is_the_first() -> None:
    assert LANGUAGES == ("en", "pl")
    assert [words(language).language for language in LANGUAGES] == [*LANGUAGES]


def test_what_stands_in_the_braces_is_text_and_never_a_pattern() -> None:
    hostile = "{n} {0.__class__} %s"
    assert words("pl")("{name} deals.", name=hostile) == f"Rozdaje {hostile}."
    assert words("en")("{name} deals.", name=hostile) == f"{hostile} deals."
