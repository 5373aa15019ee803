"""Who asks, and what the answer depends on besides: the context of one request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from github_discussions._models import Account, Discussion, Post, Repository
from github_discussions._refusals import no_node
from github_discussions._store import Store

__all__ = ["ROLES", "Session"]

T = TypeVar("T")
ROLES = ("READ", "TRIAGE", "WRITE", "MAINTAIN", "ADMIN")


@dataclass(frozen=True)
class Session:
    """One request. `blind` sees no repository, `nameless` is told nobody's name, `repeats` gives the last item again.

    `widest` is the largest page that is given, `epoch` what makes cursors expire, `rate` what `rateLimit` tells.
    """

    store: Store
    viewer: Account
    epoch: int = 0
    widest: int | None = None
    blind: bool = False
    nameless: bool = False
    repeats: bool = False
    rate: dict[str, Any] | None = None

    def role(self, repo: Repository, account: Account | None = None) -> str | None:
        """Give somebody's role, the viewer's by default; None for who may not even see the repository."""
        who = account or self.viewer
        if who is repo.owner:
            return "ADMIN"
        return repo.roles.get(who.login, None if repo.is_private else "READ")

    def may(self, repo: Repository, role: str) -> bool:
        """Tell whether the viewer has this role, or a higher one."""
        own = self.role(repo)
        return own is not None and ROLES.index(own) >= ROLES.index(role)

    def sees(self, repo: Repository) -> bool:
        """Tell whether the viewer may know that there is this repository."""
        return not self.blind and self.may(repo, "READ")

    def owns(self, post: Post, role: str = "WRITE") -> bool:
        """Tell whether the viewer wrote this, or has a role that may change what others write."""
        return post.author is self.viewer or self.may(post.repository, role)

    def may_write_in(self, discussion: Discussion) -> bool:
        """Tell whether the viewer may comment: a lock shuts out all who may not push."""
        return not discussion.locked or self.may(discussion.repository, "WRITE")

    def shown(self, thing: Any) -> Any:
        """Give a thing as a list shows it."""
        return self.store.shown(thing)

    def node(self, ident: str) -> Any:
        """Look up a thing that the viewer may see. Raises the refusal that stands for it."""
        thing = self.store.found(ident)
        repo = thing if isinstance(thing, Repository) else getattr(thing, "repository", None)
        if thing is None or (repo is not None and not self.sees(repo)):
            raise no_node(ident)
        return thing

    def get(self, kind: type[T], ident: str) -> T:
        """Look up a thing of a kind."""
        thing = self.node(ident)
        if not isinstance(thing, kind):
            raise no_node(ident)
        return thing
