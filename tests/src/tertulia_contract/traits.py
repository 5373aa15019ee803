"""Traits: what a client says that conversations have."""

from __future__ import annotations

from tertulia.conversation import Capability, Client, Trait

__all__ = ["Traits"]


class Traits:
    """Hold what `traits` says. Whether it is true is held by the tests of what it names, each with its other arm."""

    async def test_traits_are_data(self, client: Client) -> None:
        """Say what conversations have on this backend."""
        assert isinstance(client.traits, frozenset)
        assert all(isinstance(one, Trait) for one in client.traits)

    async def test_only_questions_have_answers_and_only_categories_take_them(self, client: Client) -> None:
        """QUESTIONS: there are categories that take answers, and without them there is none to mark."""
        assert Trait.QUESTIONS in client.traits or Capability.MARK_ANSWER not in client.capabilities
        assert Trait.CATEGORIES in client.traits or Trait.QUESTIONS not in client.traits
