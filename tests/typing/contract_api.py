"""Hold a client to the contract, as an adapter's tests do. Type checkers read this file; nothing runs it."""

from collections.abc import Mapping
from typing import ClassVar, assert_type

import pytest

from tertulia import conversation, tracker
from tertulia_contract import (
    Ability,
    Backend,
    Contract,
    ConversationBackend,
    ConversationContract,
    ThreadsContract,
    TrackerContract,
    Unable,
)
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


class TestMyThreads(ThreadsContract):
    """Name what is known to fail."""

    known_failures: ClassVar = {"test_whoami_is_resolved_once": "https://tracker.example/acme/demo/issues/1"}


def what_is_kept(contract: type[Contract]) -> Mapping[str, str]:
    """Look at what a class of tests is known to fail."""
    return contract.known_failures


def what_a_handle_can(backend: Backend) -> bool:
    """Ask a handle."""
    assert_type(backend.can, frozenset[Ability])
    assert_type(Unable().can, frozenset[Ability])
    return Ability.SPEAK in backend.can
