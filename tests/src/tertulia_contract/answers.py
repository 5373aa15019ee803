"""Answers: the message that answers a question."""

from __future__ import annotations

import pytest

from tertulia import conversation
from tertulia.conversation import Capability, Trait
from tertulia.errors import Invalid, NotFound
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import draft, ref_of
from tertulia_contract._marks import needs, optional, where

__all__ = ["Answers"]


class Answers:
    """Hold what `mark_answer` says (MARK_ANSWER)."""

    @optional(Capability.MARK_ANSWER)
    @needs(Ability.ASK)
    async def test_a_message_is_marked_as_the_answer(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Mark a message as the answer of its conversation; give the conversation then."""
        question = await backend.ask()
        posted = await client.post(question, draft())

        marked = await client.mark_answer(ref_of(question, posted))

        assert (marked.answered, marked.answer) == (True, posted.id)
        assert await client.get_conversation(question) == marked

    @optional(Capability.MARK_ANSWER)
    @needs(Ability.ASK)
    async def test_an_answer_is_taken_back(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Mark a message as the answer, or take that back."""
        question = await backend.ask()
        ref = ref_of(question, await client.post(question, draft()))
        await client.mark_answer(ref)

        taken = await client.mark_answer(ref, answer=False)

        assert (taken.answered, taken.answer) == (False, None)
        assert await client.get_conversation(question) == taken

    @optional(Capability.MARK_ANSWER)
    @needs(Ability.ASK)
    async def test_what_is_the_answer_already_is_no_error(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """What is so already is no error, neither a mark nor its absence."""
        question = await backend.ask()
        ref = ref_of(question, await client.post(question, draft()))

        taken = await client.mark_answer(ref, answer=False)
        marked = [await client.mark_answer(ref) for _ in range(2)]

        assert (taken.answered, taken.answer) == (False, None)
        assert [one.answer for one in marked] == [ref.id, ref.id]

    @optional(Capability.MARK_ANSWER)
    @needs(Ability.ASK)
    async def test_another_message_takes_nothing_from_the_answer(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A message that is not the answer takes nothing from the one that is."""
        question = await backend.ask()
        first, second = [ref_of(question, await client.post(question, draft())) for _ in range(2)]
        await client.mark_answer(first)

        taken = await client.mark_answer(second, answer=False)

        assert (taken.answered, taken.answer) == (True, first.id)

    @optional(Capability.MARK_ANSWER)
    @needs(Ability.ASK)
    async def test_a_conversation_has_one_answer(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Mark a message as the answer: of two the last is."""
        question = await backend.ask()
        first, second = [ref_of(question, await client.post(question, draft())) for _ in range(2)]
        await client.mark_answer(first)

        marked = await client.mark_answer(second)

        assert (marked.answered, marked.answer) == (True, second.id)

    @optional(Capability.MARK_ANSWER)
    async def test_a_category_without_answers_takes_none(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Invalid where the category takes no answers."""
        posted = await client.post(subject, draft())

        with pytest.raises(Invalid):
            await client.mark_answer(ref_of(subject, posted))

        found = await client.get_conversation(subject)
        assert (found.answered, found.answer) == (None, None)

    @optional(Capability.MARK_ANSWER)
    @where(Trait.OPENING)
    @needs(Ability.ASK)
    async def test_an_opening_post_answers_nothing(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Invalid for an opening post."""
        question = await backend.ask()
        opening = (await client.read(question)).messages[0]

        with pytest.raises(Invalid):
            await client.mark_answer(ref_of(question, opening))

    @optional(Capability.MARK_ANSWER)
    @needs(Ability.ASK, Ability.DELETE)
    async def test_what_is_gone_answers_nothing(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise NotFound when the message is not there."""
        question = await backend.ask()
        ref = ref_of(question, await client.post(question, draft()))
        await backend.remove(ref)

        with pytest.raises(NotFound):
            await client.mark_answer(ref)
