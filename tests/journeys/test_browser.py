"""The demo, as whoever tries it sees it: four phones on one page, and a game from the first tap to the winner.

The pictures of every phase are kept in the test's own folder; with ``SAVE_PICTURES=1`` those that the README shows
are written to docs/pictures.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from playwright.async_api import Browser, Page, async_playwright

from tests.journeys.process import ROOT

PICTURES = ROOT / "docs" / "pictures"
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PATIENCE = 30.0
"""Seconds until something shows; the bot writes into a group at most 20 times a minute."""
WIDE = 8
"""Ranks between the posts from which these people bet the pot."""
OUTCOMES = {
    "en": r"^You bet \d+ and (won|lost) \d+ chips?\.$",
    "pl": r"^Stawiasz \d+ i (wygrywasz|tracisz) \d+ żeton(y|ów)?\.$",
}
"""What a bet is answered, in the language of whoever placed it, whatever the group's is."""


class Board(NamedTuple):
    """The newest message of a game on somebody's screen."""

    text: str
    buttons: dict[str, str]
    """What a tap sends, and what stands on the button."""

    def find(self, word: str) -> list[str]:
        """The buttons with this meaning."""
        return [data for data in self.buttons if data.startswith(f"{word}:")]


class Phone:
    """One person's phone on the page."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.screen = page.locator(f'section.phone[data-name="{name}"]')

    async def taps(self, data: str) -> None:
        """Tap the newest button that sends this, or something that begins so if only its meaning is given."""
        same = "^" if data.endswith(":") else ""
        await self.screen.locator(f'button[data-data{same}="{data}"]').last.click(timeout=PATIENCE * 1_000)

    async def writes(self, text: str) -> None:
        """Type something and send it."""
        field = self.screen.locator(".composer textarea")
        await field.fill(text)
        await field.press("Enter")

    async def board(self) -> Board | None:
        """The newest message with buttons of a game."""
        messages = await self.screen.locator("[data-message]").evaluate_all(
            """all => all.map(message => [
                message.querySelector(".text")?.textContent ?? "",
                [...message.querySelectorAll("button[data-data]")].map(key => [key.dataset.data, key.textContent]),
            ])"""
        )
        games = [(text, keys) for text, keys in messages if keys and all(is_of_game(data) for data, _ in keys)]
        if not games:
            return None
        text, keys = games[-1]
        return Board(re.sub("[\u2066-\u2069]", "", text).replace("\u00a0", " "), dict(keys))

    async def sees(self, pattern: str) -> Board:
        """The board, once it reads so."""
        return await self.sees_change(None, pattern)

    async def sees_change(self, former: Board | None, pattern: str = "") -> Board:
        """The board, once it has other buttons (its countdown alone is no news) and reads so."""
        board, old = None, former.buttons if former else {}
        try:
            async with asyncio.timeout(PATIENCE):
                while (
                    (board := await self.board()) is None or board.buttons == old or not re.search(pattern, board.text)
                ):
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"{self.name} does not see {pattern!r} but {board}") from None
        return board

    async def is_told(self, pattern: str) -> None:
        """Wait for what the bot tells this person alone; it does not stay for long."""
        told = ""
        try:
            async with asyncio.timeout(PATIENCE):
                while not re.search(pattern, told):
                    told = "\n".join(await self.screen.locator(".toast").all_inner_texts()) or told
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"{self.name} is not told {pattern!r} but {told!r}") from None


def is_of_game(data: str) -> bool:
    """Whether a board has this button: the greeting, /end and /language have others."""
    word, table, *_ = data.split(":")
    return word not in ("now", "lang", "kick") and table != "0"


def asked(board: Board, question: str) -> str:
    """Whose name stands before the question."""
    found = re.search(rf"^(\w+), {question}", board.text, re.MULTILINE)
    assert found, board.text
    return found[1]


# -- what the tests stand on -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo() -> Iterator[str]:
    """The address of a running demo."""
    command = [sys.executable, "-m", "tgbot", "demo", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        found = next(filter(None, (re.search(r"Play here: (\S+)", line) for line in process.stdout)), None)
        if found is None:
            pytest.fail(f"the demo does not start:\n{process.stderr.read()}")
        yield found[1]
        process.terminate()
        assert process.wait(10) == 0
        assert process.stderr.read() == ""


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Headless Chromium."""
    async with async_playwright() as playwright:
        names = ("chromium", "chromium-browser", "google-chrome", playwright.chromium.executable_path)
        found = next(filter(None, map(shutil.which, names)), None)
        if found is None:
            missing = "no Chromium is installed: apt install chromium, or: playwright install chromium"
            pytest.fail(missing) if "CI" in os.environ else pytest.skip(missing)
        chromium = await playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield chromium
        await chromium.close()


class Camera:
    """Takes pictures of a page."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.folder = folder
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)

    async def takes(self, name: str, published: str = "") -> None:
        """A picture of a phase; ``published`` is its name in the README."""
        await self.page.screenshot(path=self.folder / f"{name}.png", animations="disabled")
        if published and os.environ.get("SAVE_PICTURES") == "1":
            PICTURES.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.folder / f"{name}.png", PICTURES / published)


async def open_page(browser: Browser, url: str, width: int, height: int, folder: Path) -> Camera:
    page = await browser.new_page(viewport={"width": width, "height": height}, locale="en-GB", color_scheme="light")
    camera = Camera(page, folder)
    await page.goto(url)
    return camera


# -- the tests -------------------------------------------------------------------------------------


async def test_four_people_play_a_whole_game_by_tapping(demo: str, browser: Browser, tmp_path: Path) -> None:
    """Open a table, join, start, cut, bet, stop: nothing but taps, and /end once."""
    camera = await open_page(browser, demo, 1500, 900, tmp_path)
    ada, *guests = phones = [Phone(camera.page, name) for name in ("Ada", "Bo", "Cem", "Ola")]
    by_name = {phone.name: phone for phone in phones}

    await ada.taps("new:")
    await ada.sees("At the table")
    for guest in guests:
        await guest.taps("join:")
    board = await ada.sees("Ola")
    await camera.takes("lobby")
    await guests[0].taps("start:")
    await guests[0].is_told("host")
    await ada.taps("start:")

    board, rounds, bets = await ada.sees_change(board, "cut the deck"), 0, 0
    await camera.takes("cut")
    while rounds < 2 or bets < 5:
        if cuts := board.find("cut"):
            rounds += 1
            await by_name[asked(board, "cut the deck")].taps(cuts[2])
        else:
            player = by_name[asked(board, "your turn")]
            await player.taps(board.find("bet")[-1 if between(board) >= WIDE else 0])
            await player.is_told(OUTCOMES["pl" if player.name == "Ola" else "en"])
            bets += 1
        board = await ada.sees_change(board, "cut the deck|your turn")
        if bets < 4 and board.find("bet"):
            boards = await ada.screen.locator('[data-message]:has(button[data-data^="bet:"])').count()
            await camera.takes("decide", "table.png" if boards == 1 else "")
    await ada.writes("/end")
    if board.find("bet"):  # between two rounds the game has ended at once
        await ada.taps("now:")

    for phone in phones:
        over = await phone.sees(r"🏆 .+ (wins with \d+ chips?!|win with \d+ chips? each!)")
        assert over.find("new")
    await camera.takes("end")
    assert camera.faults == []


async def test_a_polish_group_on_a_phone(demo: str, browser: Browser, tmp_path: Path) -> None:
    """On a narrow screen the page is one phone; a group that a Polish person founds plays in Polish."""
    async with httpx.AsyncClient(base_url=demo) as client:
        names = ("Kasia", "Marek", "Zosia")
        people = [
            (await client.post("people", json={"first_name": name, "language_code": "pl"})).json()["id"]
            for name in names
        ]
        group = {"title": "Piątkowy wieczór", "members": people[1:]}
        await client.post(f"people/{people[0]}/groups", json=group)
    camera = await open_page(browser, demo, 390, 844, tmp_path)
    kasia, marek, zosia = phones = [Phone(camera.page, name) for name in names]
    by_name = {phone.name: phone for phone in phones}

    await kasia.taps("new:")
    await kasia.sees("Przy stole")
    await marek.taps("join:")
    await zosia.taps("join:")
    await kasia.sees("Zosia")
    await camera.takes("lobby")
    await kasia.taps("start:")
    board = await kasia.sees("przełóż")
    await by_name[asked(board, "przełóż")].taps(board.find("cut")[2])
    board = await kasia.sees("twoja kolej")
    player = by_name[asked(board, "twoja kolej")]
    await player.screen.scroll_into_view_if_needed()
    await player.sees("twoja kolej")
    assert await camera.page.evaluate("document.documentElement.scrollWidth") == 390
    await camera.takes("decide", "phone-pl.png")
    await player.taps(board.find("bet")[0])
    await player.is_told(OUTCOMES["pl"])
    assert camera.faults == []


def between(board: Board) -> int:
    found = re.search(r"(\d+) ranks? between", board.text)
    return int(found[1]) if found else 0
