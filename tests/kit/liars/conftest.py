"""Where liars act: on a site in memory of the kind that their contract is for."""

import pytest

from tertulia_contract import ConversationContract
from tertulia_contract.memory import MemoryBackend, MemoryConversations

_PAGE = 20
"""Items on a page: enough to lose one, and few, because a liar has to go past the edge of it in many tests."""


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> MemoryBackend | MemoryConversations:
    """A site of its own; where it leads to is up to the module."""
    assert request.cls is not None
    kind = MemoryConversations if issubclass(request.cls, ConversationContract) else MemoryBackend
    made = kind(page_size=_PAGE)
    made.forwards = getattr(request.module, "FORWARDS", True)
    return made


@pytest.fixture
def client(request: pytest.FixtureRequest, backend: MemoryBackend) -> object:
    """The liar of the module, without the capabilities that it does not declare."""
    return backend.client(request.module.Liar, without=getattr(request.module, "WITHOUT", ()))
