"""A post happens once for a key, whatever becomes of a send."""

import asyncio
import logging

import pytest

from tertulia.errors import Denied, Unavailable
from tertulia.testing.clock import Time
from tertulia.transport import Once

pytestmark = pytest.mark.anyio


class Desk:
    """Where things are posted. `outcomes` are what the next sends end in: "lands", "lost" or "dropped"."""

    def __init__(self, *outcomes: str) -> None:
        self.there: list[str] = []
        self.looks = 0
        self.sends = 0
        self.outcomes = list(outcomes)
        self.blind = 0

    async def look(self) -> str | None:
        self.looks += 1
        await asyncio.sleep(0)
        if self.blind:
            self.blind -= 1
            raise Unavailable("cannot look")
        return self.there[0] if self.there else None

    async def send(self) -> str:
        self.sends += 1
        outcome = self.outcomes.pop(0) if self.outcomes else "lands"
        if outcome != "dropped":
            self.there.append(f"post {self.sends}")
        await asyncio.sleep(0)
        if outcome != "lands":
            raise Unavailable("no answer", ambiguous=True)
        return self.there[-1]


@pytest.fixture
def once(time: Time) -> Once:
    """The promise."""
    return Once(logging.getLogger("tertulia.test"), sleep=time.sleep, clock=time.now)


async def post(once: Once, desk: Desk, key: str = "k") -> str:
    return await once.post(key, where="acme/demo#7", look=desk.look, send=desk.send)


async def test_what_is_there_is_not_sent_again(once: Once, time: Time) -> None:
    desk = Desk()

    assert [await post(once, desk), await post(once, desk)] == ["post 1", "post 1"]
    assert (desk.sends, time.slept) == (1, [])


async def test_many_at_a_time_send_once(once: Once) -> None:
    desk = Desk()

    assert set(await asyncio.gather(*(post(once, desk) for _ in range(5)))) == {"post 1"}
    assert desk.sends == 1


async def test_what_landed_without_an_answer_is_found(once: Once, time: Time) -> None:
    desk = Desk("lost")

    assert await post(once, desk) == "post 1"
    assert (desk.sends, time.slept) == (1, [1])


async def test_what_did_not_land_is_looked_for_three_times_and_not_sent_again(once: Once, time: Time) -> None:
    desk = Desk("dropped")

    with pytest.raises(Unavailable) as caught:
        await post(once, desk)

    assert caught.value.ambiguous
    assert (desk.sends, desk.looks, time.slept) == (1, 4, [1, 2, 6])


async def test_a_look_that_fails_after_a_send_is_no_answer(once: Once, time: Time) -> None:
    desk = Desk("lost")
    assert await desk.look() is None

    async def blind_send() -> str:
        desk.blind = 2
        return await desk.send()

    assert await once.post("k", where="x", look=desk.look, send=blind_send) == "post 1"
    assert time.slept == [1, 2, 6]


async def test_nothing_is_sent_where_nobody_could_look(once: Once) -> None:
    desk = Desk()
    desk.blind = 1

    with pytest.raises(Unavailable, match="cannot look"):
        await post(once, desk)

    assert desk.sends == 0


async def test_a_refusal_is_passed_on(once: Once, time: Time) -> None:
    async def refused() -> str:
        raise Denied("no")

    with pytest.raises(Denied):
        await once.post("k", where="x", look=Desk().look, send=refused)

    assert time.slept == []


async def cancelled(once: Once, desk: Desk) -> None:
    """Cancel a post while it is sent."""
    started = asyncio.Event()

    async def hanging() -> str:
        started.set()
        await asyncio.sleep(3600)
        return "never"

    task = asyncio.create_task(once.post("k", where="x", look=desk.look, send=hanging))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_cancelled_post_may_have_landed(once: Once, time: Time) -> None:
    desk = Desk()
    await cancelled(once, desk)

    assert await post(once, desk) == "post 1"
    assert time.slept == [1, 2, 6], "the next one does not overtake it"


async def test_a_cancelled_post_that_lands_late_is_found(once: Once, time: Time) -> None:
    desk = Desk()
    await cancelled(once, desk)
    desk.there.append("landed late")

    assert await post(once, desk) == "landed late"
    assert desk.sends == 0


async def test_what_was_cancelled_long_ago_is_not_waited_for(once: Once, time: Time) -> None:
    desk = Desk()
    await cancelled(once, desk)
    time.at += 5

    assert await post(once, desk) == "post 1"
    assert time.slept == [4]


async def test_nothing_is_sent_after_a_cancelled_post_where_nobody_could_look(once: Once) -> None:
    desk = Desk()
    await cancelled(once, desk)

    async def blind() -> str | None:
        desk.looks += 1
        if desk.looks > 2:
            raise Unavailable("cannot look")
        return None

    with pytest.raises(Unavailable, match="cannot look"):
        await once.post("k", where="x", look=blind, send=desk.send)

    assert desk.sends == 0
