"""Posting: an answer stands in the thread, by whom and as what it is."""

from __future__ import annotations

import pytest

from tertulia.errors import Conflict, NotFound
from tertulia.thread import ThreadRef, Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import carried, draft, posted_by, ref_of, written
from tertulia_contract._marks import needs

__all__ = ["Posting"]


class Posting:
    """Hold what `post` says of any answer, with a key or without."""

    async def test_post_answers_in_the_thread(self, client: Threads, thread: ThreadRef) -> None:
        """Post an answer under the thread's root."""
        posted = await client.post(thread, draft("Look at the log first."))

        listing = await client.read(thread)
        assert [one.ref for one in listing.messages[1:]] == [posted.ref]
        assert written(listing.messages[1]) == "Look at the log first."

    @needs(Ability.BRANCH)
    async def test_post_answers_under_the_root_of_a_thread(self, client: Threads, backend: Backend) -> None:
        """Post an answer under the thread's root, where a conversation has several."""
        branch, root = await backend.branch()

        posted = await client.post(branch, draft())

        assert posted.parent_id == root.id == branch.root
        assert posted.ref in {one.ref for one in (await client.read(branch)).messages}

    @needs(Ability.BRANCH, Ability.DELETE)
    async def test_a_root_that_is_gone_takes_no_answer(self, client: Threads, backend: Backend) -> None:
        """Raise NotFound when the root is not there, and write nowhere else."""
        branch, root = await backend.branch()
        await backend.remove(root)

        with pytest.raises(NotFound):
            await client.post(branch, draft(key="k"))

        assert await posted_by(client, ThreadRef(conversation=branch.conversation)) == []

    async def test_a_thread_that_is_not_there_takes_no_answer(self, client: Threads, backend: Backend) -> None:
        """Raise NotFound when the thread is not there."""
        missing = await backend.missing()

        with pytest.raises(NotFound):
            await client.post(missing, draft())
        with pytest.raises(NotFound):
            await client.post(missing, draft(key="k"))

    async def test_a_post_carries_the_agents_name_where_read_finds_it(self, client: Threads, thread: ThreadRef) -> None:
        """The message carries the agent's name where `read` finds it again."""
        posted = await client.post(thread, draft())

        (found,) = await posted_by(client, thread)
        assert carried(posted)[0] == "helper"
        assert carried(found)[0] == "helper"

    async def test_a_post_is_by_the_account_that_whoami_names(self, client: Threads, thread: ThreadRef) -> None:
        """Give the account this client acts as: the one its answers are by."""
        posted = await client.post(thread, draft())

        assert posted.author is not None
        assert posted.author.id == (await client.whoami()).id

    async def test_post_gives_the_message_as_get_message_does(self, client: Threads, thread: ThreadRef) -> None:
        """The message that is returned is the one that is there."""
        posted = await client.post(thread, draft())

        assert await client.get_message(ref_of(thread, posted)) == posted

    async def test_a_draft_without_a_key_is_posted_each_time(self, client: Threads, thread: ThreadRef) -> None:
        """At most once holds for a key; without one every call posts."""
        first = await client.post(thread, draft())
        second = await client.post(thread, draft())

        assert first.ref != second.ref
        assert len(await posted_by(client, thread)) == 2

    @needs(Ability.LOCK)
    async def test_a_locked_thread_takes_no_answer(self, client: Threads, backend: Backend, thread: ThreadRef) -> None:
        """Raise Conflict on a locked thread."""
        await backend.lock(thread)

        with pytest.raises(Conflict):
            await client.post(thread, draft())
        with pytest.raises(Conflict):
            await client.post(thread, draft(key="k"))

        assert await posted_by(client, thread) == []
