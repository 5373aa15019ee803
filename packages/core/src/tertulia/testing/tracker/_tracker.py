"""What the tracker holds, and what people do on its site."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from tertulia.testing._site import Held, Site
from tertulia.thread import Account, Listing, Message
from tertulia.tracker import Capability, Issue

if TYPE_CHECKING:
    from tertulia.testing.tracker._client import Client

__all__ = ["Tracker"]


class Tracker(Site[Held]):
    """Hold issues in memory. `client(account)` acts as an account; the other methods are what people do on the site.

    Time passes by one second with everything that is written, so that order and edits can be told. `wire` is what the
    clients' requests go over, and may be broken.
    """

    opens = "issue"

    def client(self, account: Account, capabilities: Collection[Capability] = tuple(Capability)) -> Client:
        """Give a client that acts as this account, with these capabilities."""
        from tertulia.testing.tracker._client import Client

        return Client(self, account, frozenset(capabilities))

    def open(self, place: str, *, title: str, body: str, author: Account | None, association: str = "NONE") -> Issue:
        """Open an issue in a place (`acme/demo`)."""
        address = self._next_address(place)
        opening = self._opening(address, title=title, body=body, author=author, association=association)
        self._held[address] = Held(opening)
        return self.issue(address)

    def set_state(self, conversation: str, *, closed: bool) -> Issue:
        """Close or open an issue."""
        self._find(conversation).closed = closed
        return self.issue(conversation)

    def transfer(self, conversation: str, place: str) -> Issue:
        """Move an issue to another place; its old address leads there."""
        return self.issue(self._move(conversation, place))

    def issue(self, conversation: str) -> Issue:
        """Give an issue as it is now."""
        held = self._find(conversation)
        opening = held.opening
        return Issue(
            conversation=self._address(conversation),
            id=opening.id,
            title=opening.title or "",
            body=opening.body,
            author=opening.author,
            association=opening.association,
            state="closed" if held.closed else "open",
            state_reason=held.state_reason,
            labels=tuple(held.labels),
            locked=held.locked,
            comments=len(held.comments),
            created_at=opening.created_at,
            updated_at=held.active_at,
            url=opening.url,
        )

    def issues(self) -> list[Issue]:
        """Give every issue, in the order they were opened."""
        return [self.issue(conversation) for conversation in self._held]

    def listing(self, conversation: str) -> Listing:
        """Give an issue whole, with its own count."""
        held = self._find(conversation)
        messages = (held.opening, *held.comments.values())
        return Listing(messages=messages, complete=True, reported={"issue_comment": len(held.comments)})

    def page(self, conversation: str, number: int) -> tuple[Message, ...]:
        """Give one page of an issue's comments, counted from 0."""
        return self._page(conversation, None, tuple(self._find(conversation).comments.values()), number)
