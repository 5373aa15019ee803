"""What becomes of an address whose thread was moved: it leads to the new one, or nothing is there any more."""

from __future__ import annotations

from collections.abc import Awaitable

import pytest

from tertulia.errors import NotFound
from tertulia_contract._backend import Backend

__all__ = ["followed"]


async def followed(backend: Backend, call: Awaitable[object]) -> bool:
    """Make a call to an old address; say whether it was carried out at the new one. Elsewhere it raises NotFound."""
    if backend.forwards:
        await call
        return True
    with pytest.raises(NotFound):
        await call
    return False
