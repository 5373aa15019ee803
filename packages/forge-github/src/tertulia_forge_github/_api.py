"""Where the API is, and how a route below it is written."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, unquote, urlsplit

from tertulia.errors import Invalid

__all__ = ["Api", "Origin", "check_route", "locate", "origin_of", "path", "repo_path"]

Origin = tuple[str, str, int]
"""Scheme, host and port: what a credential is bound to."""

_DEFAULT = "https://api.github.com"
_PORTS = {"https": 443, "http": 80}
_LOOPBACK = re.compile(r"localhost|127(?:\.[0-9]{1,3}){3}|::1")
_PRINTABLE = re.compile(r"[!-~]{1,2048}")
_ROUTE = re.compile(r"(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+")
_REPO = re.compile(r"[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}")
_DOTS = (".", "..")


@dataclass(frozen=True, slots=True)
class Api:
    """Say where REST and GraphQL are, which web server people see, and what the token is bound to."""

    url: str
    graphql_url: str
    web_host: str
    origin: Origin

    def route_of(self, url: str) -> str | None:
        """Give the route of a URL below the REST API; None when it is not below it."""
        split = _split(url)
        if split is None or "@" in split.netloc or split.scheme not in _PORTS or not split.hostname:
            return None
        if origin_of(url) != self.origin:
            return None
        base = urlsplit(self.url).path
        route = split.path[len(base) :] if split.path.startswith(f"{base}/") else ""
        return route if _is_route(route) else None


def locate(api_url: str | None = None, graphql_url: str | None = None) -> Api:
    """Find the API: the arguments, else `GITHUB_API_URL` and `GITHUB_GRAPHQL_URL`, else github.com's.

    Enterprise Server's REST API is `https://HOST/api/v3`, and its GraphQL `https://HOST/api/graphql`. With an `api_url`
    the environment is not asked for GraphQL either. Raises Invalid for what is not the address of an API, for plain
    http anywhere but on this machine, and when the two are not on one scheme, host and port: they share the token.
    """
    if api_url is None and graphql_url is None:
        graphql_url = os.environ.get("GITHUB_GRAPHQL_URL", "").strip() or None
    if api_url is None:
        api_url = os.environ.get("GITHUB_API_URL", "").strip() or _DEFAULT
    url = _base(api_url, "GITHUB_API_URL")
    graphql = _base(graphql_url, "GITHUB_GRAPHQL_URL") if graphql_url is not None else _graphql(url)
    if origin_of(url) != origin_of(graphql):
        raise Invalid(
            "github: GITHUB_GRAPHQL_URL: is not on the host of GITHUB_API_URL, and the token is for that host only",
            field="GITHUB_GRAPHQL_URL",
        )
    return Api(url, graphql, _web_host(url), origin_of(url))


def origin_of(url: str) -> Origin:
    """Give the scheme, host and port of a URL; Invalid when it has none."""
    split = _split(url)
    if split is None or split.hostname is None or split.scheme not in _PORTS:
        raise Invalid("github: this is not a web address")
    return split.scheme, split.hostname, split.port or _PORTS[split.scheme]


def path(*parts: str | int) -> str:
    """Write a route out of its parts, each percent-encoded: `path("repos", "acme", "demo", "issues", 7)`.

    Raises Invalid for an empty part and for `.` and `..`, which would lead to another route.
    """
    return "".join(f"/{_part(part)}" for part in parts)


def repo_path(repo: str, *parts: str | int) -> str:
    """Write a route below a repository: `repo_path("acme/demo", "issues", 7)` is `/repos/acme/demo/issues/7`."""
    if not isinstance(repo, str) or _REPO.fullmatch(repo) is None:
        raise Invalid("github: repo: must look like acme/demo", field="repo")
    return path("repos", *repo.split("/"), *parts)


def check_route(route: str) -> str:
    """Give a route back when it is one: a path, encoded, without a query and without dot segments; else Invalid."""
    if not isinstance(route, str) or not _is_route(route):
        raise Invalid("github: route: must be an encoded path that begins with /", field="route")
    return route


def _is_route(route: str) -> bool:
    return _ROUTE.fullmatch(route) is not None and not any(unquote(part) in _DOTS for part in route.split("/"))


def _part(part: str | int) -> str:
    text = str(part)
    try:
        encoded = quote(text, safe="")
    except UnicodeEncodeError:
        encoded = ""
    if not encoded or text in _DOTS:
        raise Invalid("github: route: a part is empty, . or .., or no text", field="route")
    return encoded


def _base(url: str, field: str) -> str:
    split = _split(url)
    if split is None or split.scheme not in _PORTS or not split.hostname or "@" in split.netloc:
        raise Invalid(f"github: {field}: must be a web address without a user", field=field)
    if split.query or split.fragment or "?" in url or "#" in url:
        raise Invalid(f"github: {field}: must have no query and no fragment", field=field)
    trimmed = split.path.rstrip("/")
    if trimmed and not _is_route(trimmed):
        raise Invalid(f"github: {field}: its path is not one", field=field)
    if split.scheme == "http" and _LOOPBACK.fullmatch(split.hostname) is None:
        raise Invalid(f"github: {field}: must be https, because the token would travel in the clear", field=field)
    return f"{split.scheme}://{split.netloc.lower()}{trimmed}"


def _split(url: str) -> SplitResult | None:
    if not isinstance(url, str) or _PRINTABLE.fullmatch(url) is None:
        return None
    try:
        split = urlsplit(url)
        _ = split.port
    except ValueError:
        return None
    return split


def _graphql(url: str) -> str:
    return f"{url.removesuffix('/v3')}/graphql" if url.endswith("/api/v3") else f"{url}/graphql"


def _web_host(url: str) -> str:
    scheme, host, port = origin_of(url)
    if host == "api.github.com" or (host.startswith("api.") and host.endswith(".ghe.com")):
        host = host.removeprefix("api.")
    shown = f"[{host}]" if ":" in host else host
    return shown if port == _PORTS[scheme] else f"{shown}:{port}"
