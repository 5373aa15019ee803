"""Editing: the body of an own message, and nothing else of it."""

from __future__ import annotations

import pytest

from tertulia.errors import Denied, Invalid, NotFound
from tertulia.thread import Draft, ThreadRef
from tertulia.tracker import Capability
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import AnyClient, carried, draft, posted_by, ref_of, written
from tertulia_contract._marks import needs, optional

__all__ = ["Editing"]


class Editing:
    """Hold what `edit` says (EDIT)."""

    @optional(Capability.EDIT)
    async def test_edit_replaces_the_body(self, client: AnyClient, backend: Backend, thread: ThreadRef) -> None:
        """Replace the body of an own message."""
        posted = await client.post(thread, draft("First."))

        edited = await client.edit(ref_of(thread, posted), draft("Second."))

        (found,) = await posted_by(client, thread)
        assert (found.ref, written(found)) == (posted.ref, "Second.")
        assert (edited.ref, written(edited)) == (posted.ref, "Second.")

    @optional(Capability.EDIT)
    async def test_edit_keeps_agent_and_key(self, client: AnyClient, backend: Backend, thread: ThreadRef) -> None:
        """Agent and key lines are kept, whatever the new draft says."""
        posted = await client.post(thread, draft("First.", key="k"))

        await client.edit(ref_of(thread, posted), Draft(body="Second.", agent="other", key="another"))

        (found,) = await posted_by(client, thread)
        assert carried(found) == carried(posted)

    @optional(Capability.EDIT)
    async def test_an_edited_message_is_known_by_its_key(
        self, client: AnyClient, backend: Backend, thread: ThreadRef
    ) -> None:
        """A known key returns the existing message, as it is now."""
        posted = await client.post(thread, draft("First.", key="k"))
        await client.edit(ref_of(thread, posted), draft("Second."))

        again = await client.post(thread, draft("First.", key="k"))

        assert (again.ref, written(again)) == (posted.ref, "Second.")

    @optional(Capability.EDIT)
    async def test_an_edited_body_passes_through_outbound(
        self, client: AnyClient, backend: Backend, thread: ThreadRef
    ) -> None:
        """Every `post` and `edit` calls `prepare`."""
        posted = await client.post(thread, draft())

        await client.edit(ref_of(thread, posted), draft("<!-- bot-agent-x -->\x07 @everyone"))

        (found,) = await posted_by(client, thread)
        assert "<!--" not in written(found)
        assert "\x07" not in found.body
        assert "@everyone" not in found.body

    @optional(Capability.EDIT)
    async def test_an_edit_over_the_limit_is_invalid(
        self, client: AnyClient, backend: Backend, thread: ThreadRef
    ) -> None:
        """Raise Invalid over a limit, and leave the message as it was."""
        posted = await client.post(thread, draft())
        limit = client.limits.edit_chars or client.limits.body_chars

        with pytest.raises(Invalid):
            await client.edit(ref_of(thread, posted), draft("x" * (limit + 1 if limit else 0)))

        assert await posted_by(client, thread) == [posted]

    @optional(Capability.EDIT)
    @needs(Ability.DELETE)
    async def test_a_message_that_is_gone_is_not_edited(
        self, client: AnyClient, backend: Backend, thread: ThreadRef
    ) -> None:
        """Raise NotFound."""
        ref = ref_of(thread, await client.post(thread, draft()))
        await backend.remove(ref)

        with pytest.raises(NotFound):
            await client.edit(ref, draft("Second."))

    @optional(Capability.EDIT)
    @needs(Ability.SPEAK)
    async def test_a_message_of_somebody_else_is_not_edited(
        self, client: AnyClient, backend: Backend, thread: ThreadRef
    ) -> None:
        """Raise Denied for a message of somebody else."""
        said = await backend.say(thread, "Mine.")

        with pytest.raises(Denied):
            await client.edit(said, draft("Yours."))

        assert (await client.get_message(said)).body == "Mine."
