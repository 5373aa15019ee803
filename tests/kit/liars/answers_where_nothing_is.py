"""Finds its way to what was moved on a backend that does not say where it went."""

from tertulia.testing.conversation import Client
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_conversation_is_closed_where_it_is",
    "test_what_was_transferred_is_followed",
    "test_what_was_transferred_is_labelled_where_it_is",
    "test_what_was_transferred_takes_an_answer",
}
FORWARDS = False


class Liar(Client):
    """Know better."""


class TestLiar(ConversationContract):
    """What the kit finds."""
