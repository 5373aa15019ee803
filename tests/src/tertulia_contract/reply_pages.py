"""Pages of replies: every page of every root's, and honest words when one may be missing."""

from __future__ import annotations

import pytest

from tertulia import conversation
from tertulia.thread import MessageRef, ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import draft, ref_of, said_in, under
from tertulia_contract._marks import needs

__all__ = ["ReplyPages"]


class ReplyPages:
    """Hold what `read` says of threads that do not fit on a page."""

    @needs(Ability.SPEAK)
    @pytest.mark.parametrize("more", [-1, 0, 1])
    async def test_the_edge_of_a_page_of_replies_loses_nothing(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef, more: int
    ) -> None:
        """Read every page of replies, where a page is nearly full, full, and just overflows."""
        root, said = await _thread(backend, subject, backend.page + more)

        whole, one = await client.read(subject), await client.read(under(subject, root))

        assert (whole.complete, one.complete) == (True, True)
        assert [found.id for found in one.messages] == [root.id, *(message.id for message in said)]
        assert said_in(whole) == one.messages

    @needs(Ability.SPEAK)
    async def test_every_page_of_replies_is_read(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Read every page, of the replies too."""
        _, said = await _thread(backend, subject, 2 * backend.page + 7)
        last = await backend.say(subject, "The last thread.")

        listing = await client.read(subject)

        assert listing.complete
        assert {message.id for message in (*said, last)} < {found.id for found in listing.messages}

    @needs(Ability.SPEAK)
    async def test_every_page_of_roots_and_of_their_replies_is_read(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """`read` without a root gives the conversation whole: more roots than a page has, each with more replies."""
        threads = [await _thread(backend, subject, backend.page + 1) for _ in range(backend.page + 1)]

        listing = await client.read(subject)

        said = {message.id: root.id for root, replies in threads for message in (root, *replies)}
        assert listing.complete
        assert {found.id: found.parent_id for found in said_in(listing)} == said

    @needs(Ability.SPEAK, Ability.SHIFT)
    @pytest.mark.parametrize("going", [1, 20])
    async def test_a_page_of_replies_that_shifts_hides_nothing_silently(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef, going: int
    ) -> None:
        """`complete` is false when anything may be missing: a deletion moves a reply to a page that was read."""
        root, said = await _thread(backend, subject, backend.page + 30)
        gone = said[: min(going, backend.page - 1)]
        for message in gone:
            await backend.shift(subject, message)

        listing = await client.read(under(subject, root))

        left = {message.id for message in said} - {message.id for message in gone}
        assert left <= {found.id for found in listing.messages} or not listing.complete

    @needs(Ability.SPEAK, Ability.REPEAT)
    async def test_replies_listed_twice_are_given_once_or_twice(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Items the backend lists twice are given once or twice: none is lost for it."""
        root, said = await _thread(backend, subject, backend.page + 5)
        await backend.break_wire(Ability.REPEAT)

        ids = [found.id for found in (await client.read(under(subject, root))).messages]

        assert set(ids) == {root.id, *(message.id for message in said)}
        assert all(ids.count(ident) <= 2 for ident in ids)

    @needs(Ability.SPEAK)
    async def test_a_key_is_found_behind_the_first_page_of_replies(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A known key returns the existing message, however long its thread is."""
        root, _ = await _thread(backend, subject, backend.page + 5)
        first = await client.post(under(subject, root), draft(key="k"))

        assert await client.post(under(subject, root), draft(key="k")) == first
        assert await client.get_message(ref_of(subject, first)) == first


async def _thread(backend: ConversationBackend, subject: ThreadRef, count: int) -> tuple[MessageRef, list[MessageRef]]:
    root = await backend.say(subject, "Why here?")
    return root, [await backend.say(under(subject, root), f"Number {number}.") for number in range(count)]
