"""Replies: threads of one root each, flat below it."""

from __future__ import annotations

import pytest

from tertulia import conversation
from tertulia.conversation import Trait
from tertulia.errors import Conflict, NotFound
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import draft, posted_by, ref_of, said_in, under
from tertulia_contract._marks import needs, where

__all__ = ["Replies"]

_BY = pytest.mark.parametrize("handle", [True, False], ids=["by handle", "by id"])
_NOWHERE = "404404404"


class Replies:
    """Hold what is said of roots and replies, for `read` and for `post`."""

    async def test_post_without_a_root_starts_a_thread(self, client: conversation.Client, subject: ThreadRef) -> None:
        """`post` without a root starts a thread."""
        first = await client.post(subject, draft())
        second = await client.post(subject, draft())

        assert first.parent_id == first.id
        assert second.parent_id == second.id
        assert (await client.read(under(subject, first))).messages == (first,)

    @where(Trait.OPENING)
    async def test_an_opening_post_has_no_parent(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """An opening post has none: it is no root."""
        (opening,) = (await client.read(subject)).messages

        assert opening.parent_id is None
        assert opening.title == (await client.get_conversation(subject)).title

    @_BY
    async def test_an_answer_to_a_root_is_a_reply(
        self, client: conversation.Client, subject: ThreadRef, handle: bool
    ) -> None:
        """`parent_id` of every reply is the root's id."""
        root = await client.post(subject, draft("First."))

        reply = await client.post(under(subject, root, handle=handle), draft("Second."))

        assert reply.parent_id == root.id != reply.id
        assert await client.get_message(ref_of(subject, reply)) == reply

    @_BY
    async def test_an_answer_to_a_reply_goes_to_its_root(
        self, client: conversation.Client, subject: ThreadRef, handle: bool
    ) -> None:
        """Whoever answers a reply answers its root."""
        root = await client.post(subject, draft("First."))
        reply = await client.post(under(subject, root), draft("Second."))

        answer = await client.post(under(subject, reply, handle=handle), draft("Third."))

        assert answer.parent_id == root.id
        assert [one.id for one in (await client.read(under(subject, root))).messages] == [root.id, reply.id, answer.id]

    @_BY
    @needs(Ability.SPEAK)
    async def test_an_answer_to_somebody_elses_reply_goes_to_its_root(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef, handle: bool
    ) -> None:
        """A reply's id in place of the root's means the same thread, for `post`."""
        root = await backend.say(subject, "Why here?")
        reply = await client.get_message(await backend.say(under(subject, root), "Because."))

        answer = await client.post(under(subject, reply, handle=handle), draft(key="k"))

        assert answer.parent_id == root.id
        assert await client.post(under(subject, root), draft(key="k")) == answer

    @_BY
    @needs(Ability.SPEAK)
    async def test_a_thread_is_its_root_and_then_its_replies(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef, handle: bool
    ) -> None:
        """`read` with a root gives that thread: the root, then its replies."""
        root = await client.get_message(await backend.say(subject, "Why here?"))
        await backend.say(subject, "Elsewhere.")
        replies = [await backend.say(under(subject, root), f"Reply {number}.") for number in range(3)]

        listing = await client.read(under(subject, root, handle=handle))

        assert [one.id for one in listing.messages] == [root.id, *(one.id for one in replies)]
        assert {one.parent_id for one in listing.messages} == {root.id}
        assert listing.complete

    @_BY
    @needs(Ability.SPEAK)
    async def test_a_reply_reads_the_thread_of_its_root(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef, handle: bool
    ) -> None:
        """A reply's id in place of the root's means the same thread, for `read`."""
        root = await backend.say(subject, "Why here?")
        await backend.say(under(subject, root), "Because.")
        last = await client.get_message(await backend.say(under(subject, root), "And so on."))

        listing = await client.read(under(subject, last, handle=handle))

        assert listing == await client.read(under(subject, root))

    @needs(Ability.SPEAK)
    async def test_a_conversation_is_its_opening_post_if_any_and_then_its_threads(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """`read` without a root gives the conversation whole: an opening post where there is one, then its threads."""
        first, second = await backend.say(subject, "First."), await backend.say(subject, "Second.")
        late = await backend.say(under(subject, second), "To the second.")
        later = [await backend.say(under(subject, first), "To the first.") for _ in range(2)]

        listing = await client.read(subject)

        one, other = [first.id, *(reply.id for reply in later)], [second.id, late.id]
        parents = [found.parent_id for found in listing.messages]
        assert [found.id for found in said_in(listing)] in (one + other, other + one)
        assert parents.count(None) == parents[:1].count(None) == (Trait.OPENING in client.traits)
        assert listing.complete

    async def test_a_root_that_was_never_there_is_not_read(
        self, client: conversation.Client, subject: ThreadRef
    ) -> None:
        """NotFound when there is no such root."""
        with pytest.raises(NotFound):
            await client.read(ThreadRef(conversation=subject.conversation, root=_NOWHERE))

    async def test_a_root_that_was_never_there_takes_no_answer(
        self, client: conversation.Client, subject: ThreadRef
    ) -> None:
        """Raise NotFound when the root is not there, with a key and without, and write nowhere else."""
        nowhere = ThreadRef(conversation=subject.conversation, root=_NOWHERE)

        for key in (None, "k"):
            with pytest.raises(NotFound):
                await client.post(nowhere, draft(key=key))

        assert await posted_by(client, subject) == []

    @_BY
    async def test_a_root_of_another_conversation_is_none_of_this(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef, handle: bool
    ) -> None:
        """A message belongs to one thread, and a thread to one conversation, whatever handle comes with it."""
        other = await backend.open()
        root = await client.post(other, draft())

        with pytest.raises(NotFound):
            await client.read(under(subject, root, handle=handle))
        with pytest.raises(NotFound):
            await client.post(under(subject, root, handle=handle), draft(key="k"))

        assert await posted_by(client, subject) == []
        assert await posted_by(client, other) == [root]

    @needs(Ability.SPEAK)
    async def test_a_key_under_another_root_is_another_answer(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A key is looked for where the answer would stand: among the replies of its thread, or among the roots."""
        roots = [await backend.say(subject, "Why here?"), await backend.say(subject, "And here?")]
        places = [subject, *(under(subject, root) for root in roots)]

        posted = [await client.post(place, draft(key="k")) for place in places]

        assert len({one.id for one in posted}) == 3
        assert [await client.post(place, draft(key="k")) for place in places] == posted

    @needs(Ability.SPEAK, Ability.LOCK)
    async def test_a_locked_conversation_takes_no_reply(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Conflict on a locked conversation, under a root too."""
        root = await backend.say(subject, "Why here?")
        await backend.lock(subject)

        with pytest.raises(Conflict):
            await client.post(under(subject, root), draft(key="k"))

        assert await posted_by(client, subject) == []
