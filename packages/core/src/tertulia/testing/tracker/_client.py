"""A client that acts on the tracker in memory as one account."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tertulia import outbound
from tertulia.errors import Invalid
from tertulia.testing._acting import Acting
from tertulia.testing.tracker._tracker import Tracker
from tertulia.thread import Listing, Message, ThreadRef
from tertulia.tracker import Capability, Issue, IssueDraft, Unimplemented

__all__ = ["Client"]


class Client(Acting[Tracker, Capability], Unimplemented):
    """Act on a tracker in memory as one account; capabilities left out raise Unsupported."""

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Read an issue whole, page by page, and once more when comments were deleted meanwhile."""
        place = thread.conversation
        again = True
        while True:
            counted = (await self._issue("read", place)).comments or 0
            opening = await self._wire.carry("read", lambda: self.native.opening(place))
            found: dict[str, Message] = {}
            for number in range(-(-counted // self.native.page_size)):
                found |= {one.ref: one for one in await self._page("read", place, number)}
            complete = len(found) >= counted
            if complete or not again:
                reported = {"issue_comment": counted}
                return Listing(messages=(opening, *found.values()), complete=complete, reported=reported)
            again = False

    async def get_issue(self, thread: ThreadRef, /) -> Issue:
        """Read an issue."""
        return await self._issue("get_issue", thread.conversation)

    async def create_issue(self, draft: IssueDraft, /) -> Issue:
        """Create an issue."""
        self._needs(Capability.CREATE_ISSUE)
        body = outbound.clean(draft.body)

        def create() -> Issue:
            issue = self.native.open(draft.place, title=draft.title, body=body, author=self._account)
            self.native.label(issue.conversation, add=draft.labels)
            return self.native.issue(issue.conversation)

        return await self._wire.carry("create_issue", create, write=True)

    async def transition(self, thread: ThreadRef, state: str, /) -> Issue:
        """Open or close an issue."""
        self._needs(Capability.TRANSITION)
        if state not in ("open", "closed"):
            raise Invalid("state: must be open or closed", field="state")
        return await self._wire.carry(
            "transition", lambda: self.native.set_state(thread.conversation, closed=state == "closed"), write=True
        )

    def search(self, query: str, /) -> AsyncIterator[Issue]:
        """Find the issues whose title or body has every word of the query."""
        self._needs(Capability.SEARCH)
        return self._found(query.lower().split())

    async def _found(self, words: list[str]) -> AsyncIterator[Issue]:
        for issue in await self._wire.carry("search", self.native.issues):
            if all(word in f"{issue.title} {issue.body}".lower() for word in words):
                yield issue

    async def _issue(self, operation: str, conversation: str) -> Issue:
        return await self._wire.carry(operation, lambda: self.native.issue(conversation))

    async def _page(self, operation: str, conversation: str, number: int) -> tuple[Message, ...]:
        return await self._wire.carry(operation, lambda: self.native.page(conversation, number))
