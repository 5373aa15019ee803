"""Capabilities: what is declared is done, and what is not declared is refused."""

from __future__ import annotations

import inspect

import pytest

from tertulia import tracker
from tertulia.thread import Message, ThreadRef
from tertulia.tracker import Capability, Issue
from tertulia_contract._backend import Backend
from tertulia_contract._helpers import draft, ref_of
from tertulia_contract._marks import call, refuses

__all__ = ["Capabilities"]

_GIVES: dict[Capability, type] = {
    Capability.EDIT: Message,
    Capability.DELETE: type(None),
    Capability.LABEL: tuple,
    Capability.REACT: type(None),
    Capability.MINIMIZE: type(None),
    Capability.CREATE_ISSUE: Issue,
    Capability.TRANSITION: Issue,
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
            await refuses(capability, client, backend, thread)
            return
        message = ref_of(thread, await client.post(thread, draft()))

        answer = call(capability, client, thread, message)
        if capability is Capability.SEARCH:
            assert all([isinstance(one, Issue) async for one in answer])
        else:
            assert inspect.isawaitable(answer)
            assert isinstance(await answer, _GIVES[capability])
