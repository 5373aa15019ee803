"""Errors: of one tree, each for what happened."""

from __future__ import annotations

from typing import Any

import pytest

from tertulia.errors import Denied, Error, Invalid, NotFound, RateLimited, Unavailable
from tertulia.thread import MessageRef, ThreadRef, Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import draft, posted_by, ref_of
from tertulia_contract._marks import needs

__all__ = ["Errors"]

_OPERATIONS = pytest.mark.parametrize("operation", ["read", "get_message", "post", "post with a key"])
_ADDRESSES = [
    "#",
    "acme",
    "../../admin#1",
    "acme/demo#1?x=1",
    "acme/demo#0x1",
    "%2e%2e/%2e%2e#1",
    "\u202e/a#1",
    "a/b#1\n",
]


class Errors:
    """Hold what every method says of its failures."""

    async def test_the_backend_has_a_name(self, client: Threads) -> None:
        """`backend` names the backend."""
        assert client.backend
        assert client.backend == client.backend.lower().strip()

    @_OPERATIONS
    @needs(Ability.DENY)
    async def test_refused_credentials_are_denied(
        self, client: Threads, backend: Backend, thread: ThreadRef, operation: str
    ) -> None:
        """Raise Denied."""
        ref = await _posted(client, thread)
        await backend.break_wire(Ability.DENY)

        with pytest.raises(Denied) as failed:
            await _do(operation, client, thread, ref)

        assert not failed.value.transient

    @_OPERATIONS
    @needs(Ability.LIMIT)
    async def test_a_limit_is_told_with_the_wait(
        self, client: Threads, backend: Backend, thread: ThreadRef, operation: str
    ) -> None:
        """Raise RateLimited, with the seconds to wait."""
        ref = await _posted(client, thread)
        await backend.break_wire(Ability.LIMIT)

        with pytest.raises(RateLimited) as failed:
            await _do(operation, client, thread, ref)

        assert failed.value.transient
        assert failed.value.retry_after is not None
        assert failed.value.retry_after > 0

    @_OPERATIONS
    @needs(Ability.CUT)
    async def test_no_answer_is_unavailable(
        self, client: Threads, backend: Backend, thread: ThreadRef, operation: str
    ) -> None:
        """Raise Unavailable, never what would pass for an answer."""
        ref = await _posted(client, thread)
        before = await _sent(backend)
        await backend.break_wire(Ability.CUT)

        with pytest.raises(Unavailable) as failed:
            await _do(operation, client, thread, ref)

        assert failed.value.transient
        assert failed.value.ambiguous or operation != "post" or (before is not None and before == await _sent(backend))

    @needs(Ability.HIDE)
    async def test_a_thread_out_of_sight_is_not_read(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Raise NotFound when the thread is not there for this identity, or Denied; never give an empty thread."""
        await backend.break_wire(Ability.HIDE)

        with pytest.raises((NotFound, Denied)):
            await client.read(thread)

    @pytest.mark.parametrize("how", [pytest.param(how, marks=needs(how)) for how in (Ability.DENY, Ability.CUT)])
    async def test_an_error_names_backend_and_operation(
        self, client: Threads, backend: Backend, thread: ThreadRef, how: Ability
    ) -> None:
        """The message names backend and operation."""
        await backend.break_wire(how)

        with pytest.raises(Error) as failed:
            await client.read(thread)

        assert failed.value.backend == client.backend
        assert failed.value.operation

    @needs(Ability.DENY)
    async def test_a_refused_answer_is_not_there(self, client: Threads, backend: Backend, thread: ThreadRef) -> None:
        """A post that was refused has left nothing."""
        await backend.break_wire(Ability.DENY)
        with pytest.raises(Denied):
            await client.post(thread, draft())
        await backend.mend()

        assert await posted_by(client, thread) == []

    @pytest.mark.parametrize("address", _ADDRESSES)
    async def test_an_address_that_is_none_is_invalid_or_not_found(self, client: Threads, address: str) -> None:
        """Every error a method raises is of the tree in `tertulia.errors`."""
        nowhere = ThreadRef(conversation=address)
        nothing = MessageRef(conversation=address, source_type="issue_comment", id="1")

        with pytest.raises((Invalid, NotFound)):
            await client.read(nowhere)
        with pytest.raises((Invalid, NotFound)):
            await client.post(nowhere, draft())
        with pytest.raises((Invalid, NotFound, Denied)):
            await client.get_message(nothing)


async def _posted(client: Threads, thread: ThreadRef) -> MessageRef:
    return ref_of(thread, await client.post(thread, draft(key="first")))


async def _do(operation: str, client: Threads, thread: ThreadRef, message: MessageRef) -> Any:
    match operation:
        case "read":
            return await client.read(thread)
        case "get_message":
            return await client.get_message(message)
        case "post":
            return await client.post(thread, draft())
        case _:
            return await client.post(thread, draft(key="second"))


async def _sent(backend: Backend) -> int | None:
    return await backend.writes() if Ability.WATCH in backend.can else None
