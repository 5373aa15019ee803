"""How one client's requests wait: for a place, for a limit, and before they are made again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from tertulia.errors import Denied, Error, NotFound, RateLimited, Unavailable, from_status
from tertulia.transport._waiting import TRIES, Budget, Clock, backoff

__all__ = ["CAUTION", "READS", "Failure", "Traffic"]

T = TypeVar("T")

READS = 6
"""Reads in flight per client."""

CAUTION = 300.0
"""Seconds for which a client reads one thing at a time after a secondary limit."""

_LEAST_SLEEP = 0.001
"""Seconds that bring every clock forward: what is left of a wait may be less than its numbers can tell apart."""

_LONG_AGO = float("-inf")


@dataclass(frozen=True, slots=True)
class Failure:
    """Hold an attempt that gave no answer to the question, with what the server said about it."""

    error: Error
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class _Tries:
    """Count what happened to one call; `uncertain` once it may have had its effect."""

    budget: Budget
    scope: str = ""
    failures: int = 0
    limits: int = 0
    renewed: bool = False
    uncertain: bool = False


class Traffic:
    """Make a client's calls: six reads and one write at a time, and each within the sleeping it is allowed.

    After a secondary limit one read at a time, for a while. Any number of tasks may call at the same time.
    """

    def __init__(self, *, backend: str, max_wait: float, renewable: bool = False, clock: Clock) -> None:
        """Allow a call `max_wait` seconds of sleep. `renewable` says that refused credentials may be others by now."""
        self._backend, self._max_wait, self._renewable, self._clock = backend, max_wait, renewable, clock
        self._reading, self._single, self._writing = asyncio.Semaphore(READS), asyncio.Lock(), asyncio.Lock()
        self._limits: dict[str, tuple[float, RateLimited]] = {}
        self._cautious_until = clock.now()

    def budget(self) -> Budget:
        """Give the sleeping that one call is allowed, for all its requests together."""
        return Budget(self._max_wait, self._clock)

    async def make(
        self,
        attempt: Callable[[], Awaitable[T | Failure]],
        *,
        operation: str,
        budget: Budget,
        scope: str = "",
        write: bool = False,
        repeatable: bool = True,
        absent: Callable[[Failure], T] | None = None,
    ) -> T:
        """Make a request until it has an answer, and raise the error of its failure when there will be none.

        What may succeed later is tried again, at most three times; a limit is waited for; refused credentials are asked
        for once more where they can be renewed. What may have landed is not made again unless it is `repeatable`.
        `absent` makes the answer when what had to go away is not found after an attempt that may have removed it. `scope`
        names what the backend limits apart from the rest: a limit holds within its scope only.
        """
        tries = _Tries(budget, scope)
        while True:
            async with self._turn(operation, tries, write):
                outcome = await attempt()
            if not isinstance(outcome, Failure):
                return outcome
            if absent is not None and tries.uncertain and isinstance(outcome.error, NotFound):
                return absent(outcome)
            await self._recover(outcome, tries, repeatable)

    async def _recover(self, failure: Failure, tries: _Tries, repeatable: bool) -> None:
        """Come back when the request may be made again, else raise."""
        error = failure.error
        if isinstance(error, RateLimited):
            self._note_limit(error, failure, tries)
            return
        if failure.status == 401 and self._renewable and isinstance(error, Denied) and not tries.renewed:
            tries.renewed = True
            return
        if not isinstance(error, Unavailable):
            raise error
        tries.failures += 1
        tries.uncertain = tries.uncertain or error.ambiguous
        error.ambiguous = tries.uncertain
        if tries.failures >= TRIES or (error.ambiguous and not repeatable):
            raise error
        wait = _told_wait(failure.headers) or backoff(tries.failures)
        if not tries.budget.take(wait):
            raise error
        await self._clock.sleep(wait)

    def _note_limit(self, error: RateLimited, failure: Failure, tries: _Tries) -> None:
        """Let every task wait for a limit; one that nobody gave a time for grows each time."""
        wait = error.retry_after or 1.0
        if _is_secondary(error):
            self._cautious_until = self._clock.now() + CAUTION
            if "retry-after" not in failure.headers:
                wait *= 2**tries.limits
        tries.limits += 1
        self._limits[tries.scope] = max(self._limited_until(tries.scope), self._clock.now() + wait), error

    def _limited_until(self, scope: str) -> float:
        return self._limits[scope][0] if scope in self._limits else _LONG_AGO

    @asynccontextmanager
    async def _turn(self, operation: str, tries: _Tries, write: bool) -> AsyncGenerator[None]:
        """Wait until no limit holds and there is a place."""
        while True:
            await self._wait_for_limit(operation, tries)
            async with self._place(write):
                if self._clock.now() >= self._limited_until(tries.scope):
                    yield
                    return

    @asynccontextmanager
    async def _place(self, write: bool) -> AsyncGenerator[None]:
        """Wait for a place: one write, or one of six reads, or the only read while we are careful."""
        async with self._writing if write else self._reading:
            if write or self._clock.now() >= self._cautious_until:
                yield
            else:
                async with self._single:
                    yield

    async def _wait_for_limit(self, operation: str, tries: _Tries) -> None:
        while (wait := self._limited_until(tries.scope) - self._clock.now()) > 0:
            if not tries.budget.take(wait):
                raise self._limit_of(operation, tries.scope, wait)
            await self._clock.sleep(max(wait, _LEAST_SLEEP))

    def _limit_of(self, operation: str, scope: str, wait: float) -> RateLimited:
        _, limit = self._limits[scope]
        return RateLimited(
            limit.message,
            retry_after=wait,
            resets_at=limit.resets_at,
            scope=limit.scope or scope or None,
            backend=self._backend,
            operation=operation,
            request_id=limit.request_id,
        )


def _told_wait(headers: Mapping[str, str]) -> float | None:
    """Give the seconds of Retry-After, in either form; None without one."""
    if "retry-after" not in headers:
        return None
    told = from_status(429, {"retry-after": headers["retry-after"]}, "", backend="", operation="")
    return told.retry_after if isinstance(told, RateLimited) else None


def _is_secondary(error: RateLimited) -> bool:
    """Say whether a limit is one on behaviour: there are requests left, or the text says so."""
    text = error.message.lower()
    return error.resets_at is None or "secondary" in text or "abuse" in text
