"""Takes `since` for a moment after which something has to be said."""

from collections.abc import AsyncIterator
from datetime import datetime

from tertulia.conversation import Thread
from tertulia.testing.conversation import Client
from tertulia_contract import ConversationContract

FAILS = {"test_since_is_inclusive_and_in_whole_seconds"}


class Liar(Client):
    """Leave out the second itself."""

    async def _active(self, conversation: str, since: datetime | None) -> AsyncIterator[Thread]:
        async for one in super()._active(conversation, since):
            if since is None or one.last_activity > since:
                yield one


class TestLiar(ConversationContract):
    """What the kit finds."""
