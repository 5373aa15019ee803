"""How transports are tested: on asyncio, with a clock that does not wait."""

import pytest

from tertulia.testing.clock import Time


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def time() -> Time:
    """A clock that does not wait."""
    return Time()
