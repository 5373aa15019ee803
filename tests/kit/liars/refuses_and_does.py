"""Does not declare labels and refuses them, after it has added them."""

from collections.abc import Collection

from tertulia.testing.tracker import Client
from tertulia.thread import ThreadRef
from tertulia.tracker import Capability
from tertulia_contract import TrackerContract

FAILS = {
    "test_a_label_that_is_not_there_is_no_error_to_remove",
    "test_a_label_that_is_there_is_not_added_again",
    "test_what_was_transferred_is_labelled_where_it_is",
    "test_what_is_not_there_has_no_labels",
    "test_an_operation_is_done_or_refused",
    "test_labels_are_added_and_removed_at_once",
    "test_labels_are_added_by_name",
    "test_labels_are_removed_by_name",
    "test_no_labels_tell_what_is_there",
}
WITHOUT = [Capability.LABEL]


class Liar(Client):
    """Refuse too late."""

    async def label(
        self, thread: ThreadRef, /, *, add: Collection[str] = (), remove: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Do it, and refuse."""
        self.native.label(thread.conversation, add=add, remove=remove)
        raise self._cannot(Capability.LABEL)


class TestLiar(TrackerContract):
    """What the kit finds."""
