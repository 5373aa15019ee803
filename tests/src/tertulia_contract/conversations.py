"""Conversations: what `get_conversation` says of one."""

from __future__ import annotations

import pytest

from tertulia import conversation
from tertulia.conversation import Capability, Trait
from tertulia.errors import Invalid
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import draft, under
from tertulia_contract._marks import needs, optional, where

__all__ = ["Conversations"]


class Conversations:
    """Hold what `get_conversation` says, and that a category belongs to a conversation and is no label."""

    async def test_a_conversation_says_what_it_is(self, client: conversation.Client, subject: ThreadRef) -> None:
        """Read a conversation: title, category, labels, state."""
        found = await client.get_conversation(subject)

        assert found.conversation == subject.conversation
        assert found.id
        assert found.title
        assert (found.closed, found.locked, found.labels) == (False, False, ())

    @where(Trait.OPENING)
    async def test_a_conversation_is_about_its_opening_post(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A conversation begins with an opening post, and is by whom that is."""
        found = await client.get_conversation(subject)

        (opening,) = (await client.read(subject)).messages
        assert (found.id, found.title, found.author) == (opening.id, opening.title, opening.author)

    async def test_a_conversation_is_read_as_it_is_now(self, client: conversation.Client, subject: ThreadRef) -> None:
        """Read a conversation, with the backend's own count of messages below the opening post."""
        before = await client.get_conversation(subject)
        root = await client.post(subject, draft())
        await client.post(under(subject, root), draft())

        after = await client.get_conversation(subject)

        assert before.messages in (0, None)
        assert after.messages in (2, None)

    async def test_a_conversation_is_the_same_whatever_the_root(
        self, client: conversation.Client, subject: ThreadRef
    ) -> None:
        """Read a conversation, whatever the root."""
        root = await client.post(subject, draft())

        assert await client.get_conversation(under(subject, root)) == await client.get_conversation(subject)

    @pytest.mark.parametrize("address", ["https://evil.example/acme/demo#7", "//evil.example/a/b#7"])
    async def test_a_conversation_on_another_host_is_invalid(self, client: conversation.Client, address: str) -> None:
        """A URL that names another host is Invalid before any request."""
        with pytest.raises(Invalid):
            await client.get_conversation(ThreadRef(conversation=address))

    @needs(Ability.CLOSE)
    async def test_a_conversation_says_that_it_is_closed_and_why(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Read a conversation's state, and the reason in the backend's own words."""
        reason = await backend.close(subject)

        found = await client.get_conversation(subject)

        assert (found.closed, found.state_reason) == (True, reason)

    @where(Trait.QUESTIONS)
    @needs(Ability.ASK)
    async def test_a_category_is_a_question_only_when_it_takes_answers(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """`question_answer` if and only if it takes answers; `answered` is None where there is no question."""
        question = await client.get_conversation(await backend.ask())
        other = await client.get_conversation(subject)

        assert question.category is not None
        assert (question.category.format, question.answered, question.answer) == ("question_answer", False, None)
        assert other.category is None or other.category.format != "question_answer"
        assert (other.answered, other.answer) == (None, None)

    @where(Trait.CATEGORIES)
    @needs(Ability.CATEGORY)
    async def test_a_category_is_never_a_label(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """`labels` never hold the category, by no name of it."""
        for place in (subject, await backend.categorized()):
            found = await client.get_conversation(place)

            assert found.category is not None
            assert not {found.category.name, found.category.slug, found.category.id} & set(found.labels)

    @optional(Capability.LABEL)
    @where(Trait.CATEGORIES)
    @needs(Ability.CATEGORY)
    async def test_a_label_leaves_the_category_as_it_is(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A category is never a label: what labels are added and removed changes nothing about it."""
        other = await backend.categorized()
        before = await client.get_conversation(other)

        given = await client.label(other, add=["bug"])

        after = await client.get_conversation(other)
        assert given == after.labels == ("bug",)
        assert after.category == before.category
