"""What is kept, and what people do on the site."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from github_discussions._ids import legacy_id
from github_discussions._models import Account, Category, Comment, Discussion, Label, Post, Reaction, Repository, Thing
from github_discussions._refusals import Refusal
from tertulia.testing.github import PEOPLE, REPO

__all__ = ["Store"]

T = TypeVar("T", Account, Repository, Category, Label, Discussion, Comment, Post)
By = Account | str | None
_BEGIN = datetime(2026, 10, 1, tzinfo=UTC)
_CATEGORIES = (("General", ":speech_balloon:", False), ("Q&A", ":pray:", True), ("Announcements", ":mega:", False))


class Store:
    """Keep repositories and their discussions. Each thing that is done takes a second: `now` counts those since October 2026.

    It begins with the people of `tertulia.testing.github` and `acme/demo`, which has three categories and no discussions.
    """

    def __init__(self) -> None:
        self.now: int = 0
        self.people: dict[str, Account] = {}
        self.repositories: dict[str, Repository] = {}
        self._nodes: dict[str, Any] = {}
        self._spoiled: dict[int, Refusal | None] = {}
        self._shifts: dict[Discussion, list[Comment]] = {}
        self._id, self._lock = 8800, threading.RLock()
        for login, number in PEOPLE.items():
            self.person(login, number)
        self.repo: Repository = self.repository(REPO)

    def person(self, login: str, number: int | None = None, *, kind: str = "User", role: str | None = None) -> Account:
        """Let somebody sign up, with a role on `acme/demo`: ADMIN, MAINTAIN, WRITE, TRIAGE or READ."""
        made = self._known(Account(login, number or self._next(), kind))
        self.people[login] = made
        if role is not None:
            self.repo.roles[login] = role
        return made

    def repository(self, name: str = REPO, *, private: bool = False) -> Repository:
        """Make a repository with the categories that GitHub makes."""
        owner, _, short = name.partition("/")
        if owner not in self.people:
            self.person(owner, kind="Organization")
        made = self._known(Repository(self.people[owner], short, self._next(), private))
        self.repositories[name.lower()] = made
        for title, emoji, is_answerable in _CATEGORIES:
            announcement = title == "Announcements"
            self.category(title, emoji, answerable=is_answerable, announcement=announcement, repo=made)
        return made

    def rename(self, repo: Repository, name: str) -> None:
        """Give a repository another name, or another owner's; the old one leads there."""
        owner, _, repo.name = name.partition("/")
        repo.owner = self.people[owner]
        self.repositories[name.lower()] = repo

    def category(
        self,
        name: str,
        emoji: str = ":bulb:",
        *,
        answerable: bool = False,
        announcement: bool = False,
        repo: Repository | None = None,
    ) -> Category:
        """Make a category."""
        place = repo or self.repo
        slug = name.lower().replace("&", "-").replace(" ", "-")
        made = Category(place, self._next(), name, slug, emoji, answerable, announcement, self._tick())
        place.categories.append(made)
        return self._known(made)

    def label(self, name: str, repo: Repository | None = None) -> Label:
        """Make a label."""
        place = repo or self.repo
        made = Label(place, self._next(), name, self._tick())
        place.labels.append(made)
        return self._known(made)

    def open(
        self,
        title: str = "It fails",
        body: str = "Since Monday.",
        by: By = "alice",
        *,
        number: int | None = None,
        category: Category | str = "General",
        repo: Repository | None = None,
    ) -> Discussion:
        """Open a discussion."""
        place = repo or self.repo
        if isinstance(category, str):
            category = next(one for one in place.categories if one.name == category)
        at = number or max(place.discussions, default=0) + 1
        made = Discussion(**self._written(place, body, by), number=at, title=title, category=category)
        place.discussions[at] = made
        return self._known(made)

    def say(self, discussion: Discussion, body: str = "Why?", by: By = "bob") -> Comment:
        """Start a thread."""
        return self._added(Comment(**self._written(discussion.repository, body, by), discussion=discussion))

    def reply(self, root: Comment, body: str = "So.", by: By = "bob") -> Comment:
        """Answer in a thread. Raises ValueError when that is no root."""
        if root.reply_to is not None:
            raise ValueError("replies are one level deep")
        talk = root.discussion
        return self._added(Comment(**self._written(talk.repository, body, by), discussion=talk, reply_to=root))

    def alter(self, post: Post, body: str, by: By = None) -> None:
        """Edit a post, as its author unless somebody else is named."""
        post.body, post.editor = body, self.account(by) or post.author
        post.updated_at = post.last_edited_at = self._tick()

    def remove(self, post: Post) -> None:
        """Delete a discussion with all that is below it, or a comment: a root that has replies stays, empty."""
        if isinstance(post, Discussion):
            del post.repository.discussions[post.number]
            self._forget(*_all_of(post))
        elif isinstance(post, Comment):
            self._take_out(post)

    def lock(self, discussion: Discussion, reason: str | None = None) -> None:
        """Lock a discussion; the reason is one of LockReason."""
        discussion.locked, discussion.active_lock_reason = True, reason
        discussion.updated_at = self._tick()

    def unlock(self, discussion: Discussion) -> None:
        """Unlock a discussion."""
        discussion.locked, discussion.active_lock_reason = False, None
        discussion.updated_at = self._tick()

    def close(self, discussion: Discussion, reason: str = "RESOLVED") -> None:
        """Close a discussion."""
        discussion.closed, discussion.state_reason = True, reason
        discussion.closed_at = discussion.updated_at = self._tick()

    def reopen(self, discussion: Discussion) -> None:
        """Open a discussion again."""
        discussion.closed, discussion.state_reason, discussion.closed_at = False, "REOPENED", None
        discussion.updated_at = self._tick()

    def mark(self, comment: Comment | None, discussion: Discussion, by: By = "alice") -> None:
        """Mark a comment as the answer; with None there is none any more."""
        discussion.answer, discussion.answer_chosen_by = comment, self.account(by) if comment else None
        discussion.updated_at = self._tick()
        discussion.answer_chosen_at = discussion.updated_at if comment else None

    def react(self, post: Post, content: str, by: By = "bob") -> Reaction:
        """Put a sign below a post, once."""
        user = self.account(by)
        assert user is not None
        for one in post.reactions:
            if (one.content, one.user) == (content, user):
                return one
        made = Reaction(post.repository, self._next(), content, user, post, self._tick())
        post.reactions.append(made)
        return made

    def transfer(self, discussion: Discussion, repo: Repository) -> Discussion:
        """Move a discussion to another repository: its number and all node ids change, its labels are gone."""
        things = _all_of(discussion)
        self._forget(*things)
        del discussion.repository.discussions[discussion.number]
        for thing in things:
            thing.repository = repo
        named = [one for one in repo.categories if one.name == discussion.category.name]
        discussion.category, discussion.labels = (named or repo.categories)[0], []
        discussion.number, discussion.database_id = max(repo.discussions, default=1000) + 1, self._next()
        repo.discussions[discussion.number] = discussion
        for thing in things:
            self._known(thing)
        return discussion

    def spoil(self, thing: Thing, refusal: Refusal | None = None) -> None:
        """Give null wherever this thing would be listed or looked up, and this error beside it, or none."""
        self._spoiled[id(thing)] = refusal

    def shift(self, comment: Comment) -> None:
        """Delete a comment as soon as the first page of its discussion was given once more; of several, one each time."""
        self._shifts.setdefault(comment.discussion, []).append(comment)

    def shifted(self, discussion: Discussion) -> None:
        """Delete what waits for a first page."""
        pending = self._shifts.get(discussion)
        if pending:
            self.remove(pending.pop(0))

    def account(self, by: By) -> Account | None:
        """Find somebody by name."""
        return self.people[by] if isinstance(by, str) else by

    def found(self, ident: str) -> Any:
        """Look up a thing by either spelling of its node id; None when there is none."""
        return self._nodes.get(ident)

    def shown(self, thing: Any) -> Any:
        """Give a thing as a list shows it: itself, or null, or an error in its place."""
        return self._spoiled.get(id(thing), thing)

    def _take_out(self, comment: Comment) -> None:
        talk = comment.discussion
        talk.updated_at = self._tick()
        if talk.answer is comment:
            self.mark(None, talk)
        if comment.replies:
            comment.deleted_at, comment.body, comment.author, comment.reactions = talk.updated_at, "", None, []
        else:
            comment.siblings.remove(comment)
            self._forget(comment)

    def _written(self, repo: Repository, body: str, by: By) -> dict[str, Any]:
        author, at = self.account(by), self._tick()
        return {
            "repository": repo,
            "database_id": self._next(),
            "author": author,
            "body": body,
            "created_at": at,
            "updated_at": at,
        }

    def _added(self, comment: Comment) -> Comment:
        comment.siblings.append(comment)
        comment.discussion.updated_at = comment.created_at
        return self._known(comment)

    def _known(self, thing: T) -> T:
        self._nodes |= dict.fromkeys((thing.id, legacy_id(thing.kind, thing.database_id)), thing)
        return thing

    def _forget(self, *things: Thing) -> None:
        for thing in things:
            for ident in (thing.id, legacy_id(thing.kind, thing.database_id)):
                del self._nodes[ident]

    def _next(self) -> int:
        self._id += 1
        return self._id

    def moment(self, later: int = 0) -> str:
        """Give the time, or one so many seconds later."""
        return (_BEGIN + timedelta(seconds=self.now + later)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def _tick(self) -> str:
        self.now += 1
        return self.moment()


def _all_of(discussion: Discussion) -> list[Post]:
    """List a discussion and all that is below it."""
    below: list[Post] = [one for root in discussion.comments for one in (root, *root.replies)]
    return [discussion, *below]
