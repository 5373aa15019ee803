"""Slack's words for what went wrong, as errors of the tree. Only here."""

from __future__ import annotations

from collections.abc import Mapping

from tertulia.errors import (
    Conflict,
    Denied,
    Error,
    Invalid,
    NotFound,
    RateLimited,
    Unavailable,
    Unsupported,
    from_status,
)
from tertulia.parsing import as_object
from tertulia_conversation_slack._fields import word

__all__ = ["BACKEND", "is_about_token", "refusal"]

BACKEND = "slack"

_KINDS: Mapping[str, type[Error]] = {
    **dict.fromkeys(
        (
            "cannot_reply_to_message",
            "channel_not_found",
            "message_not_found",
            "no_such_subteam",
            "team_not_found",
            "thread_not_found",
            "user_not_found",
        ),
        NotFound,
    ),
    **dict.fromkeys(
        (
            "access_denied",
            "accesslimited",
            "account_inactive",
            "cant_delete_message",
            "cant_update_message",
            "channel_is_limited_access",
            "ekm_access_denied",
            "enterprise_is_restricted",
            "invalid_auth",
            "is_bot",
            "messages_tab_disabled",
            "missing_scope",
            "no_permission",
            "not_allowed_token_type",
            "not_authed",
            "not_in_channel",
            "org_login_required",
            "restricted_action",
            "restricted_action_non_threadable_channel",
            "restricted_action_read_only_channel",
            "restricted_action_thread_only_channel",
            "token_expired",
            "token_revoked",
            "two_factor_setup_required",
            "user_not_visible",
        ),
        Denied,
    ),
    **dict.fromkeys(
        (
            "already_reacted",
            "edit_window_closed",
            "is_archived",
            "is_inactive",
            "restricted_action_thread_locked",
            "streaming_state_conflict",
            "thread_locked",
            "too_many_reactions",
        ),
        Conflict,
    ),
    **dict.fromkeys(("message_limit_exceeded", "rate_limited", "ratelimited"), RateLimited),
    **dict.fromkeys(
        (
            "fatal_error",
            "internal_error",
            "request_timeout",
            "service_unavailable",
            "team_added_to_org",
            "update_failed",
        ),
        Unavailable,
    ),
}
"""What each word means (docs.slack.dev, the errors of each method); any other says that the request was wrong."""

_TOKEN = frozenset({"invalid_auth", "not_authed", "token_expired", "token_revoked"})
_NEVER = frozenset(
    {"deprecated_endpoint", "method_deprecated", "method_not_supported_for_channel_type", "unknown_method"}
)


def is_about_token(data: object) -> bool:
    """Say whether a refusal is about the token itself, which another may replace."""
    return _code(data) in _TOKEN


def _code(data: object) -> str | None:
    """Give Slack's word for a refusal; None when an answer is none of Slack's."""
    return word(as_object(data), "error") or None


def refusal(status: int, headers: Mapping[str, str], data: object, *, operation: str, write: bool) -> Error:
    """Translate an answer that is no success. A write that went wrong on Slack's side may have landed."""
    code = _code(data)
    if status != 200 or code is None:
        text = code or ("the answer is not JSON" if status == 200 else "")
        error = from_status(status if status != 200 else 502, headers, text, backend=BACKEND, operation=operation)
    else:
        error = _by_code(code, headers, data, operation)
    if isinstance(error, Unavailable):
        error.ambiguous = write
    return error


def _by_code(code: str, headers: Mapping[str, str], data: object, operation: str) -> Error:
    where: dict[str, str | None] = {
        "backend": BACKEND,
        "operation": operation,
        "request_id": headers.get("x-slack-req-id"),
    }
    if code in _NEVER:
        return Unsupported(code, BACKEND, operation=operation)
    kind = _KINDS.get(code, Invalid)
    if kind is RateLimited:
        return from_status(429, headers, code, backend=BACKEND, operation=operation)
    if kind is Denied:
        needed = word(as_object(data), "needed")
        return Denied(f"{code}: the scope {needed} is needed" if needed else code, permission=needed or None, **where)
    return kind(code, **where)
