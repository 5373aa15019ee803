"""Issues and pull requests as entities, and a pull request's two sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tertulia.parsing.github_events import entity, fold, person
from tertulia_forge_github._urls import pull_url

if TYPE_CHECKING:
    from tertulia.event import Entity
    from tertulia_forge_github._payload import Issue, PullRequest, Side

__all__ = ["change_proposal", "issue_entity", "pull_entity"]

_SHA_LENGTHS = (40, 64)
_HEX = frozenset("0123456789abcdefABCDEF")


def issue_entity(issue: Issue, repo: str, *, as_pull: bool = False) -> Entity:
    """Write an issue. GitHub shows pull requests as issues too, and `issue.pull_request` alone tells them apart.

    With `as_pull` such an issue is the change proposal itself (`issues` events), else a work item that links to it
    (comments). Without `html_url` the address is the one on github.com.
    """
    number = issue["number"]
    url = issue.get("html_url") or f"https://github.com/{repo}/issues/{number}"
    if issue.get("pull_request") is None:
        return entity("work_item", number, url)
    if as_pull:
        return entity("change_proposal", number, pull_url(url))
    return entity("work_item", number, url, pull_url(url))


def pull_entity(pull: PullRequest, repo: str) -> Entity:
    """Write a pull request. Without `html_url` the address is the one on github.com."""
    number = pull["number"]
    url = pull.get("html_url") or f"https://github.com/{repo}/pull/{number}"
    return entity("change_proposal", number, url)


def change_proposal(pull: PullRequest, repo: str) -> dict[str, Any]:
    """Write the two sides of a pull request. It is a fork unless both repositories are there and are one."""
    head, base = pull["head"], pull["base"]
    head_repo, base_repo = _repo_of(head), _repo_of(base)
    return {
        "id": pull["number"],
        "head_repo": head_repo,
        "base_repo": base_repo or repo,
        "head_ref": head["ref"],
        "base_ref": base["ref"],
        "head_sha": _sha(head),
        "author_id": person(pull.get("user")).login,
        "is_fork": head_repo is None or base_repo is None or fold(head_repo) != fold(base_repo),
    }


def _repo_of(side: Side) -> str | None:
    return (side.get("repo") or {}).get("full_name") or None


def _sha(side: Side) -> str | None:
    sha = side.get("sha") or ""
    return sha if len(sha) in _SHA_LENGTHS and _HEX.issuperset(sha) else None
