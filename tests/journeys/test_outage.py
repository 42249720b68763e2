"""Telegram is away for a while: the log says so in two lines, and nothing of the game is lost."""

import asyncio
import logging

import pytest

from tests.journeys.evening import Evening

_ENOUGH = 12
"""Failed calls, of every kind that a tap leads to."""


@pytest.mark.parametrize("kind", ["bad_gateway", "drop"])
async def test_a_line_when_it_goes_and_a_line_when_it_is_back(evening: Evening, kind: str) -> None:
    """502 with a page of HTML, or no answer at all: no traceback at any attempt, from us or from a library."""
    await evening.hand()
    told, before, board, move = len(evening.log(logging.INFO)), evening.now, evening.board, evening.table.move
    for method in ("*", "getUpdates"):
        await evening.trouble(kind, method=method, times=1000)
    button, room = board.buttons[0], evening.room
    await room.actor.does("tap", settle=False, chat=room.chat, message=button.message, data=button.data)

    def failed() -> list[str]:
        made = [entry for entry in evening.telegram.exchanges if entry["n"] > before]
        return [entry["method"] for entry in made if entry["status"] in (0, 502)]

    while len(failed()) < _ENOUGH:
        evening.clock.move(3)  # whoever waits before he tries again has waited
        await asyncio.sleep(0.01)
    assert {"getUpdates", "answerCallbackQuery", "editMessageText"} <= {*failed()}
    await evening.client.post("/faults/clear")
    await evening.settled()
    away, back = evening.log(logging.INFO)[told:]
    assert "WARNING tgbot.request: Telegram cannot be reached, and is asked until it can" in away
    assert "WARNING tgbot.request: Telegram answers again" in back
    assert "\n" not in away + back
    assert evening.table.move == move + 1
    assert evening.board.text != board.text
