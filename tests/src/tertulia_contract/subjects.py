"""Subjects: the issue or the conversation that a thread belongs to."""

from __future__ import annotations

import pytest

from tertulia.errors import NotFound
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import AnyClient, about, draft
from tertulia_contract._marks import BROKEN, needs
from tertulia_contract._moving import followed

__all__ = ["Subjects"]


class Subjects:
    """Hold what `get_issue` says as `get_conversation` does."""

    @needs(Ability.LOCK)
    async def test_what_is_locked_says_so(self, client: AnyClient, backend: Backend, subject: ThreadRef) -> None:
        """Read it: whether it is locked is known before an answer is written."""
        await backend.lock(subject)

        assert (await about(client, subject)).locked

    @needs(Ability.TRANSFER)
    async def test_what_was_transferred_is_followed(
        self, client: AnyClient, backend: Backend, subject: ThreadRef
    ) -> None:
        """A transferred one is followed where the backend says where it went; `conversation` is the new address."""
        before = await about(client, subject)
        there = await backend.transfer(subject)

        led = await followed(backend, about(client, subject))

        found = await about(client, subject if led else there)
        assert found.conversation == there.conversation != subject.conversation
        assert found.title == before.title

    @needs(Ability.TRANSFER)
    async def test_what_was_transferred_takes_an_answer(
        self, client: AnyClient, backend: Backend, thread: ThreadRef
    ) -> None:
        """Post an answer under the thread's root, wherever that is now, at most once for a key."""
        there = await backend.transfer(thread)

        place = thread if await followed(backend, client.post(thread, draft(key="k"))) else there

        posted = await client.post(place, draft(key="k"))
        assert (await client.post(place, draft(key="k"))).ref == posted.ref
        assert [one.ref for one in (await client.read(there)).messages[1:]] == [posted.ref]

    async def test_what_is_not_there_is_not_found(self, client: AnyClient, backend: Backend) -> None:
        """NotFound when it is not there."""
        with pytest.raises(NotFound):
            await about(client, await backend.missing())

    @needs(Ability.ERASE)
    async def test_what_was_deleted_is_not_found(self, client: AnyClient, backend: Backend, subject: ThreadRef) -> None:
        """NotFound when it was deleted."""
        await backend.erase(subject)

        with pytest.raises(NotFound):
            await about(client, subject)

    @BROKEN
    async def test_what_cannot_be_read_is_not_given(
        self, client: AnyClient, backend: Backend, subject: ThreadRef, how: Ability, error: type[Exception]
    ) -> None:
        """Every error a method raises is of the tree in `tertulia.errors`."""
        await backend.break_wire(how)

        with pytest.raises(error):
            await about(client, subject)
