"""Conversations on any backend that has them, a GitHub Discussion as a Slack channel: read, answer, browse, moderate.

Every name loads on first use, so that an adapter that says what it can do does not load the models.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tertulia.lazy import lazy as _lazy

if TYPE_CHECKING:
    from tertulia.conversation._capabilities import Capability, Trait
    from tertulia.conversation._client import Client, Unimplemented
    from tertulia.conversation._models import Conversation, ConversationDraft, Thread

__all__ = ["Capability", "Client", "Conversation", "ConversationDraft", "Thread", "Trait", "Unimplemented"]

__getattr__: Callable[[str], Any]
__dir__: Callable[[], list[str]]
__getattr__, __dir__ = _lazy(
    __name__,
    {
        "Capability": "_capabilities",
        "Client": "_client",
        "Conversation": "_models",
        "ConversationDraft": "_models",
        "Thread": "_models",
        "Trait": "_capabilities",
        "Unimplemented": "_client",
    },
)
