"""Finds what is on the first page, and no more."""

from collections.abc import AsyncIterator, Callable
from typing import Any

from tertulia.testing.conversation import Client
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_page_of_conversations_that_is_cut_is_no_end",
    "test_a_page_of_threads_that_is_cut_is_no_end",
    "test_every_page_is_read",
    "test_every_page_of_conversations_is_read",
    "test_every_page_of_replies_is_read",
    "test_every_page_of_roots_and_of_their_replies_is_read",
    "test_every_thread_is_found",
    "test_items_listed_twice_are_given_once_or_twice",
    "test_replies_listed_twice_are_given_once_or_twice",
    "test_the_edge_of_a_page_loses_nothing",
    "test_the_edge_of_a_page_of_replies_loses_nothing",
}


class Liar(Client):
    """Stop early."""

    async def _pages(self, operation: str, page: Callable[[int], tuple[Any, ...]]) -> AsyncIterator[Any]:
        for item in await self._wire.carry(operation, lambda: page(0)):
            yield item


class TestLiar(ConversationContract):
    """What the kit finds."""
