"""Says that its conversations have no opening post, as in a chat room, and gives one."""

from tertulia.conversation import Trait
from tertulia.testing.conversation import Client
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_conversation_is_about_its_opening_post",
    "test_a_conversation_is_its_opening_post_if_any_and_then_its_threads",
    "test_an_opening_post_answers_nothing",
    "test_an_opening_post_has_no_parent",
    "test_an_opening_post_is_hidden_or_refused",
    "test_an_opening_post_of_somebody_else_is_not_deleted",
    "test_an_opening_post_of_somebody_else_is_not_edited",
    "test_an_own_opening_post_is_edited",
    "test_an_own_opening_post_is_not_deleted",
}


class Liar(Client):
    """Call it a room."""

    traits = frozenset(Trait) - {Trait.OPENING}


class TestLiar(ConversationContract):
    """What the kit finds."""
