"""Cancellation: it passes, and the client is usable afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tertulia.thread import ThreadRef, Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import cancelled, draft, posted_by
from tertulia_contract._marks import needs

__all__ = ["Cancellation"]

_LONG = 10.0


class Cancellation:
    """Hold that deadlines belong to the caller, and that a cancelled `post` counts as ambiguous."""

    @needs(Ability.HOLD, Ability.SPEAK)
    @pytest.mark.parametrize("operation", ["whoami", "read", "get_message"])
    async def test_a_cancelled_question_ends(
        self, client: Threads, backend: Backend, thread: ThreadRef, operation: str
    ) -> None:
        """CancelledError passes through."""
        said = await backend.say(thread, "Mine.")  # and the client is asked nothing before, for it may know its account
        questions: dict[str, Callable[[], Coroutine[Any, Any, object]]] = {
            "whoami": client.whoami,
            "read": lambda: client.read(thread),
            "get_message": lambda: client.get_message(said),
        }
        await backend.break_wire(Ability.HOLD)

        task = asyncio.create_task(questions[operation]())
        await cancelled(task, backend)

        assert len((await client.read(thread)).messages) == 2
        assert (await client.whoami()).id

    @needs(Ability.HOLD_WRITES)
    @pytest.mark.parametrize("key", [None, "k"])
    async def test_a_cancelled_post_ends(
        self, client: Threads, backend: Backend, thread: ThreadRef, key: str | None
    ) -> None:
        """CancelledError passes through a post."""
        await backend.break_wire(Ability.HOLD_WRITES)

        await cancelled(asyncio.create_task(client.post(thread, draft(key=key))), backend)

        assert len(await posted_by(client, thread)) == 1

    @needs(Ability.HOLD_WRITES)
    async def test_a_cancelled_post_is_found_by_its_key(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """A cancelled post counts as ambiguous: posting again with the same key posts once."""
        await backend.break_wire(Ability.HOLD_WRITES)
        await cancelled(asyncio.create_task(client.post(thread, draft(key="k"))), backend)

        posted = await client.post(thread, draft(key="k"))

        assert await posted_by(client, thread) == [posted]

    @needs(Ability.HOLD)
    async def test_a_deadline_of_the_caller_is_kept(self, client: Threads, backend: Backend, thread: ThreadRef) -> None:
        """Deadlines belong to the caller."""
        await backend.break_wire(Ability.HOLD)

        async with asyncio.timeout(_LONG):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await client.read(thread)
        await backend.mend()

        assert len((await client.read(thread)).messages) == 1
