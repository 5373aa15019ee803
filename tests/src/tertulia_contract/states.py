"""States: conversations that are closed, and conversations that are locked."""

from __future__ import annotations

import pytest

from tertulia import conversation
from tertulia.conversation import Capability
from tertulia.errors import Conflict, Invalid, NotFound
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import draft
from tertulia_contract._marks import needs, optional
from tertulia_contract._moving import followed

__all__ = ["States"]

_NOBODYS = "a reason that nobody has"


class States:
    """Hold what `set_state` says (SET_STATE)."""

    @optional(Capability.SET_STATE)
    async def test_a_conversation_is_closed_and_opened(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Close or open a conversation; give it as it is then."""
        closed = await client.set_state(subject, closed=True)
        seen = await client.get_conversation(subject)
        opened = await client.set_state(subject, closed=False)

        assert seen == closed
        assert (closed.closed, opened.closed) == (True, False)
        assert await client.get_conversation(subject) == opened

    @optional(Capability.SET_STATE)
    async def test_a_conversation_is_locked_and_unlocked(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Lock or unlock a conversation: a locked one takes no answer."""
        locked = await client.set_state(subject, locked=True)
        with pytest.raises(Conflict):
            await client.post(subject, draft())
        unlocked = await client.set_state(subject, locked=False)

        assert (locked.locked, unlocked.locked) == (True, False)
        assert (await client.post(subject, draft())).id

    @optional(Capability.SET_STATE)
    async def test_what_is_not_asked_for_stays_as_it_is(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """None leaves as it is."""
        await client.set_state(subject, closed=True)
        both = await client.set_state(subject, locked=True)
        locked = await client.set_state(subject, closed=False)
        same = await client.set_state(subject)

        assert [(one.closed, one.locked) for one in (both, locked, same)] == [
            (True, True),
            (False, True),
            (False, True),
        ]

    @optional(Capability.SET_STATE)
    async def test_a_conversation_is_closed_and_locked_at_once(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Close or open, lock or unlock: both in one call."""
        both = await client.set_state(subject, closed=True, locked=True)
        neither = await client.set_state(subject, closed=False, locked=False)

        assert [(one.closed, one.locked) for one in (both, neither)] == [(True, True), (False, False)]

    @optional(Capability.SET_STATE)
    @pytest.mark.parametrize("wanted", [True, False])
    async def test_a_state_that_is_so_already_is_no_error(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef, wanted: bool
    ) -> None:
        """What is so already is no error."""
        first = await client.set_state(subject, closed=wanted, locked=wanted)
        second = await client.set_state(subject, closed=wanted, locked=wanted)

        assert [(one.closed, one.locked) for one in (first, second)] == [(wanted, wanted)] * 2

    @optional(Capability.SET_STATE)
    @needs(Ability.CLOSE)
    async def test_a_conversation_is_closed_for_a_reason(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """`reason` says why it is closed, in the backend's own words."""
        reason = await backend.close(await backend.open())

        closed = await client.set_state(subject, closed=True, locked=True, reason=reason)

        assert (closed.closed, closed.state_reason) == (True, reason)

    @optional(Capability.SET_STATE)
    @pytest.mark.parametrize("change", [{"closed": True}, {"locked": True}, {"closed": True, "locked": True}], ids=str)
    async def test_a_reason_that_is_none_changes_nothing(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef, change: dict[str, bool]
    ) -> None:
        """Raise Invalid for a reason that the backend does not have, before anything is changed."""
        before = await client.get_conversation(subject)

        with pytest.raises(Invalid):
            await client.set_state(subject, **change, reason=_NOBODYS)

        assert await client.get_conversation(subject) == before

    @optional(Capability.SET_STATE)
    async def test_a_conversation_that_is_not_there_has_no_state(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """All raise NotFound when the conversation is not there."""
        with pytest.raises(NotFound):
            await client.set_state(await backend.missing(), closed=True)

    @optional(Capability.SET_STATE)
    @needs(Ability.TRANSFER)
    async def test_a_conversation_is_closed_where_it_is(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """A transferred one is followed where the backend says where it went."""
        there = await backend.transfer(subject)

        led = await followed(backend, client.set_state(subject, closed=True))

        assert (await client.get_conversation(there)).closed is led
