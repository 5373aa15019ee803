"""What a ledger and a reply need of any thread: an issue, a pull request, a discussion, a chat thread, a Jira issue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal, Protocol

from pydantic import Field, StringConstraints

from tertulia._frozen import Frozen, Id, Instant
from tertulia.errors import Invalid

if TYPE_CHECKING:
    from tertulia.event import Event

__all__ = [
    "Account",
    "Attachment",
    "Draft",
    "Limits",
    "Listing",
    "Marker",
    "Message",
    "MessageId",
    "MessageRef",
    "SourceType",
    "ThreadRef",
    "Threads",
    "record_ref",
]

SourceType = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,62}$")]
"""The kind of thing a message is on its backend: `issue`, `issue_comment`, `review`, `slack_message`, ..."""

MessageId = Annotated[Id, StringConstraints(pattern=r"^[!-~]{1,255}$")]
"""What a message goes by among those of its source type."""

_Agent = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")]


def record_ref(source_type: str, ident: str) -> str:
    """Write the key of a message: `issue_comment:104`, because an issue and a comment may share a number."""
    return f"{source_type}:{ident}"


class ThreadRef(Frozen):
    """Address a thread: a conversation (`acme/demo#7`, `T1/C1`, `PROJ-1`) and the root of one thread in it.

    `root` None means the whole conversation, which for an issue is the thread. `handle` is the adapter's own, opaque.
    """

    conversation: Annotated[str, StringConstraints(min_length=1, max_length=1024)]
    root: Id | None = None
    handle: str | None = None

    @classmethod
    def of(cls, event: Event) -> ThreadRef:
        """Address the thread an event is about: the safe place to reply, for every system."""
        entity, comment = event.entity, event.transition.comment
        threaded = entity.kind == "conversation" or event.source.raw_type == "pull_request_review_comment"
        root = comment.parent_id if comment is not None and threaded else None
        handle = comment.handle if comment is not None and root is not None and comment.id == root else None
        return cls(conversation=_conversation(event), root=root, handle=handle)


def _conversation(event: Event) -> str:
    from tertulia.event import CHAT_SYSTEMS

    entity, system = event.entity, event.source.system
    if system != "jira" and system not in CHAT_SYSTEMS and entity.id is not None and event.repo is not None:
        return f"{event.repo}#{entity.id}"
    if entity.key is None:
        raise Invalid("event: has no entity.key to address a thread by", field="entity.key")
    return entity.key


class MessageRef(Frozen):
    """Address one message: `issue_comment:778` is not `review:778`."""

    conversation: Annotated[str, StringConstraints(min_length=1, max_length=1024)]
    source_type: SourceType
    id: MessageId
    handle: str | None = None


class Account(Frozen):
    """Name an account by its backend id; a login can be renamed and taken over.

    `kind` is "bot" only when the backend's own type says so, never because of a name. `aliases` are further ids of the
    same account (a Slack app is a user, a bot and an app). `placeholder` accounts stand for nobody in particular
    (GitHub's ghost, a mannequin, an organisation without an id) and never match anyone.
    """

    id: Id | None = None
    login: str
    kind: Literal["human", "bot"] = "human"
    aliases: frozenset[str] = frozenset()
    placeholder: bool = False


class Marker(Frozen):
    """Report an out-of-body marker (Slack metadata, a Jira property): which agent posted it, under which key."""

    agent: str
    key: str | None = None


class Attachment(Frozen):
    """Name a file beside a message; it is never fetched. `size` is in bytes."""

    name: str
    type: str | None = None
    size: Annotated[int, Field(ge=0)] | None = None


class Message(Frozen):
    """Hold one message as its backend gives it.

    `title` is for opening posts. `author` None is a deleted account. `cut` counts the characters left out of `body`
    (one body is bounded at 256 KiB on reading). `marker` is for backends that carry it outside the body.
    """

    id: MessageId
    source_type: SourceType
    parent_id: Id | None = None
    title: str | None = None
    author: Account | None = None
    author_name: str | None = None
    association: str | None = None
    body: str = ""
    cut: Annotated[int, Field(ge=0)] = 0
    created_at: Instant
    updated_at: Instant | None = None
    last_edited_at: Instant | None = None
    editor: Account | None = None
    url: str | None = None
    deleted: bool = False
    minimized: str | None = None
    marker: Marker | None = None
    app_id: Id | None = None
    path: str | None = None
    line: int | None = None
    attachments: tuple[Attachment, ...] = ()
    handle: str | None = None

    @property
    def ref(self) -> str:
        """Give the key of the message: `issue_comment:104`."""
        return record_ref(self.source_type, self.id)


class Listing(Frozen):
    """Hold a thread as read: opening post first. `complete` is false when anything may be missing.

    `reported` says how many items of a source type the backend itself counts; a type it gives no count for is absent.
    """

    messages: tuple[Message, ...]
    complete: bool = True
    reported: Mapping[str, int] | None = None


class Draft(Frozen):
    """Hold an answer on its way out. `key` makes the post happen once; `since` is where a look-up may start.

    `rev` is the revision of the ledger that it rests on, for a keyed answer where one is kept: an older state that is put
    back is then known for one. `state` is for whoever keeps a ledger in a comment: the line of the state, which then takes
    the place of agent and key.
    """

    body: str
    agent: _Agent
    key: str | None = None
    since: Instant | None = None
    rev: Annotated[int, Field(ge=1, le=2**53)] | None = None
    state: str | None = None


class Limits(Frozen):
    """Say how much a backend takes: `body_chars` code points in one message, the host's own lines included.

    A longer text is cut into parts of at most `part_chars`: up to there a body is taken whatever is in it, and one between
    the two may be refused for what it becomes on the backend. An edit takes `edit_chars`. Without either, `body_chars` holds.
    """

    body_chars: Annotated[int, Field(ge=1)] | None = None
    part_chars: Annotated[int, Field(ge=1)] | None = None
    edit_chars: Annotated[int, Field(ge=1)] | None = None


class Threads(Protocol):
    """Read a thread and answer in it. Every backend can do this; the docstrings are the contract.

    `backend` names the backend (`github`); every error a method raises is of the tree in `tertulia.errors`.
    """

    @property
    def backend(self) -> str:
        """Name the backend."""
        ...

    @property
    def limits(self) -> Limits:
        """Say how much the backend takes."""
        ...

    async def whoami(self) -> Account:
        """Give the account this client acts as, resolved once and cached.

        Raises Denied when the credentials are refused or tell nobody's name, Unavailable when nobody could be asked.
        """
        ...

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Read the thread whole: opening post first, every page, and `complete` false when anything may be missing.

        On an issue or a change proposal all of it is read whatever the root. Items the backend lists twice are given
        once or twice: who reads them counts by ref. Raises NotFound when the thread is not there, Denied, RateLimited,
        Unavailable.
        """
        ...

    async def get_message(self, message: MessageRef, /) -> Message:
        """Read one message as it is now. NotFound is proof that it was deleted."""
        ...

    async def post(self, thread: ThreadRef, draft: Draft, /) -> Message:
        """Post an answer under the thread's root, at most once for a key: a known key returns the existing message.

        The body passes through `tertulia.outbound`, and the message carries the agent's name and the key where `read`
        finds them again. With a key the own messages since `draft.since` are looked at first, and again after a send
        whose outcome is not known. Raises NotFound when the thread or its root is not there, Invalid over a limit or with
        nothing to read, Conflict on a locked thread, Denied, RateLimited, and Unavailable, with `ambiguous` true when the
        answer may have landed and could not be found: never a second send.
        """
        ...
