"""How a route below the API is written."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from tertulia.errors import Invalid
from tertulia.parsing.github import Api, checked_repo, is_route, origin_of

__all__ = ["check_route", "path", "repo_path", "route_of"]

_DOTS = (".", "..")


def route_of(api: Api, url: str) -> str | None:
    """Give the route of a URL below the REST API; None when it is not below it."""
    try:
        origin = origin_of(url)
    except Invalid:
        return None
    split = urlsplit(url)
    if origin != api.origin:
        return None
    base = urlsplit(api.url).path
    route = split.path[len(base) :] if split.path.startswith(f"{base}/") else ""
    return route if is_route(route) else None


def path(*parts: str | int) -> str:
    """Write a route out of its parts, each percent-encoded: `path("repos", "acme", "demo", "issues", 7)`.

    Raises Invalid for an empty part and for `.` and `..`, which would lead to another route.
    """
    return "".join(f"/{_part(part)}" for part in parts)


def repo_path(repo: str, *parts: str | int) -> str:
    """Write a route below a repository: `repo_path("acme/demo", "issues", 7)` is `/repos/acme/demo/issues/7`."""
    return path("repos", *checked_repo(repo).split("/"), *parts)


def check_route(route: str) -> str:
    """Give a route back when it is one: a path, encoded, without a query and without dot segments; else Invalid."""
    if not isinstance(route, str) or not is_route(route):
        raise Invalid("github: route: must be an encoded path that begins with /", field="route")
    return route


def _part(part: str | int) -> str:
    text = str(part)
    try:
        encoded = quote(text, safe="")
    except UnicodeEncodeError:
        encoded = ""
    if not encoded or text in _DOTS:
        raise Invalid("github: route: a part is empty, . or .., or no text", field="route")
    return encoded
