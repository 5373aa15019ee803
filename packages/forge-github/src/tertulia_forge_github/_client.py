"""The forge client: roles, pull requests and files."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tertulia import forge
from tertulia.errors import Invalid, NotFound, Unavailable
from tertulia.parsing import as_object
from tertulia_forge_github import _convert as convert
from tertulia_forge_github._api import repo_path
from tertulia_forge_github._http import Http, HttpOptions, Rate, open_http

if TYPE_CHECKING:
    from githubkit import GitHub

    from tertulia.forge import Capability, Change, File, Permission
    from tertulia.thread import Account

__all__ = ["Client", "connect"]

_NO_USER = "is not a user"
_NO_FILE = {
    "dir": "is a directory",
    "submodule": "is a submodule, whose files are in another repository",
    "symlink": "is a symbolic link that leads to no file of this repository",
}


class Client(forge.Unimplemented):
    """Work with pull requests and files on GitHub. `http` is the transport, `native` the SDK's client below it."""

    backend = "github"
    capabilities: frozenset[Capability] = frozenset()

    def __init__(self, http: Http) -> None:
        """Be made by `connect`."""
        self.http = http

    @property
    def native(self) -> GitHub[Any]:
        """Give the SDK's client: the same connections and token, and no retries."""
        return self.http.native

    @property
    def rate(self) -> Rate | None:
        """Give what GitHub last said about the hourly limit."""
        return self.http.rate

    @property
    def scopes(self) -> frozenset[str] | None:
        """Give the scopes of the token as GitHub last said; None for one that has permissions instead."""
        return self.http.scopes

    async def whoami(self) -> Account:
        """Give the account this client acts as, resolved once and cached. Raises Denied, Unavailable."""
        return await self.http.whoami()

    async def permission(self, repo: str, login: str, /) -> Permission:
        """Look up an account's role on a repository; an account without access has the role none.

        An installed app is no user to GitHub, so its role is none as well. Raises NotFound when the repository is not
        visible, and Denied when this identity may not ask: GitHub wants push access for it.
        """
        return (await self.permission_of(repo, login))[0]

    async def permission_of(self, repo: str, login: str, /) -> tuple[Permission, str | None]:
        """Look up a role as `permission` does, and give the id of the account that has the login now."""
        route = repo_path(repo, "collaborators", login, "permission")
        try:
            answer = await self.http.get(route, operation="permission")
        except NotFound as error:
            if _NO_USER not in error.message:
                await self.http.get(repo_path(repo), operation="permission")
            return forge.Permission(role="none"), None
        return convert.understood(lambda: convert.permission(answer.data), "permission")

    async def get_change(self, repo: str, number: int, /) -> Change:
        """Read a pull request. Raises NotFound, for an issue too."""
        answer = await self.http.get(repo_path(repo, "pulls", _number(number)), operation="get_change")
        return convert.understood(lambda: convert.change(answer.data, repo), "get_change")

    async def labels(self, repo: str, number: int, /) -> tuple[str, ...]:
        """Read the labels of an issue. Raises NotFound."""
        answer = await self.http.get(repo_path(repo, "issues", _number(number)), operation="labels")
        return convert.understood(lambda: convert.issue_labels(answer.data), "labels")

    async def get_file(self, repo: str, path: str, /, *, ref: str | None = None) -> File:
        """Read a file at a ref (the default branch without one), of up to about 45 MB.

        A symbolic link to a file of the repository gives that file. Raises NotFound; Invalid for a directory, a
        submodule, any other link, and a path that is not one below the repository's root.
        """
        route = repo_path(repo, "contents", *_segments(path))
        params = None if ref is None else {"ref": _ref(ref)}
        answer = await self.http.get(route, operation="get_file", params=params)
        found = as_object(answer.data)
        kind = "dir" if isinstance(answer.data, list) else found.get("type")
        other = _NO_FILE.get(str(kind))
        if other is not None:
            raise Invalid(f"the path {other}", field="path", backend="github", operation="get_file")
        sha = found.get("sha") if kind == "file" else None
        if not isinstance(sha, str):
            raise Unavailable("the answer is no file", backend="github", operation="get_file")
        content = convert.understood(lambda: convert.decoded(found), "get_file")
        if content is None:
            content = await self._blob(repo, sha)
        return forge.File(path=path, ref=ref, content=content, sha=sha)

    async def _blob(self, repo: str, sha: str) -> bytes:
        """Read a file that is too large for the first answer: over 1 MB GitHub leaves its content out there."""
        answer = await self.http.get(repo_path(repo, "git", "blobs", sha), operation="get_file")
        found = as_object(answer.data)
        content = convert.understood(lambda: convert.decoded(found), "get_file")
        if content is None:
            raise Unavailable("the answer has no content", backend="github", operation="get_file")
        return content


@asynccontextmanager
async def connect(
    *,
    token: str | Callable[[], Awaitable[str]] | None = None,
    api_url: str | None = None,
    graphql_url: str | None = None,
    engine: Account | str | None = None,
    max_wait: float = 60.0,
    timeout: float = 30.0,  # noqa: ASYNC109 - between two bytes; a deadline is the caller's
    http: HttpOptions | None = None,
    user_agent: str = "tertulia-forge-github/0.1",
) -> AsyncGenerator[Client]:
    """Connect to GitHub; the arguments are those of `open_http`. Nothing is asked before the first operation."""
    async with open_http(
        token=token,
        api_url=api_url,
        graphql_url=graphql_url,
        engine=engine,
        max_wait=max_wait,
        timeout=timeout,
        http=http,
        user_agent=user_agent,
    ) as opened:
        yield Client(opened)


def _number(number: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise Invalid("github: number: must be a positive integer", field="number")
    return number


def _segments(path: str) -> list[str]:
    """Split a path into its parts; repo_path encodes them, and refuses empty ones, `.` and `..`."""
    if not isinstance(path, str) or not path:
        raise Invalid("github: path: must name a file", field="path")
    return path.split("/")


def _ref(ref: str) -> str:
    if not isinstance(ref, str) or not ref or not ref.isprintable():
        raise Invalid("github: ref: must name a branch, a tag or a commit", field="ref")
    return ref
