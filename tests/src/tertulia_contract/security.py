"""Security: the credential goes where it belongs and nowhere else."""

from __future__ import annotations

import logging

import pytest

from tertulia.errors import Error, Invalid
from tertulia.thread import MessageRef, ThreadRef, Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import draft, everything, ref_of
from tertulia_contract._marks import needs

__all__ = ["Security"]

_WIRES = [
    pytest.param(how, marks=needs(how))
    for how in (Ability.DENY, Ability.HIDE, Ability.LIMIT, Ability.CUT, Ability.MOVE, Ability.DROP)
]
_FOREIGN = ["https://evil.example/acme/demo#7", "https://evil.example/acme/demo/issues/7", "//evil.example/a/b#7"]


class Security:
    """Hold that no error and no log shows the credential, and that no other host gets it."""

    @pytest.mark.parametrize("how", _WIRES)
    async def test_no_error_shows_the_credential(
        self, client: Threads, backend: Backend, thread: ThreadRef, how: Ability
    ) -> None:
        """The message names backend and operation, never a token; nor do its fields and its causes."""
        await backend.break_wire(how)

        seen: list[str] = []
        for question in (client.whoami, lambda: client.read(thread), lambda: client.post(thread, draft(key="k"))):
            try:
                await question()
            except Error as error:
                seen.append(everything(error))

        assert seen
        assert not [text for text in seen if backend.secret in text]

    async def test_no_log_shows_the_credential_or_a_body(
        self, client: Threads, thread: ThreadRef, backend: Backend, caplog: pytest.LogCaptureFixture
    ) -> None:
        """One INFO line a request, never a body or a token."""
        with caplog.at_level(logging.DEBUG, logger="tertulia"):
            posted = await client.post(thread, draft("A body nobody logs.", key="k"))
            await client.get_message(ref_of(thread, posted))
            await client.read(thread)

        ours = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("tertulia"))
        assert backend.secret not in ours
        assert "A body nobody logs." not in ours

    async def test_a_client_does_not_show_its_credential(self, client: Threads, backend: Backend) -> None:
        """A client may be printed."""
        assert backend.secret not in repr(client)
        assert backend.secret not in str(client)

    @needs(Ability.MOVE)
    async def test_the_credential_does_not_follow_to_another_host(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Redirects never carry credentials elsewhere."""
        posted = ref_of(thread, await client.post(thread, draft()))
        await backend.break_wire(Ability.MOVE)

        seen: list[str] = []
        for question in (
            client.whoami,
            lambda: client.read(thread),
            lambda: client.get_message(posted),
            lambda: client.post(thread, draft(key="k")),
        ):
            try:
                await question()
            except Error as error:
                seen.append(everything(error))

        assert backend.secret not in "\n".join(seen)
        assert backend.secret not in await backend.overheard()

    @needs(Ability.MOVE)
    async def test_a_body_does_not_follow_to_another_host(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Hosts come from configuration only: what an agent wrote goes to no other."""
        await backend.break_wire(Ability.MOVE)

        with pytest.raises(Error):
            await client.post(thread, draft("For this thread only."))

        assert "For this thread only." not in await backend.overheard()

    @pytest.mark.parametrize("address", _FOREIGN)
    async def test_an_address_on_another_host_is_invalid(self, client: Threads, address: str) -> None:
        """A URL or event that names another host is Invalid before any request."""
        with pytest.raises(Invalid):
            await client.read(ThreadRef(conversation=address))
        with pytest.raises(Invalid):
            await client.get_message(MessageRef(conversation=address, source_type="issue_comment", id="1"))
        with pytest.raises(Invalid):
            await client.post(ThreadRef(conversation=address), draft())
