"""Words: those that the backend does not have are refused, and nothing is changed for them."""

from __future__ import annotations

import pytest

from tertulia import conversation
from tertulia.conversation import Capability, Trait
from tertulia.errors import Invalid
from tertulia.thread import ThreadRef
from tertulia_contract._backend import ConversationBackend
from tertulia_contract._helpers import draft, posted_by, ref_of
from tertulia_contract._marks import optional, where

__all__ = ["Words"]

_NOBODYS = "a word that nobody has"


class Words:
    """Hold what is said of labels, reactions, reasons and bodies that are none."""

    @optional(Capability.LABEL)
    async def test_a_label_that_the_place_does_not_have_is_invalid(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Invalid for a label that the place does not have, and add no other."""
        with pytest.raises(Invalid):
            await client.label(subject, add=["bug", _NOBODYS])

        assert (await client.get_conversation(subject)).labels == ()

    @optional(Capability.REACT)
    async def test_a_reaction_that_the_backend_does_not_have_is_invalid(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Invalid for a reaction that the backend does not have."""
        posted = await client.post(subject, draft())

        with pytest.raises(Invalid):
            await client.react(ref_of(subject, posted), _NOBODYS)

    @optional(Capability.MINIMIZE)
    async def test_a_reason_to_hide_that_the_backend_does_not_have_is_invalid(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Invalid for a reason that the backend does not have."""
        posted = await client.post(subject, draft())

        with pytest.raises(Invalid):
            await client.minimize(ref_of(subject, posted), _NOBODYS)

        assert await posted_by(client, subject) == [posted]

    @optional(Capability.MINIMIZE)
    @where(Trait.OPENING)
    async def test_an_opening_post_is_hidden_or_refused(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef
    ) -> None:
        """Raise Invalid for a message that it cannot hide; never say that it is hidden when it is not."""
        ref = ref_of(subject, (await client.read(subject)).messages[0])

        refused = False
        try:
            await client.minimize(ref, "spam")
        except Invalid:
            refused = True

        assert refused is ((await client.get_message(ref)).minimized is None)

    @optional(Capability.EDIT)
    @pytest.mark.parametrize("body", ["", " \n\t", "\x00"])
    async def test_an_edit_with_nothing_to_read_is_invalid(
        self, client: conversation.Client, backend: ConversationBackend, subject: ThreadRef, body: str
    ) -> None:
        """Raise Invalid with nothing to read, and leave the message as it was."""
        posted = await client.post(subject, draft())

        with pytest.raises(Invalid):
            await client.edit(ref_of(subject, posted), draft(body))

        assert await posted_by(client, subject) == [posted]
