"""Messages: one as it is now, and what NotFound proves."""

from __future__ import annotations

import pytest

from tertulia.errors import Error, NotFound
from tertulia.thread import ThreadRef, Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import draft, ref_of
from tertulia_contract._marks import needs

__all__ = ["Messages"]


class Messages:
    """Hold what `get_message` says."""

    async def test_a_message_is_read_alone_as_in_its_thread(self, client: Threads, thread: ThreadRef) -> None:
        """Read one message as it is now: what `read` gives."""
        posted = await client.post(thread, draft())

        listing = await client.read(thread)
        assert await client.get_message(ref_of(thread, posted)) == listing.messages[1]

    async def test_the_opening_post_is_a_message(self, client: Threads, thread: ThreadRef) -> None:
        """Read one message, the opening post too."""
        opening = (await client.read(thread)).messages[0]

        assert await client.get_message(ref_of(thread, opening)) == opening

    @needs(Ability.EDIT)
    async def test_a_message_is_read_as_it_is_now(self, client: Threads, backend: Backend, thread: ThreadRef) -> None:
        """Read one message as it is now, not as it was."""
        ref = ref_of(thread, await client.post(thread, draft()))
        before = await client.get_message(ref)
        await backend.alter(ref, "Something else.")

        found = await client.get_message(ref)

        assert found.body == "Something else."
        assert (found.updated_at or found.created_at) >= (before.updated_at or before.created_at)

    @needs(Ability.DELETE)
    async def test_not_found_is_proof_that_it_was_deleted(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """NotFound is proof that it was deleted."""
        ref = ref_of(thread, await client.post(thread, draft()))
        await backend.remove(ref)

        with pytest.raises(NotFound):
            await client.get_message(ref)

    @needs(Ability.ERASE)
    async def test_a_message_is_deleted_with_its_thread(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """NotFound is proof that it was deleted, with its thread."""
        ref = ref_of(thread, await client.post(thread, draft()))
        await backend.erase(thread)

        with pytest.raises(NotFound):
            await client.get_message(ref)

    @pytest.mark.parametrize(
        "how",
        [
            pytest.param(how, marks=needs(how))
            for how in (Ability.HIDE, Ability.DENY, Ability.LIMIT, Ability.CUT, Ability.MOVE)
        ],
    )
    async def test_what_cannot_be_seen_is_not_proven_deleted(
        self, client: Threads, backend: Backend, thread: ThreadRef, how: Ability
    ) -> None:
        """NotFound is proof that it was deleted, so nothing else may be NotFound."""
        ref = ref_of(thread, await client.post(thread, draft()))
        await backend.break_wire(how)

        with pytest.raises(Error) as failed:
            await client.get_message(ref)

        assert not isinstance(failed.value, NotFound)

    async def test_a_message_is_found_in_its_own_thread_only(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """A message is addressed by its conversation, its kind and its id."""
        other = await backend.open()
        posted = await client.post(thread, draft())

        with pytest.raises(NotFound):
            await client.get_message(ref_of(other, posted))
