"""Jobs of many tasks, done together in one thread."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from tertulia_cli.serve._groups import Groups


class Doubling:
    """Double numbers, once it may; what is negative is an error of its own, and zero a bug."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.groups: list[list[int]] = []

    def __call__(self, jobs: Sequence[int]) -> Sequence[int | Exception]:
        """Do some jobs."""
        self.may.wait(30)
        self.groups.append(list(jobs))
        return [ValueError(job) if job < 0 else 100 // job * 0 + 2 * job for job in jobs]


async def done(doubling: Doubling, *jobs: int, most: int = 500) -> list[Any]:
    """Have jobs done whose first holds up the others."""
    groups: Groups[int, int] = Groups(doubling, name="doubling", most=most)
    tasks = [asyncio.create_task(groups.do(job)) for job in jobs]
    await asyncio.sleep(0)
    doubling.may.set()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    await groups.close()
    return ends


def test_what_waits_is_done_together_in_order() -> None:
    doubling = Doubling()

    ends = asyncio.run(done(doubling, 1, 2, 3, 4))

    assert ends == [2, 4, 6, 8]
    assert [job for group in doubling.groups for job in group] == [1, 2, 3, 4]
    assert len(doubling.groups) <= 2


def test_a_group_has_at_most_so_many_jobs() -> None:
    doubling = Doubling()

    asyncio.run(done(doubling, *range(1, 8), most=3))

    assert max(map(len, doubling.groups)) == 3


def test_each_task_sees_its_own_error() -> None:
    ends = asyncio.run(done(Doubling(), 1, -2, 3))

    assert ends[::2] == [2, 6]
    assert isinstance(ends[1], ValueError)


def test_a_bug_is_seen_by_every_task_of_its_group_and_the_thread_goes_on() -> None:
    doubling = Doubling()

    ends = asyncio.run(done(doubling, 0, 5, most=1))

    assert isinstance(ends[0], ZeroDivisionError)
    assert ends[1] == 10


def test_closing_does_what_is_queued_also_for_tasks_that_no_longer_wait() -> None:
    doubling = Doubling()

    async def leave_early() -> None:
        groups: Groups[int, int] = Groups(doubling, name="doubling", most=1)
        tasks = [asyncio.create_task(groups.do(job)) for job in (1, 2)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        doubling.may.set()
        await groups.close()
        with pytest.raises(asyncio.CancelledError):
            await tasks[1]

    asyncio.run(leave_early())

    assert doubling.groups == [[1], [2]]
