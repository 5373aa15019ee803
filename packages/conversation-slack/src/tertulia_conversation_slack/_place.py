"""Where a conversation is, and what names a message in it."""

from __future__ import annotations

import re
from typing import NamedTuple

from tertulia.errors import Invalid, NotFound
from tertulia.thread import MessageRef, ThreadRef
from tertulia_conversation_slack._ts import is_ts

__all__ = ["SOURCE_TYPE", "Place"]

SOURCE_TYPE = "slack_message"
_CONVERSATION = re.compile(r"(?:(?P<team>[TE][A-Z0-9]{1,63})/)?(?P<channel>[CDG][A-Z0-9]{1,63})")


class Place(NamedTuple):
    """Hold the team and the channel of a conversation; messages in it are named by their `ts`."""

    team: str
    channel: str

    @classmethod
    def of(cls, conversation: str) -> Place:
        """Read `T1/C1`; a channel alone has no team. Raises Invalid for anything else."""
        found = _CONVERSATION.fullmatch(conversation)
        if found is None:
            raise Invalid("slack: conversation: must look like T1/C1", field="conversation")
        return cls(found["team"] or "", found["channel"])

    @property
    def conversation(self) -> str:
        """Write `T1/C1`."""
        return f"{self.team}/{self.channel}"

    def name(self, ts: str) -> str:
        """Give the id of a message: a `ts` is unique in its channel only."""
        return f"{self.conversation}/{ts}"

    def root(self, thread: ThreadRef, operation: str) -> str | None:
        """Give the `ts` that a thread is addressed by."""
        return None if thread.root is None else self._ts(thread.root, operation)

    def message(self, message: MessageRef, operation: str) -> str:
        """Give the `ts` of a message. Raises NotFound for one that is in another channel or of another kind."""
        if message.source_type != SOURCE_TYPE:
            raise NotFound(f"there is no {message.source_type} in Slack", backend="slack", operation=operation)
        return self._ts(message.id, operation)

    def _ts(self, ident: str, operation: str) -> str:
        """Read a `ts`, or an id with team and channel before it."""
        place, _, ts = ident.rpartition("/")
        if not is_ts(ts) or (place and place != self.conversation):
            raise NotFound("no message of this channel has that id", backend="slack", operation=operation)
        return ts
