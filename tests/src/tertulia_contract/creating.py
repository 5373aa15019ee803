"""Creating: new issues, their state, and how they are found."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tertulia import tracker
from tertulia.errors import Invalid
from tertulia.thread import ThreadRef
from tertulia.tracker import Capability, IssueDraft
from tertulia_contract._backend import Backend
from tertulia_contract._marks import optional

__all__ = ["Creating"]


class Creating:
    """Hold what `create_issue`, `transition` and `search` say (CREATE_ISSUE, TRANSITION, SEARCH)."""

    @optional(Capability.CREATE_ISSUE)
    async def test_an_issue_is_created(self, client: tracker.Client, backend: Backend, thread: ThreadRef) -> None:
        """Create an issue: it is there, by this account, as it was drafted."""
        made = await client.create_issue(_draft(thread, title="Another one", body="Words."))

        found = await client.get_issue(ThreadRef(conversation=made.conversation))
        assert (found.title, found.body, found.state) == ("Another one", "Words.", "open")
        assert found.author is not None
        assert found.author.id == (await client.whoami()).id

    @optional(Capability.CREATE_ISSUE)
    async def test_a_created_issue_passes_through_outbound(
        self, client: tracker.Client, backend: Backend, thread: ThreadRef
    ) -> None:
        """What an agent wrote carries no comment and calls nobody with everybody."""
        made = await client.create_issue(_draft(thread, title="Another one", body="<!-- x --> @everyone\x07"))

        assert "<!--" not in made.body
        assert "@everyone" not in made.body
        assert "\x07" not in made.body

    @optional(Capability.CREATE_ISSUE)
    async def test_an_issue_is_created_with_its_labels(
        self, client: tracker.Client, backend: Backend, thread: ThreadRef
    ) -> None:
        """Create an issue with the labels of its draft."""
        made = await client.create_issue(_draft(thread, title="Another one", labels=("bug",)))

        assert made.labels == ("bug",)

    @optional(Capability.TRANSITION)
    async def test_an_issue_is_closed_and_opened(
        self, client: tracker.Client, backend: Backend, thread: ThreadRef
    ) -> None:
        """Move an issue to another state: `open`, `closed`."""
        closed = await client.transition(thread, "closed")
        seen = await client.get_issue(thread)
        opened = await client.transition(thread, "open")

        assert (closed.state, seen.state, opened.state) == ("closed", "closed", "open")

    @optional(Capability.TRANSITION)
    async def test_a_state_that_is_none_is_invalid(
        self, client: tracker.Client, backend: Backend, thread: ThreadRef
    ) -> None:
        """Move to `open`, `closed`, or one of the backend's own: Invalid for any other."""
        with pytest.raises(Invalid):
            await client.transition(thread, "a state that nobody has")

        assert (await client.get_issue(thread)).state == "open"

    @optional(Capability.SEARCH)
    async def test_issues_are_found(self, client: tracker.Client, backend: Backend, thread: ThreadRef) -> None:
        """Find issues in the backend's own query language."""
        title = (await client.get_issue(thread)).title

        found = [issue.conversation async for issue in client.search(title)]

        assert thread.conversation in found

    @optional(Capability.SEARCH)
    async def test_search_is_a_plain_function(
        self, client: tracker.Client, backend: Backend, thread: ThreadRef
    ) -> None:
        """Optional iterators are plain functions, so that Unsupported is raised at the call."""
        assert isinstance(client.search("fails"), AsyncIterator)


def _draft(thread: ThreadRef, *, title: str, body: str = "", labels: tuple[str, ...] = ()) -> IssueDraft:
    place = thread.conversation.partition("#")[0]
    return IssueDraft(place=place, title=title, body=body, labels=labels)
