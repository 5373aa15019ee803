"""Conversations in memory keep the contract that they specify."""

import pytest

from tertulia.testing.conversation import Client
from tertulia_contract import ConversationContract
from tertulia_contract.memory import MemoryConversations


class TestMemoryConversation(ConversationContract):
    """With every capability, and every ability."""

    complete = True

    @pytest.fixture
    def backend(self) -> MemoryConversations:
        """A place of its own."""
        return MemoryConversations()

    @pytest.fixture
    def client(self, backend: MemoryConversations) -> Client:
        """A client that acts as the helper."""
        return backend.client()
