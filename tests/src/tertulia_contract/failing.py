"""Failing: an operation that a client has says why it cannot be done."""

from __future__ import annotations

import pytest

from tertulia import tracker
from tertulia.thread import ThreadRef
from tertulia.tracker import Capability
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._marks import BROKEN, refuses
from tertulia_contract._operations import plainly, settled

__all__ = ["Failing"]


class Failing:
    """Hold the optional operations of a tracker to the errors of `tertulia.errors`."""

    @pytest.mark.parametrize("capability", list(Capability), ids=str)
    @BROKEN
    async def test_what_is_declared_and_cannot_be_done_is_an_error(
        self,
        client: tracker.Client,
        backend: Backend,
        thread: ThreadRef,
        capability: Capability,
        how: Ability,
        error: type[Exception],
    ) -> None:
        """Every error a method raises is of the tree in `tertulia.errors`: Denied, RateLimited, Unavailable."""
        if capability not in client.capabilities:
            await refuses(capability.value, client, backend, thread)
            return
        (operation,) = await plainly(capability.value, client, backend, thread)
        await backend.break_wire(how)

        with pytest.raises(error):
            await settled(operation)
