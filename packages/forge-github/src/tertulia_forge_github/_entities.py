"""Issues and pull requests as entities, with their labels, and a pull request's two sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tertulia.errors import Invalid
from tertulia_forge_github._people import fold, person
from tertulia_forge_github._urls import pull_url, web_url

if TYPE_CHECKING:
    from tertulia_forge_github._payload import Issue, PullRequest, Side

__all__ = ["change_proposal", "issue_entity", "labels_of", "pull_entity", "with_label"]

_MAX_NAME = 255
_SHA_LENGTHS = (40, 64)
_HEX = frozenset("0123456789abcdefABCDEF")


def issue_entity(issue: Issue, repo: str, *, as_pull: bool = False) -> dict[str, Any]:
    """Write an issue. GitHub shows pull requests as issues too, and `issue.pull_request` alone tells them apart.

    With `as_pull` such an issue is the change proposal itself (`issues` events), else a work item that links to it
    (comments). Without `html_url` the address is the one on github.com.
    """
    number = issue["number"]
    url = web_url(issue.get("html_url"), "issue.html_url") or f"https://github.com/{repo}/issues/{number}"
    entity = {"kind": "work_item", "id": number, "url": url}
    if issue.get("pull_request") is None:
        return entity
    if as_pull:
        return {"kind": "change_proposal", "id": number, "url": pull_url(url)}
    return entity | {"linked_change_proposal": {"id": number, "url": pull_url(url)}}


def pull_entity(pull: PullRequest, repo: str) -> dict[str, Any]:
    """Write a pull request. Without `html_url` the address is the one on github.com."""
    number = pull["number"]
    url = web_url(pull.get("html_url"), "pull_request.html_url") or f"https://github.com/{repo}/pull/{number}"
    return {"kind": "change_proposal", "id": number, "url": url}


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


def labels_of(subject: Issue | PullRequest, where: str) -> list[str]:
    """List label names; what has no name is skipped, a name longer than an event can carry is `Invalid`."""
    found = []
    for at, label in enumerate(subject.get("labels") or ()):
        name = label.get("name") if isinstance(label, dict) else None
        if not isinstance(name, str) or not name:
            continue
        if len(name) > _MAX_NAME:
            field = f"{where}.labels[{at}].name"
            raise Invalid(f"github: {field}: {len(name)} characters are more than {_MAX_NAME}", field=field)
        found.append(name)
    return found


def with_label(labels: list[str], change: Mapping[str, str] | None) -> list[str]:
    """Apply the event's own label, because the payload may be older. GitHub's labels are one whatever their case."""
    if change is None:
        return labels
    name = change["name"].lower()
    if change["action"] == "removed":
        return [label for label in labels if label.lower() != name]
    known = any(label.lower() == name for label in labels)
    return labels if known else [*labels, change["name"]]
