"""Issues: what a tracker's threads are."""

from __future__ import annotations

import pytest

from tertulia import tracker
from tertulia.errors import Denied, NotFound, RateLimited, Unavailable
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import draft
from tertulia_contract._marks import needs

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

    @needs(Ability.LOCK)
    async def test_an_issue_says_that_it_is_locked(
        self, client: tracker.Client, backend: Backend, thread: ThreadRef
    ) -> None:
        """Read an issue: whether it is locked is known before an answer is written."""
        await backend.lock(thread)

        assert (await client.get_issue(thread)).locked

    @needs(Ability.TRANSFER)
    async def test_a_transferred_issue_is_followed(
        self, client: tracker.Client, backend: Backend, thread: ThreadRef
    ) -> None:
        """A transferred one is followed; after a transfer `conversation` is the new address."""
        before = await client.get_issue(thread)
        there = await backend.transfer(thread)

        issue = await client.get_issue(thread)

        assert issue.conversation == there.conversation != thread.conversation
        assert issue.title == before.title

    @needs(Ability.TRANSFER)
    async def test_a_transferred_issue_takes_an_answer(
        self, client: tracker.Client, backend: Backend, thread: ThreadRef
    ) -> None:
        """Post an answer under the thread's root, wherever that is now, at most once for a key."""
        there = await backend.transfer(thread)

        posted = await client.post(thread, draft(key="k"))

        assert (await client.post(thread, draft(key="k"))).ref == posted.ref
        assert [one.ref for one in (await client.read(there)).messages[1:]] == [posted.ref]

    async def test_an_issue_that_is_not_there_is_not_found(self, client: tracker.Client, backend: Backend) -> None:
        """NotFound when it is not there."""
        with pytest.raises(NotFound):
            await client.get_issue(await backend.missing())

    @needs(Ability.ERASE)
    async def test_an_issue_that_was_deleted_is_not_found(
        self, client: tracker.Client, backend: Backend, thread: ThreadRef
    ) -> None:
        """NotFound when it was deleted."""
        await backend.erase(thread)

        with pytest.raises(NotFound):
            await client.get_issue(thread)

    @pytest.mark.parametrize(
        ("how", "error"),
        [
            pytest.param(how, error, marks=needs(how))
            for how, error in [
                (Ability.DENY, Denied),
                (Ability.LIMIT, RateLimited),
                (Ability.CUT, Unavailable),
            ]
        ],
    )
    async def test_an_issue_that_cannot_be_read_is_no_issue(
        self, client: tracker.Client, backend: Backend, thread: ThreadRef, how: Ability, error: type[Exception]
    ) -> None:
        """Every error a method raises is of the tree in `tertulia.errors`."""
        await backend.break_wire(how)

        with pytest.raises(error):
            await client.get_issue(thread)
