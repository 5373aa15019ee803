"""Offers: what a conversation client declares is done, and what it does not declare is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tertulia import conversation
from tertulia.conversation import Capability, Conversation
from tertulia.thread import Message, ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._marks import BROKEN, needs, refuses
from tertulia_contract._operations import plainly, settled

__all__ = ["Offers"]

_GIVES: dict[Capability, type] = {
    Capability.BROWSE: list,
    Capability.EDIT: Message,
    Capability.DELETE: type(None),
    Capability.LABEL: tuple,
    Capability.REACT: type(None),
    Capability.SET_STATE: Conversation,
    Capability.MARK_ANSWER: Conversation,
    Capability.START: Conversation,
    Capability.MINIMIZE: type(None),
}
_EACH = pytest.mark.parametrize(
    "capability",
    [pytest.param(one, marks=needs(Ability.ASK) if one == "mark_answer" else (), id=one) for one in Capability],
)


class Offers:
    """Hold what `capabilities` says against what the operations do."""

    async def test_capabilities_of_conversations_are_data(self, client: conversation.Client) -> None:
        """Say which optional operations the client has."""
        assert isinstance(client.capabilities, frozenset)
        assert all(isinstance(one, Capability) for one in client.capabilities)

    @_EACH
    async def test_what_is_offered_is_done_and_the_rest_refused(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef, capability: Capability
    ) -> None:
        """An operation whose capability is not in `capabilities` raises Unsupported with it, and leaves no trace."""
        if capability not in client.capabilities:
            await refuses(capability.value, client, backend, subject)
            return

        for operation in await _offered(capability, client, backend, subject):
            assert isinstance(await settled(operation), _GIVES[capability])

    @_EACH
    @BROKEN
    async def test_what_is_offered_and_cannot_be_done_is_an_error(
        self,
        client: conversation.Client,
        backend: ConversationBackend,
        subject: ThreadRef,
        capability: Capability,
        how: Ability,
        error: type[Exception],
    ) -> None:
        """All raise Denied, RateLimited, Unavailable."""
        if capability not in client.capabilities:
            await refuses(capability.value, client, backend, subject)
            return
        operations = await _offered(capability, client, backend, subject)
        await backend.break_wire(how)

        for operation in operations:
            with pytest.raises(error):
                await settled(operation)


async def _offered(
    capability: Capability, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
) -> list[Callable[[], Any]]:
    answered = await backend.ask() if capability is Capability.MARK_ANSWER else subject
    return await plainly(capability.value, client, backend, answered)
