"""The contracts: which topics hold for which kind of client."""

from __future__ import annotations

from tertulia_contract._contract import Contract
from tertulia_contract.cancellation import Cancellation
from tertulia_contract.capabilities import Capabilities
from tertulia_contract.concurrency import Concurrency
from tertulia_contract.creating import Creating
from tertulia_contract.deleting import Deleting
from tertulia_contract.editing import Editing
from tertulia_contract.errors import Errors
from tertulia_contract.identity import Identity
from tertulia_contract.issues import Issues
from tertulia_contract.keys import Keys
from tertulia_contract.labels import Labels
from tertulia_contract.limits import Limits
from tertulia_contract.marking import Marking
from tertulia_contract.messages import Messages
from tertulia_contract.outbound import Outbound
from tertulia_contract.outcomes import Outcomes
from tertulia_contract.paging import Paging
from tertulia_contract.posting import Posting
from tertulia_contract.reading import Reading
from tertulia_contract.security import Security
from tertulia_contract.unicode import Unicode

__all__ = ["ThreadsContract", "TrackerContract"]


class ThreadsContract(
    Posting,
    Keys,
    Outcomes,
    Reading,
    Messages,
    Paging,
    Identity,
    Errors,
    Limits,
    Outbound,
    Cancellation,
    Concurrency,
    Unicode,
    Security,
    Contract,
):
    """Hold a client to `tertulia.thread.Threads`."""


class TrackerContract(Issues, Capabilities, Editing, Deleting, Labels, Marking, Creating, ThreadsContract):
    """Hold a client to `tertulia.tracker.Client`, and to all that it is besides."""
