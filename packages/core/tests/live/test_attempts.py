"""What becomes of a writer that others are faster than."""

import logging

import pytest

from tertulia.errors import Conflict, Unavailable
from tertulia.ledger._attempts import until_saved
from tertulia.testing.clock import Time

pytestmark = pytest.mark.anyio


class Contested:
    """Be a state that somebody else writes first, a number of times."""

    def __init__(self, conflicts: int) -> None:
        self.left = conflicts
        self.attempts = 0

    async def write(self) -> str:
        self.attempts += 1
        if self.left:
            self.left -= 1
            raise Conflict("somebody else was faster")
        return "written"


async def test_who_is_first_does_not_wait() -> None:
    time = Time()

    assert await until_saved("t", Contested(0).write, time.sleep) == "written"
    assert time.slept == []


async def test_who_was_overtaken_waits_longer_each_time(caplog: pytest.LogCaptureFixture) -> None:
    time = Time()

    with caplog.at_level(logging.INFO, "tertulia.ledger"):
        assert await until_saved("t", Contested(4).write, time.sleep) == "written"

    for pause, longest in zip(time.slept, (0.1, 0.2, 0.4, 0.8), strict=True):
        assert longest / 2 <= pause <= longest
    assert caplog.messages == ["the state of t was written by somebody else: reading it again"] * 4


async def test_two_that_were_overtaken_together_do_not_meet_again() -> None:
    pauses = set()
    for _ in range(8):
        time = Time()
        await until_saved("t", Contested(1).write, time.sleep)
        pauses |= {*time.slept}

    assert len(pauses) > 1


async def test_eight_attempts_in_vain_are_enough() -> None:
    contested, time = Contested(8), Time()

    told = "^state: t is written by others all the time; 8 attempts were in vain$"
    with pytest.raises(Conflict, match=told):
        await until_saved("t", contested.write, time.sleep)
    assert (contested.attempts, len(time.slept)) == (8, 7)


async def test_another_failure_is_no_reason_to_try_again() -> None:
    time = Time()

    async def fail() -> None:
        raise Unavailable("down")

    with pytest.raises(Unavailable):
        await until_saved("t", fail, time.sleep)
    assert time.slept == []
