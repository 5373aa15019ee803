"""Tombstones: what is left of a root that was deleted and has replies."""

from __future__ import annotations

import pytest

from tertulia import conversation
from tertulia.conversation import Capability
from tertulia.errors import NotFound
from tertulia.thread import MessageRef, ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import draft, ref_of, under
from tertulia_contract._marks import needs, optional

__all__ = ["Tombstones"]


class Tombstones:
    """Hold what is said of a root that was deleted, by its author or on the site."""

    @optional(Capability.DELETE)
    @needs(Ability.SPEAK)
    async def test_the_replies_to_a_deleted_root_are_still_read(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A root with replies may leave a tombstone: what others said below it stays."""
        root = await client.post(subject, draft("First."))
        reply = await backend.say(under(subject, root), "Mine.")

        await client.delete(ref_of(subject, root))

        listing = await client.read(subject)
        assert [one.id for one in listing.messages[1:] if not one.deleted] == [reply.id]
        assert {one.parent_id for one in listing.messages[1:]} == {root.id}
        assert listing.complete

    @optional(Capability.DELETE)
    @needs(Ability.SPEAK)
    async def test_a_deleted_root_is_gone_or_read_as_deleted(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A tombstone is given by `read` and `get_message` as deleted, without what it said."""
        root = await client.post(subject, draft("First."))
        await backend.say(under(subject, root), "Mine.")

        await client.delete(ref_of(subject, root))

        await _is_gone(client, subject, ref_of(subject, root))

    @needs(Ability.SPEAK, Ability.DELETE)
    async def test_a_root_that_a_person_deleted_is_gone_or_read_as_deleted(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A tombstone is given by `read` and `get_message` as deleted, whoever deleted it."""
        root = await backend.say(subject, "First.")
        reply = await backend.say(under(subject, root), "Second.")
        await backend.remove(root)

        listing = await client.read(under(subject, reply))

        assert [one.id for one in listing.messages if not one.deleted] == [reply.id]
        await _is_gone(client, subject, root)

    @needs(Ability.SPEAK, Ability.DELETE)
    async def test_a_deleted_reply_leaves_its_thread(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A deleted message is not listed, or listed as deleted; its root and the other replies are as they were."""
        root = await backend.say(subject, "First.")
        gone, left = [await backend.say(under(subject, root), text) for text in ("Second.", "Third.")]
        await backend.remove(gone)

        listing = await client.read(under(subject, root))

        assert [one.id for one in listing.messages if not one.deleted] == [root.id, left.id]
        await _is_gone(client, subject, gone)

    @needs(Ability.SPEAK, Ability.DELETE)
    async def test_a_deleted_root_counts_as_what_it_is(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """`reported` says how many items of a source type the backend itself counts, a tombstone among them or not."""
        root = await backend.say(subject, "First.")
        await backend.say(under(subject, root), "Second.")
        await backend.remove(root)

        listing = await client.read(subject)

        kinds = [one.source_type for one in listing.messages]
        assert all(kinds.count(kind) == count for kind, count in (listing.reported or {}).items())


async def _is_gone(client: conversation.Client, subject: ThreadRef, message: MessageRef) -> None:
    listed = [one for one in (await client.read(subject)).messages if one.id == message.id]
    assert all(one.deleted and "First." not in one.body for one in listed)
    if not listed:
        with pytest.raises(NotFound):
            await client.get_message(message)
        return
    assert [await client.get_message(message)] == listed
