"""Why an event of GitHub's is none of ours."""

from __future__ import annotations

from tertulia.event import Ignored
from tertulia.parsing.github_events._delivery import short

__all__ = ["unsupported"]

_HOMES = {
    **dict.fromkeys(("discussion", "discussion_comment"), "tertulia-conversation-github"),
    **dict.fromkeys(("issues", "issue_comment", "pull_request", "pull_request_target"), "tertulia-forge-github"),
    **dict.fromkeys(("pull_request_review", "pull_request_review_comment"), "tertulia-forge-github"),
}
_NO_CONVERSATION = frozenset(
    {
        "create",
        "delete",
        "deployment",
        "merge_group",
        "page_build",
        "push",
        "registry_package",
        "release",
        "repository_dispatch",
        "schedule",
        "workflow_call",
        "workflow_dispatch",
        "workflow_job",
        "workflow_run",
    }
)


def unsupported(name: str) -> Ignored:
    """Say why an event that an adapter has no maker for is ignored."""
    if name == "ping":
        return Ignored("ping", "the webhook works")
    if name in _HOMES:
        return Ignored("other-adapter", f"{name} belongs to {_HOMES[name]}")
    if name in _NO_CONVERSATION:
        return Ignored("unsupported-event", f"{name} has no conversation")
    return Ignored("unsupported-event", f"{short(name)} is not one of {', '.join(sorted(_HOMES))}")
