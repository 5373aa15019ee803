"""Conversations on any backend that has them, a GitHub Discussion as a Slack channel: read, answer, browse, moderate."""

from tertulia.conversation._client import Client, Unimplemented
from tertulia.conversation._models import Capability, Conversation, ConversationDraft, Thread, Trait

__all__ = ["Capability", "Client", "Conversation", "ConversationDraft", "Thread", "Trait", "Unimplemented"]
