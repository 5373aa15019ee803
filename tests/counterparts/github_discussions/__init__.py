"""GitHub Discussions on loopback: GitHub's published GraphQL schema, executed over a small store.

It answers as GitHub does, refuses what GitHub refuses, and breaks the wire on demand. `docs/counterparts.md` says where it
differs. `problems` checks a query or mutation against the schema, with and without what is deprecated.
"""

from github_discussions._models import Account, Category, Comment, Discussion, Label, Reaction, Repository
from github_discussions._refusals import Refusal
from github_discussions._schema import current, documents, problems, published
from github_discussions._server import Discussions, Token, secondary

import github_discussions._mutations  # isort: skip - both fill the table of resolvers
import github_discussions._viewing  # noqa: F401  isort: skip

__all__ = [
    "Account",
    "Category",
    "Comment",
    "Discussion",
    "Discussions",
    "Label",
    "Reaction",
    "Refusal",
    "Repository",
    "Token",
    "current",
    "documents",
    "problems",
    "published",
    "secondary",
]
