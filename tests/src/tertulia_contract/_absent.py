"""The other arm of a test about a trait: what must not be met where the client says that there is no such thing."""

from __future__ import annotations

from tertulia.conversation import Client, Trait
from tertulia.thread import ThreadRef
from tertulia_contract._backend import Ability, ConversationBackend
from tertulia_contract._helpers import draft

__all__ = ["is_absent"]


async def is_absent(trait: Trait, client: Client, backend: ConversationBackend, subject: ThreadRef) -> None:
    """Assert that a conversation has none of it, nor one that could have it if the handle can open such a one."""
    match trait:
        case Trait.OPENING:
            await _begins_empty(client, subject)
        case Trait.CATEGORIES:
            others = [await backend.categorized()] if Ability.CATEGORY in backend.can else []
            for place in (subject, *others):
                assert (await client.get_conversation(place)).category is None
        case Trait.QUESTIONS:
            others = [await backend.ask()] if Ability.ASK in backend.can else []
            for place in (subject, *others):
                await _is_no_question(client, place)


async def _begins_empty(client: Client, subject: ThreadRef) -> None:
    assert (await client.read(subject)).messages == ()

    root = await client.post(subject, draft())

    assert (await client.read(subject)).messages == (root,)
    assert root.parent_id == root.id


async def _is_no_question(client: Client, subject: ThreadRef) -> None:
    found = await client.get_conversation(subject)
    assert (found.answered, found.answer) == (None, None)
    assert found.category is None or found.category.format != "question_answer"
