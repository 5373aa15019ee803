"""Issues: what a tracker's threads are."""

from __future__ import annotations

from tertulia import tracker
from tertulia.thread import ThreadRef
from tertulia_contract._helpers import draft

__all__ = ["Issues"]


class Issues:
    """Hold what `get_issue` says."""

    async def test_an_issue_is_its_opening_post(self, client: tracker.Client, thread: ThreadRef) -> None:
        """Read an issue: `ThreadRef.conversation` is the issue."""
        issue = await client.get_issue(thread)

        opening = (await client.read(thread)).messages[0]
        assert issue.conversation == thread.conversation
        assert issue.state == "open"
        assert (issue.id, issue.title, issue.body) == (opening.id, opening.title, opening.body)
        assert issue.author == opening.author

    async def test_an_issue_is_read_as_it_is_now(self, client: tracker.Client, thread: ThreadRef) -> None:
        """Read an issue, with the backend's own count of comments."""
        before = await client.get_issue(thread)
        await client.post(thread, draft())

        after = await client.get_issue(thread)

        assert before.comments in (0, None)
        assert after.comments in (1, None)

    async def test_an_issue_is_read_whole_whatever_the_root(self, client: tracker.Client, thread: ThreadRef) -> None:
        """On an issue or a change proposal all of it is read whatever the root."""
        posted = await client.post(thread, draft())
        await client.post(thread, draft())

        rooted = await client.read(ThreadRef(conversation=thread.conversation, root=posted.id))

        assert rooted == await client.read(thread)
