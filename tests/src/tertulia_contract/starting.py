"""Starting: new conversations, each once for its key."""

from __future__ import annotations

import asyncio

import pytest

from tertulia import conversation, outbound
from tertulia.conversation import Capability, Trait
from tertulia.errors import Denied, Error, Invalid, NotFound, Unavailable
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import cancelled, carried, idea, written
from tertulia_contract._marks import needs, optional, where

__all__ = ["Starting"]


class Starting:
    """Hold what `start` says (START)."""

    @optional(Capability.START)
    async def test_a_conversation_is_started(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Start a conversation in a category: it is there, by this account, as it was drafted."""
        started = await client.start(await idea(client, backend, subject))

        at = ThreadRef(conversation=started.conversation)
        (opening,) = (await client.read(at)).messages
        assert await client.get_conversation(at) == started
        assert (started.title, written(opening)) == ("An idea", "Words.")
        assert started.category == (await client.get_conversation(subject)).category
        assert started.author is not None
        assert started.author.id == (await client.whoami()).id

    @optional(Capability.START)
    @where(Trait.CATEGORIES)
    @needs(Ability.CATEGORY)
    async def test_a_conversation_is_started_in_a_category_by_id_or_slug(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Start a conversation in a category, named by its id or its slug."""
        category = (await client.get_conversation(await backend.categorized())).category
        assert category is not None
        draft = await idea(client, backend, subject)

        for name in filter(None, (category.id, category.slug)):
            started = await client.start(draft.model_copy(update={"category": name}))
            assert started.category == category

    @optional(Capability.START)
    async def test_a_started_conversation_carries_agent_and_key(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """As `post` does: the opening post carries the agent's name and the key where `read` finds them again."""
        started = await client.start(await idea(client, backend, subject, key="k"))

        (opening,) = (await client.read(ThreadRef(conversation=started.conversation))).messages
        assert carried(opening) == ("helper", outbound.key_digest("k"))

    @optional(Capability.START)
    async def test_a_started_conversation_passes_through_outbound(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """As `post` does: no comment, no control character, and nobody is called with everybody."""
        draft = (await idea(client, backend, subject)).model_copy(update={"body": "<!-- x --> @everyone\x07 look"})

        started = await client.start(draft)

        (opening,) = (await client.read(ThreadRef(conversation=started.conversation))).messages
        assert "<!--" not in written(opening)
        assert "@everyone" not in opening.body
        assert "\x07" not in opening.body

    @optional(Capability.START)
    async def test_a_key_starts_one_conversation(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """At most once for a key, as `post` does; without one every call starts another."""
        keyed, plain = await idea(client, backend, subject, key="k"), await idea(client, backend, subject)

        started = [await client.start(draft) for draft in (keyed, keyed, plain, plain)]

        assert started[0] == started[1]
        assert len({one.conversation for one in started}) == 3

    @optional(Capability.START)
    async def test_a_key_starts_one_conversation_though_many_start_it(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """At most once for a key, whoever is faster."""
        draft = await idea(client, backend, subject, key="k")

        started = await asyncio.gather(*(client.start(draft) for _ in range(5)))

        assert len({one.conversation for one in started}) == 1

    @optional(Capability.START)
    @needs(Ability.LOSE)
    async def test_a_conversation_whose_start_landed_is_found_again(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """At most once for a key: after a send whose outcome is not known it is looked for."""
        draft = await idea(client, backend, subject, key="k")
        await backend.break_wire(Ability.LOSE)

        started = await client.start(draft)

        assert await client.start(draft) == started

    @optional(Capability.START)
    @needs(Ability.DROP, Ability.WATCH)
    async def test_a_start_that_could_not_be_found_is_ambiguous_and_not_sent_again(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Unavailable, with `ambiguous` true: never a second send."""
        draft, before = await idea(client, backend, subject, key="k"), await backend.writes()
        await backend.break_wire(Ability.DROP)

        with pytest.raises(Unavailable) as failed:
            await client.start(draft)

        assert failed.value.ambiguous
        assert await backend.writes() == before + 1

    @optional(Capability.START)
    @needs(Ability.HOLD_WRITES, Ability.WATCH)
    async def test_a_cancelled_start_is_found_by_its_key(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A cancelled start counts as ambiguous, as a post does: starting again with the same key starts once."""
        draft, before = await idea(client, backend, subject, key="k"), await backend.writes()
        await backend.break_wire(Ability.HOLD_WRITES)
        await cancelled(asyncio.create_task(client.start(draft)), backend)

        started = await client.start(draft)

        assert await client.start(draft) == started
        assert await backend.writes() == before + 1

    @optional(Capability.START)
    @pytest.mark.parametrize(
        ("field", "wrong", "error"),
        [
            ("place", "{place}-404404", NotFound),
            ("category", "a-category-that-nobody-made", Invalid),
            ("body", " \n\x00", Invalid),
        ],
        ids=["place", "category", "body"],
    )
    async def test_what_cannot_be_started_is_refused(
        self,
        client: conversation.Client,
        backend: ConversationBackend,
        subject: ThreadRef,
        field: str,
        wrong: str,
        error: type[Error],
    ) -> None:
        """Raise NotFound when the place is not there, Invalid when it has no such category or with nothing to read."""
        draft = await idea(client, backend, subject, key="k")

        with pytest.raises(error):
            await client.start(draft.model_copy(update={field: wrong.format(place=backend.place)}))

    @optional(Capability.START)
    async def test_an_opening_post_over_the_limit_is_invalid(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Invalid over a limit."""
        limit = client.limits.body_chars
        draft = await idea(client, backend, subject)

        with pytest.raises(Invalid):
            await client.start(draft.model_copy(update={"body": "x" * (limit + 1 if limit else 0)}))

    @optional(Capability.START)
    @needs(Ability.GUARD)
    async def test_a_conversation_that_this_identity_may_not_start_is_denied(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Denied when this identity may not start one there."""
        draft = (await idea(client, backend, subject)).model_copy(update={"category": await backend.guarded()})

        with pytest.raises(Denied):
            await client.start(draft)
