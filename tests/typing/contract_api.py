"""Hold a client to the contract, as an adapter's tests do. Type checkers read this file; nothing runs it."""

from typing import assert_type

import pytest

from tertulia import tracker
from tertulia_contract import Ability, Backend, TrackerContract, Unable
from tertulia_contract.memory import MemoryBackend


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


def what_a_handle_can(backend: Backend) -> bool:
    """Ask a handle."""
    assert_type(backend.can, frozenset[Ability])
    assert_type(Unable().can, frozenset[Ability])
    return Ability.SPEAK in backend.can
