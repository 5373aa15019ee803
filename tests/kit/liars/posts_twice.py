"""Sends again when nobody knows whether the first answer landed."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tertulia.errors import Unavailable
from tertulia.testing.tracker import Client
from tertulia_contract import TrackerContract
from tertulia_contract.memory import MemoryBackend

FAILS = {
    "test_an_answer_that_could_not_be_found_is_ambiguous",
    "test_an_answer_that_could_not_be_found_is_not_sent_again",
    "test_an_answer_that_landed_is_found_again",
    "test_an_answer_that_landed_is_not_sent_again",
    "test_no_error_shows_the_credential",
    "test_the_caller_may_post_again_with_the_same_key",
}


class Liar(Client):
    """Be sure that it lands."""

    async def _send_or_find(self, send: Callable[[], Awaitable[Any]], look: Callable[[], Awaitable[Any]]) -> Any:
        try:
            return await send()
        except Unavailable:
            return await send()


class TestLiar(TrackerContract):
    """What the kit finds."""

    @pytest.fixture
    def backend(self) -> MemoryBackend:
        """A tracker in memory."""
        return MemoryBackend()

    @pytest.fixture
    def client(self, backend: MemoryBackend) -> Client:
        """The liar."""
        return backend.client(Liar)
