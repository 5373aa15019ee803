"""Issue content on any tracker: read, answer, edit, label.

Every name loads on first use, so that an adapter that says what it can do does not load the models.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tertulia.lazy import lazy as _lazy

if TYPE_CHECKING:
    from tertulia.tracker._capabilities import Capability
    from tertulia.tracker._client import Client, Unimplemented
    from tertulia.tracker._models import Issue, IssueDraft

__all__ = ["Capability", "Client", "Issue", "IssueDraft", "Unimplemented"]

__getattr__: Callable[[str], Any]
__dir__: Callable[[], list[str]]
__getattr__, __dir__ = _lazy(
    __name__,
    {
        "Capability": "_capabilities",
        "Client": "_client",
        "Issue": "_models",
        "IssueDraft": "_models",
        "Unimplemented": "_client",
    },
)
