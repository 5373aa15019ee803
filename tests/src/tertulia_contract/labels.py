"""Labels: added and removed by name."""

from __future__ import annotations

import pytest

from tertulia.errors import NotFound
from tertulia.thread import ThreadRef
from tertulia.tracker import Capability
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import AnyClient, about
from tertulia_contract._marks import needs, optional
from tertulia_contract._moving import followed

__all__ = ["Labels"]


class Labels:
    """Hold what `label` says (LABEL)."""

    @optional(Capability.LABEL)
    async def test_labels_are_added_by_name(self, client: AnyClient, backend: Backend, subject: ThreadRef) -> None:
        """Add labels by name; give the labels afterwards."""
        given = await client.label(subject, add=["bug", "good first issue"])

        assert set(given) == {"bug", "good first issue"}
        assert set((await about(client, subject)).labels) == set(given)

    @optional(Capability.LABEL)
    async def test_labels_are_removed_by_name(self, client: AnyClient, backend: Backend, subject: ThreadRef) -> None:
        """Remove labels by name; give the labels afterwards."""
        await client.label(subject, add=["bug", "good first issue", "ux"])

        given = await client.label(subject, remove=["good first issue", "bug"])

        assert given == ("ux",)
        assert (await about(client, subject)).labels == ("ux",)

    @optional(Capability.LABEL)
    async def test_labels_are_added_and_removed_at_once(
        self, client: AnyClient, backend: Backend, subject: ThreadRef
    ) -> None:
        """Add and remove labels; give the labels afterwards."""
        await client.label(subject, add=["bug"])

        assert await client.label(subject, add=["ux"], remove=["bug"]) == ("ux",)

    @optional(Capability.LABEL)
    async def test_a_label_that_is_not_there_is_no_error_to_remove(
        self, client: AnyClient, backend: Backend, subject: ThreadRef
    ) -> None:
        """A label that is not there is no error to remove."""
        await client.label(subject, add=["bug"])

        assert await client.label(subject, remove=["absent"]) == ("bug",)

    @optional(Capability.LABEL)
    async def test_a_label_that_is_there_is_not_added_again(
        self, client: AnyClient, backend: Backend, subject: ThreadRef
    ) -> None:
        """Add labels by name: a name is there once."""
        await client.label(subject, add=["bug"])

        assert await client.label(subject, add=["bug"]) == ("bug",)

    @optional(Capability.LABEL)
    async def test_no_labels_tell_what_is_there(self, client: AnyClient, backend: Backend, subject: ThreadRef) -> None:
        """Give the labels afterwards, though nothing was asked for."""
        await client.label(subject, add=["bug"])

        assert await client.label(subject) == ("bug",)

    @optional(Capability.LABEL)
    async def test_what_is_not_there_has_no_labels(
        self, client: AnyClient, backend: Backend, subject: ThreadRef
    ) -> None:
        """Every error a method raises is of the tree: NotFound when it is not there."""
        with pytest.raises(NotFound):
            await client.label(await backend.missing(), add=["bug"])

    @optional(Capability.LABEL)
    @needs(Ability.TRANSFER)
    async def test_what_was_transferred_is_labelled_where_it_is(
        self, client: AnyClient, backend: Backend, subject: ThreadRef
    ) -> None:
        """What was transferred is followed where the backend says where it went."""
        there = await backend.transfer(subject)

        led = await followed(backend, client.label(subject, add=["bug"]))

        assert (await about(client, there)).labels == (("bug",) if led else ())
