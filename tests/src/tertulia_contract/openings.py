"""Opening posts: messages that are edited, and that are nothing else besides."""

from __future__ import annotations

import pytest

from tertulia import conversation
from tertulia.conversation import Capability, Trait
from tertulia.errors import Denied, Invalid
from tertulia.thread import MessageRef, ThreadRef
from tertulia_contract._backend import ConversationBackend
from tertulia_contract._helpers import carried, draft, idea, ref_of, written
from tertulia_contract._marks import optional, where

__all__ = ["Openings"]


class Openings:
    """Hold what is said of a conversation's opening post."""

    @optional(Capability.EDIT)
    @optional(Capability.START)
    @where(Trait.OPENING)
    async def test_an_own_opening_post_is_edited(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Replace the body of an own message, an opening post too; agent and key lines are kept."""
        ref = await _started(client, backend, subject)
        before = await client.get_message(ref)

        await client.edit(ref, draft("Better words."))

        after = await client.get_message(ref)
        assert (written(after), after.title) == ("Better words.", before.title)
        assert carried(after) == carried(before)

    @optional(Capability.EDIT)
    @where(Trait.OPENING)
    async def test_an_opening_post_of_somebody_else_is_not_edited(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Denied for a message of somebody else."""
        (opening,) = (await client.read(subject)).messages

        with pytest.raises(Denied):
            await client.edit(ref_of(subject, opening), draft("Yours."))

        assert (await client.read(subject)).messages == (opening,)

    @optional(Capability.DELETE)
    @optional(Capability.START)
    @where(Trait.OPENING)
    async def test_an_own_opening_post_is_not_deleted(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Invalid for an opening post, with which the conversation would go."""
        ref = await _started(client, backend, subject)

        with pytest.raises(Invalid):
            await client.delete(ref)

        assert (await client.get_message(ref)).id == ref.id

    @optional(Capability.DELETE)
    @where(Trait.OPENING)
    async def test_an_opening_post_of_somebody_else_is_not_deleted(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Denied for a message of somebody else, Invalid for an opening post."""
        (opening,) = (await client.read(subject)).messages

        with pytest.raises((Denied, Invalid)):
            await client.delete(ref_of(subject, opening))

        assert (await client.read(subject)).messages == (opening,)


async def _started(client: conversation.Client, backend: ConversationBackend, subject: ThreadRef) -> MessageRef:
    started = await client.start(await idea(client, backend, subject, key="k"))
    at = ThreadRef(conversation=started.conversation)
    return ref_of(at, (await client.read(at)).messages[0])
