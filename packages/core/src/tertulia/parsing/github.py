"""GitHub's addresses, for every adapter that works with GitHub: where its APIs are, what its pages show, `acme/demo#7`.

Pure: nobody is asked, and only the environment is looked at.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self
from urllib.parse import SplitResult, unquote, urlsplit

from tertulia.errors import Invalid
from tertulia.registry import Setting

__all__ = [
    "IMPLIED",
    "SETTINGS",
    "TOKENS",
    "Api",
    "Origin",
    "Page",
    "Place",
    "checked_id",
    "checked_repo",
    "is_route",
    "is_shown_by",
    "locate",
    "locate_graphql",
    "origin_of",
    "page_of",
    "scopes_of",
]

Origin = tuple[str, str, int]
"""Scheme, host and port: what a credential is bound to, and what tells one web server from another."""

SETTINGS = (
    Setting("GITHUB_TOKEN", "The token that requests are made with.", secret=True),
    Setting("GH_TOKEN", "The token when GITHUB_TOKEN is not set.", secret=True),
    Setting(
        "GITHUB_API_URL",
        "The REST API, https://api.github.com by default; on Enterprise Server https://HOST/api/v3.",
    ),
    Setting(
        "GITHUB_GRAPHQL_URL",
        "The GraphQL API, found from GITHUB_API_URL by default; on Enterprise Server https://HOST/api/graphql.",
    ),
)
"""What clients of GitHub read in the environment."""

TOKENS = tuple(setting.name for setting in SETTINGS if setting.secret)
"""The variables that hold a token, the first that is set before the others."""

IMPLIED = {"repo": frozenset({"public_repo"})}
"""The scopes that others bring along (docs.github.com, "Scopes for OAuth apps")."""

_DEFAULT = "https://api.github.com"
_PORTS = {"https": 443, "http": 80}
_LOOPBACK = re.compile(r"localhost|127(?:\.[0-9]{1,3}){3}|::1")
_PRINTABLE = re.compile(r"[!-~]{1,2048}")
_ROUTE = re.compile(r"(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})++)++")
_DOTS = (".", "..")
_NAME = r"(?!\.{1,2}(?:[/#]|$))[A-Za-z0-9._-]{1,100}"
_NUMBER = r"[1-9][0-9]{0,17}"
_REPO = re.compile(rf"{_NAME}/{_NAME}")
_CONVERSATION = re.compile(rf"(?P<owner>{_NAME})/(?P<repo>{_NAME})#(?P<number>{_NUMBER})")
_PAGE = re.compile(rf"/(?P<repo>{_NAME}/{_NAME})/(?P<section>[a-z]+)/(?P<number>{_NUMBER})/?")
_ID = re.compile(r"[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class Api:
    """Say where REST and GraphQL are, which web server people see, and what the token is bound to."""

    url: str
    graphql_url: str
    web_host: str
    origin: Origin


class Page(NamedTuple):
    """Hold what a web address shows: a conversation, in which section of its repository, and the fragment behind it."""

    conversation: str
    section: str
    fragment: str


class Place(NamedTuple):
    """Hold owner, repository and number of an issue, a pull request or a discussion."""

    owner: str
    repo: str
    number: str

    @classmethod
    def of(cls, conversation: str) -> Self:
        """Read `acme/demo#7`."""
        found = _CONVERSATION.fullmatch(conversation)
        if found is None:
            raise Invalid("github: conversation: must look like acme/demo#7", field="conversation")
        return cls(*found.groups())

    @property
    def conversation(self) -> str:
        """Write `acme/demo#7`."""
        return f"{self.owner}/{self.repo}#{self.number}"

    def same(self, other: Place) -> bool:
        """Compare places as GitHub does, ignoring case."""
        return self.conversation.lower() == other.conversation.lower()


def checked_id(ident: str, field: str) -> str:
    """Give an id back when it is one of GitHub's numbers."""
    if _ID.fullmatch(ident) is None:
        raise Invalid(f"github: {field}: must be a number", field=field)
    return ident


def checked_repo(repo: str, field: str = "repo") -> str:
    """Give the name of a repository back when it is one."""
    if not isinstance(repo, str) or _REPO.fullmatch(repo) is None:
        raise Invalid(f"github: {field}: must look like acme/demo", field=field)
    return repo


def locate(api_url: str | None = None, graphql_url: str | None = None) -> Api:
    """Find the APIs: the arguments, else `GITHUB_API_URL` and `GITHUB_GRAPHQL_URL`, else github.com's.

    Enterprise Server's REST API is `https://HOST/api/v3`, and its GraphQL `https://HOST/api/graphql`. With an `api_url`
    the environment is not asked for GraphQL either. Raises Invalid for what is not the address of an API, for plain
    http anywhere but on this machine, and when the two are not on one scheme, host and port: they share the token.
    """
    if api_url is None and graphql_url is None:
        graphql_url = os.environ.get("GITHUB_GRAPHQL_URL", "").strip() or None
    url = _base(_configured() if api_url is None else api_url, "GITHUB_API_URL")
    graphql = _base(graphql_url, "GITHUB_GRAPHQL_URL") if graphql_url is not None else _graphql(url)
    if origin_of(url) != origin_of(graphql):
        raise Invalid(
            "github: GITHUB_GRAPHQL_URL: is not on the host of GITHUB_API_URL, and the token is for that host only",
            field="GITHUB_GRAPHQL_URL",
        )
    return Api(url, graphql, _web_host(url), origin_of(url))


def locate_graphql(api_url: str | None = None, graphql_url: str | None = None) -> str:
    """Find the GraphQL API alone: `graphql_url` when it is given, else as `locate` does, which says what is Invalid."""
    return locate(api_url).graphql_url if graphql_url is None else _base(graphql_url, "GITHUB_GRAPHQL_URL")


def origin_of(url: str) -> Origin:
    """Give the scheme, host and port of a URL; Invalid when it has none."""
    split = _split(url)
    if split is None or split.hostname is None or split.scheme not in _PORTS:
        raise Invalid("github: this is not a web address")
    return split.scheme, split.hostname, split.port or _PORTS[split.scheme]


def page_of(url: str) -> Page | None:
    """Read the address of a page of a conversation; None for any other address, and for any other web server's.

    `https://HOST/OWNER/REPO/SECTION/N#FRAGMENT`, where HOST is the one whose API `GITHUB_API_URL` names, github.com
    without it; plain http is for a server on this machine.
    """
    split = _split(url)
    if split is None or not is_shown_by(url, _configured()):
        return None
    found = _PAGE.fullmatch(split.path)
    return Page(f"{found['repo']}#{found['number']}", found["section"], split.fragment) if found else None


def is_shown_by(url: str, api_url: str) -> bool:
    """Say whether a page is on the web server that belongs to an API.

    `https://api.github.com` belongs to github.com, `https://api.SUB.ghe.com` to SUB.ghe.com, and Enterprise Server's
    `https://HOST/api/v3` to HOST. Plain http is for a server on this machine.
    """
    try:
        (scheme, host, port), shown = origin_of(api_url), origin_of(url)
    except Invalid:
        return False
    if scheme != "https" and _LOOPBACK.fullmatch(host) is None:
        return False
    return shown == (scheme, _shown_on(host), port)


def is_route(route: str) -> bool:
    """Say whether this is an encoded path that begins with / and has no dot segments, no query and no fragment."""
    return _ROUTE.fullmatch(route) is not None and not any(unquote(part) in _DOTS for part in route.split("/"))


def scopes_of(reading: Iterable[str], writing: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """Give the scopes that a classic token needs for operations that read and that write, and for private repositories.

    Without any it reads what is public, `public_repo` writes there, and `repo` does both everywhere (docs.github.com,
    "Scopes for OAuth apps"). Fine-grained tokens and those of apps have permissions, and no scopes.
    """
    none, public = frozenset[str](), frozenset({"public_repo"})
    return dict.fromkeys(reading, none) | dict.fromkeys(writing, public) | {"private repositories": frozenset({"repo"})}


def _configured() -> str:
    return os.environ.get("GITHUB_API_URL", "").strip() or _DEFAULT


def _base(url: str, field: str) -> str:
    split = _split(url)
    if split is None or split.scheme not in _PORTS or not split.hostname:
        raise Invalid(f"github: {field}: must be a web address without a user", field=field)
    if split.query or split.fragment or "?" in url or "#" in url:
        raise Invalid(f"github: {field}: must have no query and no fragment", field=field)
    trimmed = split.path.rstrip("/")
    if trimmed and not is_route(trimmed):
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
    return split if "@" not in split.netloc else None


def _graphql(url: str) -> str:
    return f"{url.removesuffix('/v3')}/graphql" if url.endswith("/api/v3") else f"{url}/graphql"


def _web_host(url: str) -> str:
    scheme, host, port = origin_of(url)
    host = _shown_on(host)
    shown = f"[{host}]" if ":" in host else host
    return shown if port == _PORTS[scheme] else f"{shown}:{port}"


def _shown_on(host: str) -> str:
    """Name the host of the pages that belong to an API's host."""
    is_cloud = host == "api.github.com" or (host.startswith("api.") and host.endswith(".ghe.com"))
    return host.removeprefix("api.") if is_cloud else host
