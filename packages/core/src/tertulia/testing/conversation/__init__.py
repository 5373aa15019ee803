"""Conversations in memory, with every capability: the executable specification of `tertulia.conversation.Client`.

Nothing is faked about the rules: replies are flat, a root with replies leaves a tombstone, a category is no label and
takes answers or none, only the author edits, and a locked conversation takes no answer.
"""

from tertulia.testing.conversation._client import Client
from tertulia.testing.conversation._conversations import Conversations

__all__ = ["Client", "Conversations"]
