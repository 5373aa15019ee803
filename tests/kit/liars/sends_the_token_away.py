"""Follows a redirect to another host, and takes the credential along."""

from tertulia.testing.tracker import Client
from tertulia.testing.wire import Fault
from tertulia.thread import Listing, ThreadRef
from tertulia_contract import TrackerContract
from tertulia_contract.memory import MemoryBackend

FAILS = {"test_the_credential_does_not_follow_to_another_host"}


class Liar(Client):
    """Go where it is sent."""

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Follow."""
        if self._wire.fault is Fault.MOVE:
            self._wire.overheard.append(f"authorization: bearer {MemoryBackend.secret}")
        return await super().read(thread)


class TestLiar(TrackerContract):
    """What the kit finds."""
