"""Takes a page that does not arrive for the end of what is found."""

from collections.abc import AsyncIterator, Callable
from typing import Any

from tertulia.errors import Unavailable
from tertulia.testing.conversation import Client
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_page_of_conversations_that_is_cut_is_no_end",
    "test_a_page_of_threads_that_is_cut_is_no_end",
    "test_what_is_offered_and_cannot_be_done_is_an_error",
}


class Liar(Client):
    """Find no more."""

    async def _pages(self, operation: str, page: Callable[[int], tuple[Any, ...]]) -> AsyncIterator[Any]:
        try:
            async for item in super()._pages(operation, page):
                yield item
        except Unavailable:
            return


class TestLiar(ConversationContract):
    """What the kit finds."""
