"""What the fields of the schema give: a table of those that take arguments or depend on who asks; attributes for the rest."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import escape
from typing import Any

from graphql import GraphQLResolveInfo

from github_discussions._models import Account, Category, Comment, Discussion, Label, Post, Repository
from github_discussions._paging import connection
from github_discussions._refusals import Refusal, not_collaborator, not_found
from github_discussions._session import Session

__all__ = ["FIELDS", "field", "resolve", "type_of"]

Json = dict[str, Any]
Info = GraphQLResolveInfo[Any]
Resolver = Callable[..., Any]
FIELDS: dict[str, Resolver] = {}
_MOST_IDS = 100


def field(*names: str) -> Callable[[Resolver], Resolver]:
    """Make a function the resolver of fields, each named `Type.field`."""

    def register(function: Resolver) -> Resolver:
        FIELDS.update(dict.fromkeys(names, function))
        return function

    return register


def resolve(source: Any, info: Info, **arguments: Any) -> Any:
    """Resolve a field. Raises AttributeError for what is not modelled: it is never null by chance."""
    known = FIELDS.get(f"{info.parent_type.name}.{info.field_name}")
    if known is not None:
        return known(source, info, **arguments)
    return source[info.field_name] if isinstance(source, dict) else getattr(source, _snake(info.field_name))


def type_of(value: Any, *_: Any) -> str:
    """Name the type of what stands where the schema has an interface or a union."""
    return str(value.kind)


@cache
def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _by_creation(thing: Any) -> tuple[str, int]:
    return thing.created_at, thing.database_id


def _by_activity(thing: Any) -> tuple[str, int]:
    return thing.updated_at, thing.database_id


def _by_id(thing: Any) -> tuple[str, int]:
    return "", thing.database_id


@field("Query.viewer")
def _viewer(_: Any, info: Info) -> Account:
    if info.context.nameless:
        raise Refusal("FORBIDDEN", "Resource not accessible by integration")
    viewer: Account = info.context.viewer
    return viewer


@field("Query.user")
def _user(_: Any, info: Info, login: str) -> Account:
    found: dict[str, Account] = {one.login.lower(): one for one in info.context.store.people.values()}
    user = found.get(login.lower())
    if user is None or user.kind != "User":
        raise not_found("User", "login of", f"'{login}'")
    return user


@field("User.login")
def _login(account: Account, info: Info) -> str:
    """Print a login. The viewer is a User by the schema, also when it is a bot: then the name has its suffix."""
    return f"{account.login}[bot]" if account.kind == "Bot" else account.login


@field("User.name")
def _name(account: Account, info: Info) -> None:
    return None


@field(*(f"{kind}.avatarUrl" for kind in ("Bot", "Mannequin", "Organization", "User")))
def _avatar(account: Account, info: Info, size: int | None = None) -> str:
    return f"https://avatars.invalid/u/{account.database_id}"


@field("Query.rateLimit")
def _rate(_: Any, info: Info, dryRun: bool = False) -> Json | None:
    rate: Json | None = info.context.rate
    return rate


@field("Query.repository")
def _repository(_: Any, info: Info, owner: str, name: str, followRenames: bool = True) -> Repository:
    full = f"{owner}/{name}"
    found: Repository | None = info.context.store.repositories.get(full.lower())
    is_renamed = found is not None and found.name_with_owner.lower() != full.lower()
    if found is None or not info.context.sees(found) or (is_renamed and not followRenames):
        raise not_found("Repository", "name", f"'{full}'")
    return found


@field("Query.node")
def _node(_: Any, info: Info, id: str) -> Any:
    return _whole(info.context.shown(info.context.node(id)))


@field("Query.nodes")
def _nodes(_: Any, info: Info, ids: list[str]) -> list[Any]:
    if len(ids) > _MOST_IDS:
        words = f"You may not provide more than {_MOST_IDS} node ids; you provided {len(ids)}."
        raise Refusal("ARGUMENT_LIMIT", words)
    return [_node_or_refusal(info.context, ident) for ident in ids]


def _node_or_refusal(session: Session, ident: str) -> Any:
    try:
        return session.shown(session.node(ident))
    except Refusal as refusal:
        return refusal


def _whole(found: Any) -> Any:
    if isinstance(found, Refusal):
        raise found
    return found


@field("Repository.viewerPermission")
def _permission(repo: Repository, info: Info) -> str | None:
    role: str | None = info.context.role(repo)
    return role


@field("Repository.discussion")
def _discussion(repo: Repository, info: Info, number: int) -> Any:
    if number not in repo.discussions:
        raise not_found("Discussion", "number of", number)
    return _whole(info.context.shown(repo.discussions[number]))


@field("Repository.discussions")
def _discussions(
    repo: Repository,
    info: Info,
    orderBy: Json,
    categoryId: str | None = None,
    states: list[str] | None = None,
    answered: bool | None = None,
    **page: Any,
) -> Json:
    category = None if categoryId is None else info.context.get(Category, categoryId)
    kept = [
        one
        for one in repo.discussions.values()
        if (category is None or one.category is category)
        and (not states or ("CLOSED" if one.closed else "OPEN") in states)
        and (answered is None or one.is_answered is answered)
    ]
    order = _by_creation if orderBy["field"] == "CREATED_AT" else _by_activity
    return connection(kept, order, info, descending=orderBy["direction"] == "DESC", **page)


@field("Repository.discussionCategories")
def _categories(repo: Repository, info: Info, filterByAssignable: bool = False, **page: Any) -> Json:
    session: Session = info.context
    hidden = filterByAssignable and not session.may(repo, "MAINTAIN")
    return connection([one for one in repo.categories if not (hidden and one.announcement)], _by_creation, info, **page)


@field("Repository.discussionCategory")
def _category(repo: Repository, info: Info, slug: str) -> Category | None:
    return next((one for one in repo.categories if one.slug == slug), None)


@field("Repository.labels")
def _labels_of(repo: Repository, info: Info, query: str | None = None, orderBy: Any = None, **page: Any) -> Json:
    words = (query or "").lower()
    return connection([one for one in repo.labels if words in one.name.lower()], _by_creation, info, **page)


@field("Repository.label")
def _label(repo: Repository, info: Info, name: str) -> Label | None:
    return next((one for one in repo.labels if one.name.lower() == name.lower()), None)


@field("Repository.collaborators")
def _collaborators(
    repo: Repository,
    info: Info,
    affiliation: Any = None,
    login: str | None = None,
    query: str | None = None,
    **page: Any,
) -> Json:
    session: Session = info.context
    if not session.may(repo, "WRITE"):
        raise not_collaborator()
    logins = {repo.owner.login: "ADMIN"} if repo.owner.kind == "User" else {}
    people = [session.store.people[name] for name in {**logins, **repo.roles}]
    users = [one for one in people if one.kind == "User"]
    named = [one for one in users if login is None or one.login.lower() == login.lower()]
    found = [one for one in named if (query or "").lower() in one.login.lower()]
    given = connection(found, _by_id, info, **page)
    given["edges"] = [{**edge, "permission": session.role(repo, edge["node"])} for edge in given["edges"]]
    return given


@field("Discussion.comments")
def _comments(talk: Discussion, info: Info, **page: Any) -> Json:
    given = connection(talk.comments, _by_creation, info, **page)
    if page.get("after") is None and page.get("before") is None:
        info.context.store.shifted(talk)
    return given


@field("Discussion.labels")
def _labels(talk: Discussion, info: Info, orderBy: Any = None, **page: Any) -> Json:
    return connection(talk.labels, _by_creation, info, **page)


@field("DiscussionComment.replies")
def _replies(root: Comment, info: Info, **page: Any) -> Json:
    return connection(root.replies, _by_creation, info, **page)


def _on_posts(name: str) -> Callable[[Resolver], Resolver]:
    return field(f"Discussion.{name}", f"DiscussionComment.{name}")


@_on_posts("bodyText")
def _text(post: Post, info: Info) -> str:
    return post.body


@_on_posts("bodyHTML")
def _html(post: Post, info: Info) -> str:
    return f"<p>{escape(post.body)}</p>"


@_on_posts("authorAssociation")
def _association(post: Post, info: Info) -> str:
    repo, author = post.repository, post.author
    if author is None or author.kind == "Mannequin":
        return "NONE" if author is None else "MANNEQUIN"
    known = "OWNER" if author is repo.owner else repo.associations.get(author.login)
    return known or ("COLLABORATOR" if author.login in repo.roles else "NONE")


@_on_posts("reactions")
def _reactions(post: Post, info: Info, content: str | None = None, orderBy: Any = None, **page: Any) -> Json:
    kept = [one for one in post.reactions if content in (None, one.content)]
    return connection(kept, _by_creation, info, **page)


@_on_posts("reactionGroups")
def _groups(post: Post, info: Info) -> list[Json]:
    contents = dict.fromkeys(one.content for one in post.reactions)
    return [{"content": content, "post": post, "subject": post} for content in contents]


@field("ReactionGroup.viewerHasReacted")
def _has_reacted(group: Json, info: Info) -> bool:
    return any(one.user is info.context.viewer for one in group["post"].reactions if one.content == group["content"])


@field("ReactionGroup.reactors")
def _reactors(group: Json, info: Info, **page: Any) -> Json:
    users = [one.user for one in group["post"].reactions if one.content == group["content"]]
    return connection(users, _by_id, info, **page)
