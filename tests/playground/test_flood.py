"""The flood limits."""

from tests.playground.stage import Clock
from tgbot.playground.flood import Flood

GROUP, OTHER, PERSON = -4_000_000_001, -4_000_000_002, 5_000_000_001


def test_a_group_takes_twenty_a_minute(clock: Clock) -> None:
    flood = Flood(clock)
    for _ in range(20):
        assert flood.send(GROUP, group=True) == 0
        clock.now += 1
    assert flood.send(GROUP, group=True) == 40
    assert flood.send(OTHER, group=True) == 0
    clock.now += 39
    assert flood.send(GROUP, group=True) == 1
    clock.now += 1
    assert flood.send(GROUP, group=True) == 0
    assert flood.send(GROUP, group=True) == 1


def test_short_bursts_pass_and_then_one_a_second(clock: Clock) -> None:
    flood = Flood(clock)
    assert [flood.send(PERSON, group=False) for _ in range(5)] == [0] * 5
    assert flood.send(PERSON, group=False) == 5
    clock.now += 5
    assert flood.send(PERSON, group=False) == 0


def test_a_private_chat_has_no_limit_by_the_minute(clock: Clock) -> None:
    flood = Flood(clock)
    for _ in range(60):
        assert flood.send(PERSON, group=False) == 0
        clock.now += 1


def test_thirty_a_second_over_all_chats(clock: Clock) -> None:
    flood = Flood(clock)
    assert [flood.send(PERSON + n, group=False) for n in range(30)] == [0] * 30
    assert flood.send(PERSON + 99, group=False) == 1
    clock.now += 1
    assert flood.send(PERSON + 99, group=False) == 0


def test_a_webhook_once_a_second(clock: Clock) -> None:
    flood = Flood(clock)
    assert flood.webhook() == 0
    assert flood.webhook() == 1
    clock.now += 1
    assert flood.webhook() == 0


def test_off_means_no_limit(clock: Clock) -> None:
    flood = Flood(clock, on=False)
    assert [flood.send(GROUP, group=True) for _ in range(100)] == [0] * 100
    assert [flood.webhook() for _ in range(3)] == [0] * 3
