"""Capabilities: what is declared is done, and what is not declared is refused."""

from __future__ import annotations

import pytest

from tertulia import tracker
from tertulia.thread import Message, ThreadRef
from tertulia.tracker import Capability, Issue
from tertulia_contract._backend import Backend
from tertulia_contract._marks import refuses
from tertulia_contract._operations import plainly, settled

__all__ = ["Capabilities"]

_GIVES: dict[Capability, type] = {
    Capability.EDIT: Message,
    Capability.DELETE: type(None),
    Capability.LABEL: tuple,
    Capability.REACT: type(None),
    Capability.MINIMIZE: type(None),
    Capability.CREATE_ISSUE: Issue,
    Capability.TRANSITION: Issue,
    Capability.SEARCH: list,
}


class Capabilities:
    """Hold what `capabilities` says against what the operations do."""

    async def test_capabilities_are_data(self, client: tracker.Client) -> None:
        """Say which optional operations the client has."""
        assert isinstance(client.capabilities, frozenset)
        assert all(isinstance(one, Capability) for one in client.capabilities)

    @pytest.mark.parametrize("capability", list(Capability), ids=str)
    async def test_an_operation_is_done_or_refused(
        self, client: tracker.Client, backend: Backend, thread: ThreadRef, capability: Capability
    ) -> None:
        """An operation whose capability is not in `capabilities` raises Unsupported with it, and leaves no trace."""
        if capability not in client.capabilities:
            await refuses(capability.value, client, backend, thread)
            return

        (operation,) = await plainly(capability.value, client, backend, thread)

        assert isinstance(await settled(operation), _GIVES[capability])
