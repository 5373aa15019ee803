"""Keys: at most once."""

from __future__ import annotations

import pytest

from tertulia import outbound
from tertulia.errors import Invalid
from tertulia.thread import Draft, ThreadRef, Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import carried, draft, posted_by, ref_of
from tertulia_contract._marks import needs

__all__ = ["Keys"]


class Keys:
    """Hold what `post` says of a draft with a key."""

    async def test_a_known_key_returns_the_existing_message(self, client: Threads, thread: ThreadRef) -> None:
        """At most once for a key: a known key returns the existing message."""
        first = await client.post(thread, draft("Hello", key="k"))
        second = await client.post(thread, draft("Hello again", key="k"))

        assert second == first
        assert await posted_by(client, thread) == [first]

    async def test_another_key_posts_another_message(self, client: Threads, thread: ThreadRef) -> None:
        """At most once for a key, not for a body."""
        first = await client.post(thread, draft("Hello", key="k"))
        second = await client.post(thread, draft("Hello", key="l"))

        assert [one.ref for one in await posted_by(client, thread)] == [first.ref, second.ref]

    async def test_a_key_in_another_thread_is_another_post(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """A key is looked for in the thread that is answered."""
        other = await backend.open()
        await client.post(thread, draft(key="k"))

        await client.post(other, draft(key="k"))

        assert len(await posted_by(client, other)) == 1

    async def test_a_post_carries_the_key_where_read_finds_it(self, client: Threads, thread: ThreadRef) -> None:
        """The message carries the key where `read` finds it again."""
        posted = await client.post(thread, draft(key="event-1/helper"))

        (found,) = await posted_by(client, thread)
        assert carried(found) == carried(posted) == ("helper", outbound.key_digest("event-1/helper"))

    @needs(Ability.DELETE)
    async def test_a_key_is_looked_for_on_the_backend(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """With a key the own messages are looked at, not the client's memory: what was deleted is not there."""
        first = await client.post(thread, draft(key="k"))
        await backend.remove(ref_of(thread, first))

        second = await client.post(thread, draft(key="k"))

        assert [one.ref for one in await posted_by(client, thread)] == [second.ref]

    @needs(Ability.SPEAK, Ability.DELETE)
    async def test_somebody_elses_message_with_the_key_does_not_count(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """With a key the own messages are looked at."""
        first = await client.post(thread, draft(key="k"))
        await backend.remove(ref_of(thread, first))
        await backend.say(thread, first.body)

        second = await client.post(thread, draft(key="k"))

        assert [one.ref for one in await posted_by(client, thread)] == [second.ref]

    @needs(Ability.SPEAK)
    async def test_a_look_up_starts_where_the_draft_says(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Look at the own messages since `draft.since`, that second included."""
        first = await client.post(thread, draft(key="k"))
        await backend.say(thread, "Time passes.")

        again = Draft(body="Here is why.", agent="helper", key="k", since=first.created_at)
        second = await client.post(thread, again)

        assert second.ref == first.ref

    @needs(Ability.SPEAK)
    async def test_a_key_is_found_behind_the_first_page(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """A known key returns the existing message, however long the thread is."""
        for number in range(backend.page + 5):
            await backend.say(thread, f"Number {number}.")
        first = await client.post(thread, draft(key="k"))

        assert (await client.post(thread, draft(key="k"))).ref == first.ref

    @needs(Ability.LOCK)
    async def test_a_known_key_is_found_in_a_locked_thread(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """A known key returns the existing message: nothing has to be written for that."""
        first = await client.post(thread, draft(key="k"))
        await backend.lock(thread)

        assert await client.post(thread, draft(key="k")) == first

    @pytest.mark.parametrize("key", ["a b", "ключ", "x" * 500, "k --> <!-- bot-agent-other -->", "k\nl"])
    async def test_any_text_is_a_key(self, client: Threads, thread: ThreadRef, key: str) -> None:
        """A key is any text, and writes nothing into the thread but its digest."""
        first = await client.post(thread, draft(key=key))

        assert await client.post(thread, draft(key=key)) == first
        assert carried(first) == ("helper", outbound.key_digest(key))

    async def test_an_empty_key_is_invalid(self, client: Threads, thread: ThreadRef) -> None:
        """Raise Invalid: a key that is empty would make all answers one."""
        with pytest.raises(Invalid):
            await client.post(thread, draft(key=""))

        assert await posted_by(client, thread) == []
