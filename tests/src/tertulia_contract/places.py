"""Places: their conversations, last active first, by category."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from tertulia import conversation
from tertulia.conversation import Capability, Conversation, Trait
from tertulia.errors import Invalid, NotFound, Unavailable
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import draft
from tertulia_contract._marks import needs, optional, where

__all__ = ["Places"]


class Places:
    """Hold what `conversations` says (BROWSE)."""

    @optional(Capability.BROWSE)
    async def test_conversations_of_a_place_are_found(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Find the conversations of a place, each as `get_conversation` gives it."""
        other = await backend.open()

        found = {one.conversation: one for one in await _found(client, backend.place)}

        for place in (subject, other):
            assert found[place.conversation] == await client.get_conversation(place)

    @optional(Capability.BROWSE)
    async def test_every_page_of_conversations_is_read(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Every page is read, as it is needed."""
        opened = [subject, *[await backend.open() for _ in range(backend.page + 5)]]

        found = [one.conversation for one in await _found(client, backend.place)]

        assert {place.conversation for place in opened} <= set(found)
        assert len(found) == len(set(found))

    @optional(Capability.BROWSE)
    @needs(Ability.CUT)
    async def test_a_page_of_conversations_that_is_cut_is_no_end(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Unavailable: whoever got one page and not the next was not given all there are."""
        opened = [subject, *[await backend.open() for _ in range(backend.page)]]
        conversations = client.conversations(backend.place)
        found = [await anext(conversations)]
        await backend.break_wire(Ability.CUT)

        with suppress(Unavailable):
            found += [one async for one in conversations]
            assert len(found) >= len(opened)

    @optional(Capability.BROWSE)
    async def test_conversations_are_found_last_active_first(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Find them last active first: an answer makes an old one the first."""
        for _ in range(3):
            await backend.open()
        await client.post(subject, draft())

        found = await _found(client, backend.place)

        active = [one.updated_at or one.created_at for one in found]
        assert active == sorted(active, reverse=True)
        assert active[0] in {
            one.updated_at or one.created_at for one in found if one.conversation == subject.conversation
        }

    @optional(Capability.BROWSE)
    @where(Trait.CATEGORIES)
    @needs(Ability.CATEGORY)
    async def test_conversations_are_found_by_category(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Find those of a category, by id or slug, and no others."""
        other = await client.get_conversation(await backend.categorized())
        assert other.category is not None

        names = [name for name in (other.category.id, other.category.slug) if name is not None]
        found = [await _found(client, backend.place, name) for name in names]

        assert names
        assert found == [[other]] * len(names)

    @optional(Capability.BROWSE)
    async def test_a_category_that_the_place_does_not_have_is_invalid(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Invalid when it has no such category, and not a list of none."""
        with pytest.raises(Invalid):
            await _found(client, backend.place, "a-category-that-nobody-made")

    @optional(Capability.BROWSE)
    async def test_a_place_that_is_not_there_is_not_found(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """NotFound when the place is not there."""
        for category in (None, "general"):
            with pytest.raises(NotFound):
                await _found(client, f"{backend.place}-404404", category)

    @optional(Capability.BROWSE)
    async def test_conversations_are_a_plain_function(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Optional iterators are plain functions, so that Unsupported is raised at the call."""
        assert isinstance(client.conversations(backend.place), AsyncIterator)


async def _found(client: conversation.Client, place: str, category: str | None = None) -> list[Conversation]:
    return [one async for one in client.conversations(place, category=category)]
