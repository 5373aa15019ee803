"""Puts the credential into the errors that it raises."""

from tertulia.errors import Denied
from tertulia.testing.tracker import Client
from tertulia.thread import Account
from tertulia_contract import TrackerContract
from tertulia_contract.memory import MemoryBackend

FAILS = {"test_no_error_shows_the_credential"}


class Liar(Client):
    """Tell too much."""

    async def whoami(self) -> Account:
        """Say what was refused."""
        try:
            return await super().whoami()
        except Denied as error:
            raise Denied(f"the token {MemoryBackend.secret} was refused", backend=self.backend) from error


class TestLiar(TrackerContract):
    """What the kit finds."""
