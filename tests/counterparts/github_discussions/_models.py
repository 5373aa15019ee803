"""What a repository's discussions are made of. Times are as GitHub writes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from github_discussions._ids import node_id

__all__ = ["Account", "Category", "Comment", "Discussion", "Label", "Post", "Reaction", "Repository", "Thing"]


class Page:
    """What has an address on the site."""

    @property
    def resource_path(self) -> str:
        """Where it is."""
        return "/"

    @property
    def url(self) -> str:
        """The address."""
        return f"https://github.com{self.resource_path}"


@dataclass(eq=False)
class Account(Page):
    """Somebody. `kind` is the name of the type that GraphQL gives: User, Bot, Mannequin or Organization."""

    login: str
    database_id: int
    kind: str = "User"

    @cached_property
    def id(self) -> str:
        """The node id."""
        return node_id({"User": "U", "Bot": "BOT", "Mannequin": "M", "Organization": "O"}[self.kind], self.database_id)

    @property
    def resource_path(self) -> str:
        """Where the profile is."""
        return f"/apps/{self.login}" if self.kind == "Bot" else f"/{self.login}"


@dataclass(eq=False)
class Repository(Page):
    """A place for discussions. `roles` and `associations` are by login; who is in neither may read what is public."""

    owner: Account
    name: str
    database_id: int
    is_private: bool = False
    roles: dict[str, str] = field(default_factory=dict)
    associations: dict[str, str] = field(default_factory=dict)
    categories: list[Category] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    discussions: dict[int, Discussion] = field(default_factory=dict)

    kind = "Repository"
    has_discussions_enabled = True

    @cached_property
    def id(self) -> str:
        """The node id."""
        return node_id("R", self.database_id)

    @property
    def name_with_owner(self) -> str:
        """The name as people write it."""
        return f"{self.owner.login}/{self.name}"

    @property
    def resource_path(self) -> str:
        """Where the repository is."""
        return f"/{self.name_with_owner}"


@dataclass(eq=False)
class Thing:
    """What belongs to a repository. Its node id tells which, so that it changes with a transfer."""

    repository: Repository
    database_id: int

    kind = "Thing"
    prefix = "T"

    @property
    def id(self) -> str:
        """The node id."""
        return node_id(self.prefix, self.repository.database_id, self.database_id)


@dataclass(eq=False)
class Category(Thing):
    """A section. Into an `announcement` only maintainers put discussions, which GraphQL tells nobody beforehand."""

    name: str
    slug: str
    emoji: str
    is_answerable: bool
    announcement: bool
    created_at: str

    kind = "DiscussionCategory"
    prefix = "DIC"
    description: str | None = None

    @property
    def updated_at(self) -> str:
        """When it was last changed."""
        return self.created_at


@dataclass(eq=False)
class Label(Thing):
    """A name that is stuck on."""

    name: str
    created_at: str

    kind = "Label"
    prefix = "LA"
    color = "d73a4a"
    description = None
    is_default = False


@dataclass(eq=False)
class Reaction(Thing):
    """What somebody thinks of a post, in a sign."""

    content: str
    user: Account
    reactable: Post
    created_at: str

    kind = "Reaction"
    prefix = "REA"


@dataclass(eq=False, kw_only=True)
class Post(Thing, Page):
    """What somebody has written. Without an author the account is deleted."""

    author: Account | None
    body: str
    created_at: str
    updated_at: str
    editor: Account | None = None
    last_edited_at: str | None = None
    reactions: list[Reaction] = field(default_factory=list)

    created_via_email = False
    includes_created_edit = False
    upvote_count = 0

    @property
    def published_at(self) -> str:
        """When it was shown first."""
        return self.created_at


@dataclass(eq=False, kw_only=True)
class Discussion(Post):
    """A conversation: an opening post with threads below it. `comments` are the roots, tombstones among them."""

    number: int
    title: str
    category: Category
    labels: list[Label] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    answer: Comment | None = None
    answer_chosen_at: str | None = None
    answer_chosen_by: Account | None = None
    closed: bool = False
    closed_at: str | None = None
    state_reason: str | None = None
    locked: bool = False
    active_lock_reason: str | None = None

    kind = "Discussion"
    prefix = "D"
    poll = None

    @property
    def resource_path(self) -> str:
        """Where the discussion is."""
        return f"{self.repository.resource_path}/discussions/{self.number}"

    @property
    def is_answered(self) -> bool | None:
        """Whether there is an answer; None where there cannot be one."""
        return self.answer is not None if self.category.is_answerable else None


@dataclass(eq=False, kw_only=True)
class Comment(Post):
    """A root or a reply. A root that had replies when it was deleted stays, empty: `deleted_at` tells."""

    discussion: Discussion
    reply_to: Comment | None = None
    replies: list[Comment] = field(default_factory=list)
    deleted_at: str | None = None
    minimized_reason: str | None = None

    kind = "DiscussionComment"
    prefix = "DC"

    @property
    def siblings(self) -> list[Comment]:
        """The list that it is in."""
        return self.discussion.comments if self.reply_to is None else self.reply_to.replies

    @property
    def resource_path(self) -> str:
        """Where the comment is."""
        return f"{self.discussion.resource_path}#discussioncomment-{self.database_id}"

    @property
    def is_answer(self) -> bool:
        """Whether it is the answer."""
        return self.discussion.answer is self

    @property
    def is_minimized(self) -> bool:
        """Whether it is hidden."""
        return self.minimized_reason is not None
