"""Hold a client to the contract, as an adapter's tests do. Type checkers read this file; nothing runs it."""

from typing import assert_type

import pytest

from tertulia import conversation, tracker
from tertulia_contract import Ability, Backend, ConversationBackend, ConversationContract, TrackerContract, Unable
from tertulia_contract.memory import MemoryBackend, MemoryConversations


class TestMine(TrackerContract):
    """Give the two fixtures, and nothing else."""

    @pytest.fixture
    def backend(self) -> Backend:
        """Take the handle in memory where a handle is asked for."""
        return MemoryBackend()

    @pytest.fixture
    def client(self) -> tracker.Client:
        """Take a client of that handle."""
        return MemoryBackend().client()


class TestMyConversations(ConversationContract):
    """Give the two fixtures, and nothing else."""

    @pytest.fixture
    def backend(self) -> ConversationBackend:
        """Take the handle in memory where a handle is asked for."""
        return MemoryConversations()

    @pytest.fixture
    def client(self) -> conversation.Client:
        """Take a client of that handle."""
        return MemoryConversations().client(without=[conversation.Capability.START])


def what_a_handle_can(backend: Backend) -> bool:
    """Ask a handle."""
    assert_type(backend.can, frozenset[Ability])
    assert_type(Unable().can, frozenset[Ability])
    return Ability.SPEAK in backend.can
