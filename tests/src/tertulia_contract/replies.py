"""Replies: threads of one root each, flat below it."""

from __future__ import annotations

import pytest

from tertulia import conversation
from tertulia.errors import Conflict, NotFound
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import draft, posted_by, ref_of, under
from tertulia_contract._marks import needs

__all__ = ["Replies"]

_BY = pytest.mark.parametrize("handle", [True, False], ids=["by handle", "by id"])
_NOWHERE = "404404404"


class Replies:
    """Hold what is said of roots and replies, for `read` and for `post`."""

    async def test_post_without_a_root_starts_a_thread(self, client: conversation.Client, thread: ThreadRef) -> None:
        """`post` without a root starts a thread."""
        first = await client.post(thread, draft())
        second = await client.post(thread, draft())

        assert first.parent_id == first.id
        assert second.parent_id == second.id
        assert (await client.read(under(thread, first))).messages == (first,)

    @needs(Ability.OPENING)
    async def test_an_opening_post_has_no_parent(self, client: conversation.Client, thread: ThreadRef) -> None:
        """An opening post has none: it is no root."""
        (opening,) = (await client.read(thread)).messages

        assert opening.parent_id is None
        assert opening.title == (await client.get_conversation(thread)).title

    @_BY
    async def test_an_answer_to_a_root_is_a_reply(
        self, client: conversation.Client, thread: ThreadRef, handle: bool
    ) -> None:
        """`parent_id` of every reply is the root's id."""
        root = await client.post(thread, draft("First."))

        reply = await client.post(under(thread, root, handle=handle), draft("Second."))

        assert reply.parent_id == root.id != reply.id
        assert await client.get_message(ref_of(thread, reply)) == reply

    @_BY
    async def test_an_answer_to_a_reply_goes_to_its_root(
        self, client: conversation.Client, thread: ThreadRef, handle: bool
    ) -> None:
        """Whoever answers a reply answers its root."""
        root = await client.post(thread, draft("First."))
        reply = await client.post(under(thread, root), draft("Second."))

        answer = await client.post(under(thread, reply, handle=handle), draft("Third."))

        assert answer.parent_id == root.id
        assert [one.id for one in (await client.read(under(thread, root))).messages] == [root.id, reply.id, answer.id]

    @_BY
    @needs(Ability.SPEAK)
    async def test_an_answer_to_somebody_elses_reply_goes_to_its_root(
        self, client: conversation.Client, backend: ConversationBackend, thread: ThreadRef, handle: bool
    ) -> None:
        """A reply's id in place of the root's means the same thread, for `post`."""
        root = await backend.say(thread, "Why here?")
        reply = await client.get_message(await backend.say(under(thread, root), "Because."))

        answer = await client.post(under(thread, reply, handle=handle), draft(key="k"))

        assert answer.parent_id == root.id
        assert await client.post(under(thread, root), draft(key="k")) == answer

    @_BY
    @needs(Ability.SPEAK)
    async def test_a_thread_is_its_root_and_then_its_replies(
        self, client: conversation.Client, backend: ConversationBackend, thread: ThreadRef, handle: bool
    ) -> None:
        """`read` with a root gives that thread: the root, then its replies."""
        root = await client.get_message(await backend.say(thread, "Why here?"))
        await backend.say(thread, "Elsewhere.")
        replies = [await backend.say(under(thread, root), f"Reply {number}.") for number in range(3)]

        listing = await client.read(under(thread, root, handle=handle))

        assert [one.id for one in listing.messages] == [root.id, *(one.id for one in replies)]
        assert {one.parent_id for one in listing.messages} == {root.id}
        assert listing.complete

    @_BY
    @needs(Ability.SPEAK)
    async def test_a_reply_reads_the_thread_of_its_root(
        self, client: conversation.Client, backend: ConversationBackend, thread: ThreadRef, handle: bool
    ) -> None:
        """A reply's id in place of the root's means the same thread, for `read`."""
        root = await backend.say(thread, "Why here?")
        await backend.say(under(thread, root), "Because.")
        last = await client.get_message(await backend.say(under(thread, root), "And so on."))

        listing = await client.read(under(thread, last, handle=handle))

        assert listing == await client.read(under(thread, root))

    @needs(Ability.SPEAK, Ability.OPENING)
    async def test_a_conversation_is_its_opening_post_and_then_its_threads(
        self, client: conversation.Client, backend: ConversationBackend, thread: ThreadRef
    ) -> None:
        """`read` without a root gives the conversation whole: opening post, then its threads with their replies."""
        first, second = await backend.say(thread, "First."), await backend.say(thread, "Second.")
        late = await backend.say(under(thread, second), "To the second.")
        later = [await backend.say(under(thread, first), "To the first.") for _ in range(2)]

        listing = await client.read(thread)

        one, other = [first.id, *(reply.id for reply in later)], [second.id, late.id]
        assert listing.messages[0].parent_id is None
        assert [found.id for found in listing.messages[1:]] in (one + other, other + one)
        assert listing.complete

    async def test_a_root_that_was_never_there_is_not_read(
        self, client: conversation.Client, thread: ThreadRef
    ) -> None:
        """NotFound when there is no such root."""
        with pytest.raises(NotFound):
            await client.read(ThreadRef(conversation=thread.conversation, root=_NOWHERE))

    async def test_a_root_that_was_never_there_takes_no_answer(
        self, client: conversation.Client, thread: ThreadRef
    ) -> None:
        """Raise NotFound when the root is not there, with a key and without, and write nowhere else."""
        nowhere = ThreadRef(conversation=thread.conversation, root=_NOWHERE)

        for key in (None, "k"):
            with pytest.raises(NotFound):
                await client.post(nowhere, draft(key=key))

        assert await posted_by(client, thread) == []

    @_BY
    async def test_a_root_of_another_conversation_is_none_of_this(
        self, client: conversation.Client, backend: ConversationBackend, thread: ThreadRef, handle: bool
    ) -> None:
        """A message belongs to one thread, and a thread to one conversation, whatever handle comes with it."""
        other = await backend.open()
        root = await client.post(other, draft())

        with pytest.raises(NotFound):
            await client.read(under(thread, root, handle=handle))
        with pytest.raises(NotFound):
            await client.post(under(thread, root, handle=handle), draft(key="k"))

        assert await posted_by(client, thread) == []
        assert await posted_by(client, other) == [root]

    @needs(Ability.SPEAK)
    async def test_a_key_under_another_root_is_another_answer(
        self, client: conversation.Client, backend: ConversationBackend, thread: ThreadRef
    ) -> None:
        """A key is looked for where the answer would stand: among the replies of its thread, or among the roots."""
        roots = [await backend.say(thread, "Why here?"), await backend.say(thread, "And here?")]
        places = [thread, *(under(thread, root) for root in roots)]

        posted = [await client.post(place, draft(key="k")) for place in places]

        assert len({one.id for one in posted}) == 3
        assert [await client.post(place, draft(key="k")) for place in places] == posted

    @needs(Ability.SPEAK, Ability.LOCK)
    async def test_a_locked_conversation_takes_no_reply(
        self, client: conversation.Client, backend: ConversationBackend, thread: ThreadRef
    ) -> None:
        """Raise Conflict on a locked conversation, under a root too."""
        root = await backend.say(thread, "Why here?")
        await backend.lock(thread)

        with pytest.raises(Conflict):
            await client.post(under(thread, root), draft(key="k"))

        assert await posted_by(client, thread) == []
