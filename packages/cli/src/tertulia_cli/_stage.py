"""A saved thread that can be answered, in memory: what the bundled demonstration posts to."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tertulia import outbound
from tertulia.thread import Account, Draft, Limits, Listing, Message

if TYPE_CHECKING:
    from tertulia.ledger import Snapshot

__all__ = ["Stage"]

_SECONDS = 90


class Stage:
    """Act as the engine of a saved thread. A keyed answer is looked for first, as on every backend."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.limits = Limits(body_chars=65_536)
        self._listing = snapshot.listing
        self._engine = snapshot.run.engine or Account(login="helper", kind="bot")

    def read(self) -> Listing:
        """Give the thread as it is now."""
        return self._listing

    def post(self, draft: Draft) -> Message:
        """Post a comment, once for a key."""
        body = outbound.prepare(draft, carrier="markdown", limit=self.limits.body_chars)
        digest = outbound.find_key(body)
        known = (one for one in self._listing.messages if one.author == self._engine)
        found = next((one for one in known if digest is not None and outbound.find_key(one.body) == digest), None)
        return found or self._add(body)

    def _add(self, body: str) -> Message:
        messages = self._listing.messages
        last = max(messages, key=lambda one: one.created_at)
        ident = str(max(int(one.id) for one in messages) + 1)
        at = last.created_at + timedelta(seconds=_SECONDS)
        message = Message(
            id=ident,
            source_type="issue_comment",
            parent_id=ident,
            author=self._engine,
            association="NONE",
            body=body,
            created_at=at,
            updated_at=at,
            url=f"{(last.url or '').partition('#')[0]}#issuecomment-{ident}",
        )
        counted = {
            kind: count + (kind == message.source_type) for kind, count in (self._listing.reported or {}).items()
        }
        self._listing = Listing(
            messages=(*messages, message), complete=self._listing.complete, reported=counted or None
        )
        return message
