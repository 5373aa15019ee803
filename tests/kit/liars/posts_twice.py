"""Sends again when nobody knows whether the first answer landed."""

from tertulia.errors import Unavailable
from tertulia.testing.tracker import Client
from tertulia.thread import Message, ThreadRef
from tertulia_contract import TrackerContract

FAILS = {
    "test_an_answer_that_could_not_be_found_is_ambiguous",
    "test_an_answer_that_could_not_be_found_is_not_sent_again",
    "test_an_answer_that_landed_is_found_again",
    "test_an_answer_that_landed_is_not_sent_again",
    "test_no_error_shows_the_credential",
    "test_the_caller_may_post_again_with_the_same_key",
    "test_without_a_key_an_unknown_outcome_is_ambiguous",
}


class Liar(Client):
    """Be sure that it lands."""

    async def _send(self, thread: ThreadRef, body: str) -> Message:
        try:
            return await super()._send(thread, body)
        except Unavailable:
            return await super()._send(thread, body)


class TestLiar(TrackerContract):
    """What the kit finds."""
