"""Browsing: the threads of a conversation, and when something was last said in them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime, timedelta

import pytest

from tertulia import conversation
from tertulia.conversation import Capability, Thread
from tertulia.errors import NotFound, Unavailable
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import draft, ref_of, under
from tertulia_contract._marks import needs, optional

__all__ = ["Browsing"]

_LATER = timedelta(days=1)


class Browsing:
    """Hold what `threads` says (BROWSE)."""

    @optional(Capability.BROWSE)
    async def test_threads_are_found_with_their_roots(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Find the threads of a conversation: the root, what addresses it, and how much is below."""
        root = await client.post(subject, draft("First."))
        reply = await client.post(under(subject, root), draft("Second."))

        (found,) = await _threads(client, subject)

        assert found.root == root
        assert (found.ref.conversation, found.ref.root) == (subject.conversation, root.id)
        assert (await client.read(found.ref)).messages == (root, reply)
        assert found.replies in (1, None)
        assert found.last_activity >= reply.created_at

    @optional(Capability.BROWSE)
    @needs(Ability.SPEAK)
    async def test_every_thread_is_found(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Find the threads, however many pages they fill, and each once."""
        said = [await backend.say(subject, f"Number {number}.") for number in range(2 * backend.page + 5)]

        found = await _threads(client, subject)

        assert sorted(one.root.id for one in found) == sorted(message.id for message in said)

    @optional(Capability.BROWSE)
    @needs(Ability.SPEAK, Ability.CUT)
    async def test_a_page_of_threads_that_is_cut_is_no_end(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Unavailable: whoever got one page and not the next was not given all there are."""
        said = [await backend.say(subject, f"Number {number}.") for number in range(backend.page + 1)]
        threads = client.threads(subject)
        found = [await anext(threads)]
        await backend.break_wire(Ability.CUT)

        with suppress(Unavailable):
            found += [one async for one in threads]
            assert len(found) == len(said)

    @optional(Capability.BROWSE)
    async def test_a_conversation_where_nothing_was_said_has_no_threads(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Find the threads of a conversation: the opening post is none."""
        assert await _threads(client, subject) == []

    @optional(Capability.BROWSE)
    async def test_all_threads_are_found_whatever_the_root(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """All of them are found, whatever the root."""
        root = await client.post(subject, draft())
        await client.post(subject, draft())

        assert await _threads(client, under(subject, root)) == await _threads(client, subject)

    @optional(Capability.BROWSE)
    @pytest.mark.parametrize("fraction", [0, 1, 999_999])
    async def test_since_is_inclusive_and_in_whole_seconds(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef, fraction: int
    ) -> None:
        """`since` is compared with the last activity in whole seconds, and inclusive."""
        await client.post(subject, draft())
        (found,) = await _threads(client, subject)

        moment = found.last_activity.replace(microsecond=fraction)

        assert await _threads(client, subject, since=moment) == [found]

    @optional(Capability.BROWSE)
    async def test_since_leaves_out_where_nothing_was_said_since(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """`since` leaves out those with nothing said since."""
        await client.post(subject, draft())
        (found,) = await _threads(client, subject)

        assert await _threads(client, subject, since=found.last_activity + timedelta(seconds=1)) == []
        assert await _threads(client, subject, since=found.last_activity + _LATER) == []

    @optional(Capability.BROWSE)
    @needs(Ability.SPEAK)
    async def test_a_reply_is_activity_of_its_thread(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """`last_activity` is when something was last said in it, at the root or below."""
        root = await backend.say(subject, "Why here?")
        other = await backend.say(subject, "And here?")
        said = await client.get_message(await backend.say(under(subject, root), "Because."))

        found = {one.root.id: one.last_activity for one in await _threads(client, subject)}

        assert found[root.id] >= said.created_at
        assert found[root.id] >= found[other.id]

    @optional(Capability.BROWSE)
    @needs(Ability.SPEAK, Ability.DELETE)
    async def test_a_thread_whose_root_was_deleted_is_found(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A thread whose root was deleted and has replies is found."""
        root = await client.post(subject, draft("First."))
        reply = await backend.say(under(subject, root), "Second.")
        await backend.remove(ref_of(subject, root))

        (found,) = await _threads(client, subject)

        assert found.root.deleted
        assert "First." not in found.root.body
        assert [one.id for one in (await client.read(found.ref)).messages if not one.deleted] == [reply.id]

    @optional(Capability.BROWSE)
    async def test_threads_are_a_plain_function(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Optional iterators are plain functions, so that Unsupported is raised at the call."""
        assert isinstance(client.threads(subject), AsyncIterator)

    @optional(Capability.BROWSE)
    async def test_nothing_is_found_in_a_conversation_that_is_not_there(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """All raise NotFound when the conversation is not there."""
        with pytest.raises(NotFound):
            await _threads(client, await backend.missing())


async def _threads(client: conversation.Client, subject: ThreadRef, *, since: datetime | None = None) -> list[Thread]:
    return [one async for one in client.threads(subject, since=since)]
