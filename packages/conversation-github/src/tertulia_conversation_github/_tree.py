"""A discussion while it is read: roots, their replies, and whether anything may be missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tertulia.parsing.github import Place
from tertulia_conversation_github._known import Spot
from tertulia_conversation_github._nodes import Node, id_of, items, number_of, page_of

__all__ = ["Branch", "Tree"]


@dataclass(slots=True)
class Branch:
    """Hold a list as its pages come in, each item once.

    `total` is the most that GitHub has counted in it, `latest` what it counted last; `after` where the next page begins.
    """

    nodes: dict[str, Node] = field(default_factory=dict[str, Node])
    nulls: int = 0
    total: int = 0
    latest: int = 0
    after: str | None = None

    def take(self, connection: object) -> None:
        """Take one page."""
        page = page_of(connection)
        self.nodes |= {id_of(node): node for node in page.nodes}
        self.nulls += page.nulls
        self.latest = page.total
        self.total = max(self.total, self.latest)
        self.after = page.after if page.after != self.after else None

    @property
    def short(self) -> bool:
        """Say whether less was listed than was counted: something was deleted meanwhile, and may have hidden another."""
        return self.after is None and len(self.nodes) + self.nulls < self.total


@dataclass(slots=True)
class Tree:
    """Hold what was read of a discussion. `shifted` says that it changed meanwhile, `partial` that parts were refused."""

    place: Place
    discussion: Node | None = None
    roots: Branch = field(default_factory=Branch)
    threads: dict[str, Branch] = field(default_factory=dict[str, Branch])
    shifted: bool = False
    partial: bool = False

    def take(self, discussion: Node) -> None:
        """Take one page of roots, each with the first page of its replies."""
        self.discussion = self.discussion or discussion
        self.roots.take(discussion.get("comments"))
        for root in items(discussion.get("comments")):
            self.take_replies(id_of(root), root.get("replies"))

    def take_replies(self, root: str, connection: object) -> None:
        """Take one page of the replies to a root."""
        branch = self.threads.get(root)
        if branch is None:
            branch = self.threads[root] = Branch()
        branch.take(connection)

    def pending(self) -> list[tuple[str, str]]:
        """Name the roots with more replies, and where those begin."""
        return [(root, branch.after) for root, branch in self.threads.items() if branch.after is not None]

    @property
    def unsettled(self) -> bool:
        """Say whether it changed while it was read, so that something may be missing."""
        return self.shifted or self.roots.short or any(branch.short for branch in self.threads.values())

    @property
    def complete(self) -> bool:
        """Say whether nothing can be missing."""
        branches = (self.roots, *self.threads.values())
        return not (self.unsettled or self.partial or any(one.nulls or one.after for one in branches))

    @property
    def counted(self) -> int:
        """Give how many messages GitHub counts below the opening post."""
        return self.roots.latest + sum(branch.latest for branch in self.threads.values())

    def comments(self) -> Iterator[tuple[Node, Node]]:
        """Go through roots and replies in order, each with its root."""
        for ident, root in self.roots.nodes.items():
            yield root, root
            yield from ((reply, root) for reply in self.threads[ident].nodes.values())

    def spots(self) -> dict[str, Spot]:
        """Say where each comment is, by number."""
        return {number_of(node): Spot(id_of(node), id_of(root)) for node, root in self.comments()}
