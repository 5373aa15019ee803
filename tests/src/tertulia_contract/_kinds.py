"""The contracts: which topics hold for which kind of client."""

from __future__ import annotations

import pytest

from tertulia.conversation import Client, Trait
from tertulia.thread import ThreadRef
from tertulia_contract._backend import ConversationBackend
from tertulia_contract._contract import Contract
from tertulia_contract.answers import Answers
from tertulia_contract.browsing import Browsing
from tertulia_contract.cancellation import Cancellation
from tertulia_contract.capabilities import Capabilities
from tertulia_contract.concurrency import Concurrency
from tertulia_contract.conversations import Conversations
from tertulia_contract.creating import Creating
from tertulia_contract.deleting import Deleting
from tertulia_contract.editing import Editing
from tertulia_contract.errors import Errors
from tertulia_contract.failing import Failing
from tertulia_contract.identity import Identity
from tertulia_contract.issues import Issues
from tertulia_contract.keys import Keys
from tertulia_contract.labels import Labels
from tertulia_contract.limits import Limits
from tertulia_contract.marking import Marking
from tertulia_contract.messages import Messages
from tertulia_contract.offers import Offers
from tertulia_contract.openings import Openings
from tertulia_contract.outbound import Outbound
from tertulia_contract.outcomes import Outcomes
from tertulia_contract.paging import Paging
from tertulia_contract.places import Places
from tertulia_contract.posting import Posting
from tertulia_contract.reading import Reading
from tertulia_contract.replies import Replies
from tertulia_contract.reply_pages import ReplyPages
from tertulia_contract.security import Security
from tertulia_contract.starting import Starting
from tertulia_contract.states import States
from tertulia_contract.subjects import Subjects
from tertulia_contract.tombstones import Tombstones
from tertulia_contract.traits import Traits
from tertulia_contract.unicode import Unicode
from tertulia_contract.words import Words

__all__ = ["ConversationContract", "ThreadsContract", "TrackerContract"]


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


class TrackerContract(
    Issues,
    Subjects,
    Capabilities,
    Failing,
    Editing,
    Deleting,
    Labels,
    Marking,
    Creating,
    ThreadsContract,
):
    """Hold a client to `tertulia.tracker.Client`, and to all that it is besides."""


class ConversationContract(
    Traits,
    Conversations,
    Replies,
    ReplyPages,
    Tombstones,
    Openings,
    Words,
    Browsing,
    Places,
    Answers,
    States,
    Starting,
    Offers,
    Subjects,
    Editing,
    Deleting,
    Labels,
    Marking,
    ThreadsContract,
):
    """Hold a client to `tertulia.conversation.Client`, and to all that it is besides."""

    @pytest.fixture
    async def thread(self, client: Client, backend: ConversationBackend, subject: ThreadRef) -> ThreadRef:
        """Give a thread in which somebody spoke first: the conversation, or a thread in a room that has no opening post."""
        return subject if Trait.OPENING in client.traits else (await backend.branch())[0]
