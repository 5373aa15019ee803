"""Conversations: what `get_conversation` says of one."""

from __future__ import annotations

import pytest

from tertulia import conversation
from tertulia.conversation import Capability
from tertulia.errors import Invalid
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import draft, under
from tertulia_contract._marks import needs, optional

__all__ = ["Conversations"]


class Conversations:
    """Hold what `get_conversation` says, and that a category belongs to a conversation and is no label."""

    @needs(Ability.OPENING)
    async def test_a_conversation_is_about_its_opening_post(
        self, client: conversation.Client, thread: ThreadRef
    ) -> None:
        """Read a conversation: title, category, labels, state."""
        found = await client.get_conversation(thread)

        opening = (await client.read(thread)).messages[0]
        assert found.conversation == thread.conversation
        assert (found.closed, found.locked, found.labels) == (False, False, ())
        assert (found.id, found.title, found.author) == (opening.id, opening.title, opening.author)

    async def test_a_conversation_is_read_as_it_is_now(self, client: conversation.Client, thread: ThreadRef) -> None:
        """Read a conversation, with the backend's own count of messages below the opening post."""
        before = await client.get_conversation(thread)
        root = await client.post(thread, draft())
        await client.post(under(thread, root), draft())

        after = await client.get_conversation(thread)

        assert before.messages in (0, None)
        assert after.messages in (2, None)

    async def test_a_conversation_is_the_same_whatever_the_root(
        self, client: conversation.Client, thread: ThreadRef
    ) -> None:
        """Read a conversation, whatever the root."""
        root = await client.post(thread, draft())

        assert await client.get_conversation(under(thread, root)) == await client.get_conversation(thread)

    @pytest.mark.parametrize("address", ["https://evil.example/acme/demo#7", "//evil.example/a/b#7"])
    async def test_a_conversation_on_another_host_is_invalid(self, client: conversation.Client, address: str) -> None:
        """A URL that names another host is Invalid before any request."""
        with pytest.raises(Invalid):
            await client.get_conversation(ThreadRef(conversation=address))

    @needs(Ability.CLOSE)
    async def test_a_conversation_says_that_it_is_closed_and_why(
        self, client: conversation.Client, backend: ConversationBackend, thread: ThreadRef
    ) -> None:
        """Read a conversation's state, and the reason in the backend's own words."""
        reason = await backend.close(thread)

        found = await client.get_conversation(thread)

        assert (found.closed, found.state_reason) == (True, reason)

    @needs(Ability.ASK)
    async def test_a_category_is_a_question_only_when_it_takes_answers(
        self, client: conversation.Client, backend: ConversationBackend, thread: ThreadRef
    ) -> None:
        """`question_answer` if and only if it takes answers; `answered` is None where there is no question."""
        question = await client.get_conversation(await backend.ask())
        other = await client.get_conversation(thread)

        assert question.category is not None
        assert (question.category.format, question.answered, question.answer) == ("question_answer", False, None)
        assert other.category is None or other.category.format != "question_answer"
        assert (other.answered, other.answer) == (None, None)

    @needs(Ability.ASK)
    async def test_a_category_is_never_a_label(
        self, client: conversation.Client, backend: ConversationBackend, thread: ThreadRef
    ) -> None:
        """`labels` never hold the category, by no name of it."""
        for place in (thread, await backend.ask()):
            found = await client.get_conversation(place)

            assert found.category is not None
            assert not {found.category.name, found.category.slug, found.category.id} & set(found.labels)

    @optional(Capability.LABEL)
    @needs(Ability.ASK)
    async def test_a_label_leaves_the_category_as_it_is(
        self, client: conversation.Client, backend: ConversationBackend, thread: ThreadRef
    ) -> None:
        """A category is never a label: what labels are added and removed changes nothing about it."""
        question = await backend.ask()
        before = await client.get_conversation(question)

        given = await client.label(question, add=["bug"])

        after = await client.get_conversation(question)
        assert given == after.labels == ("bug",)
        assert after.category == before.category
