"""Marking: reactions, and hiding a message."""

from __future__ import annotations

import pytest

from tertulia.errors import Error, NotFound
from tertulia.thread import ThreadRef
from tertulia.tracker import Capability
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import AnyClient, draft, ref_of
from tertulia_contract._marks import needs, optional

__all__ = ["Marking"]


class Marking:
    """Hold what `react` and `minimize` say (REACT, MINIMIZE)."""

    @optional(Capability.REACT)
    async def test_a_reaction_that_is_there_is_no_error(
        self, client: AnyClient, backend: Backend, thread: ThreadRef
    ) -> None:
        """Add a reaction to a message; one that is there already is no error."""
        ref = ref_of(thread, await client.post(thread, draft()))

        await client.react(ref, "+1")
        await client.react(ref, "+1")

        assert (await client.get_message(ref)).id == ref.id

    @optional(Capability.REACT)
    @needs(Ability.DELETE)
    async def test_nobody_reacts_to_what_is_gone(self, client: AnyClient, backend: Backend, thread: ThreadRef) -> None:
        """Raise NotFound for a message that is not there."""
        ref = ref_of(thread, await client.post(thread, draft()))
        await backend.remove(ref)

        with pytest.raises(NotFound):
            await client.react(ref, "+1")

    @optional(Capability.MINIMIZE)
    async def test_a_message_is_hidden_with_a_reason(
        self, client: AnyClient, backend: Backend, thread: ThreadRef
    ) -> None:
        """Hide a message from readers, with a reason; who reads the thread sees that it is hidden."""
        ref = ref_of(thread, await client.post(thread, draft()))

        await client.minimize(ref, "spam")

        assert (await client.get_message(ref)).minimized
        assert (await client.read(thread)).messages[1].minimized

    @optional(Capability.MINIMIZE)
    @needs(Ability.DELETE)
    async def test_what_is_gone_is_not_hidden(self, client: AnyClient, backend: Backend, thread: ThreadRef) -> None:
        """Raise an error of the tree for a message that is not there."""
        ref = ref_of(thread, await client.post(thread, draft()))
        await backend.remove(ref)

        with pytest.raises(Error):
            await client.minimize(ref, "spam")
