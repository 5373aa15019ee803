"""Where liars act: on a site in memory of the kind that their contract is for."""

import pytest

from tertulia_contract import ConversationContract
from tertulia_contract.memory import MemoryBackend, MemoryConversations


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> MemoryBackend | MemoryConversations:
    """A site of its own."""
    assert request.cls is not None
    return MemoryConversations() if issubclass(request.cls, ConversationContract) else MemoryBackend()


@pytest.fixture
def client(request: pytest.FixtureRequest, backend: MemoryBackend) -> object:
    """The liar of the module, without the capabilities that it does not declare."""
    return backend.client(request.module.Liar, without=getattr(request.module, "WITHOUT", ()))
