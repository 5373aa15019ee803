"""Deleting: an own message is gone."""

from __future__ import annotations

import pytest

from tertulia.errors import Denied, NotFound
from tertulia.thread import ThreadRef
from tertulia.tracker import Capability
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import AnyClient, draft, posted_by, ref_of
from tertulia_contract._marks import needs, optional

__all__ = ["Deleting"]


class Deleting:
    """Hold what `delete` says (DELETE)."""

    @optional(Capability.DELETE)
    async def test_delete_takes_a_message_out_of_the_thread(
        self, client: AnyClient, backend: Backend, thread: ThreadRef
    ) -> None:
        """Delete a message, and no other."""
        first = await client.post(thread, draft())
        second = await client.post(thread, draft())

        await client.delete(ref_of(thread, first))

        assert await posted_by(client, thread) == [second]

    @optional(Capability.DELETE)
    async def test_a_deleted_message_is_not_found(self, client: AnyClient, backend: Backend, thread: ThreadRef) -> None:
        """NotFound is proof that it was deleted."""
        ref = ref_of(thread, await client.post(thread, draft()))

        await client.delete(ref)

        with pytest.raises(NotFound):
            await client.get_message(ref)

    @optional(Capability.DELETE)
    async def test_a_message_that_is_gone_is_not_deleted(
        self, client: AnyClient, backend: Backend, thread: ThreadRef
    ) -> None:
        """Raise NotFound when it is not there."""
        ref = ref_of(thread, await client.post(thread, draft()))
        await client.delete(ref)

        with pytest.raises(NotFound):
            await client.delete(ref)

    @optional(Capability.DELETE)
    @needs(Ability.SPEAK)
    async def test_a_message_of_somebody_else_is_not_deleted(
        self, client: AnyClient, backend: Backend, thread: ThreadRef
    ) -> None:
        """Raise Denied, though the backend would let a maintainer do it."""
        said = await backend.say(thread, "Mine.")

        with pytest.raises(Denied):
            await client.delete(said)

        assert (await client.get_message(said)).body == "Mine."
