"""What a message is: kinds for bots are for anchored accounts only, everybody else takes the human path."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tertulia._text import BodyMarker, find_marker
from tertulia.event import find_commands
from tertulia.ledger._accounts import GITHUB_TYPES, OPENING_TYPES, is_engine, is_nobody
from tertulia.ledger._edits import edit_problem
from tertulia.ledger._models import Finding, Flag, Kind, Options, Run
from tertulia.ledger._trust import judge
from tertulia.thread import Message

__all__ = ["Class", "classify"]

_CARRIER_TYPES = frozenset({"slack_message", "jira_issue", "jira_comment"})
"""Source types whose backend carries a marker outside the body: their text is never parsed for one."""


class Class(NamedTuple):
    """Hold what a message is, whether it is trusted, why, and what was surprising about it."""

    kind: Kind
    trusted: bool
    reason: str
    by_trigger: bool = False
    findings: tuple[Finding, ...] = ()


def classify(message: Message, run: Run, options: Options) -> Class:
    """Decide kind and trust of one message; pure, and the same whatever else is in the thread."""
    if message.source_type in OPENING_TYPES:
        return _human("issue-body", message, run, options, ())
    marker = _marker(message, options)
    if marker is None:
        return _human(_human_kind(message, run, options), message, run, options, ())
    engine = is_engine(message, run.engine)
    anchor, flag, detail = _anchor(message, run, options, engine=engine)
    findings = (_finding(flag, message, detail),) if flag is not None else ()
    if not anchor or (marker.kind == "unknown" and not engine):
        found = _human(_human_kind(message, run, options), message, run, options, findings)
        return found._replace(reason=f"{found.reason}; its marker counts for nobody")
    kind: Kind = "agent-output" if marker.kind == "agent" else "engine-output"
    reason = f"{detail}, marked as {'agent' if marker.kind == 'agent' else 'engine'} output"
    return _guarded(Class(kind, True, reason, findings=findings), message, run, options)


def _marker(message: Message, options: Options) -> BodyMarker | None:
    if message.marker is not None:
        return BodyMarker("agent", message.marker.agent)
    if message.source_type in _CARRIER_TYPES:
        return None
    return find_marker(message.body, options.marker_prefix)


def _anchor(message: Message, run: Run, options: Options, *, engine: bool) -> tuple[bool, Flag | None, str]:
    """Say whether the posting account may carry a marker: (anchored, what is surprising, in words)."""
    author = message.author
    if options.posted_ids is not None and message.ref not in options.posted_ids:
        return False, "forged-marker", "a marker on a message that the engine did not post (posted_ids)"
    if engine:
        return True, None, "the engine's own account"
    github = message.source_type in GITHUB_TYPES
    if author is None or author.kind != "bot" or not github or is_nobody(author):
        return False, "forged-marker", _forged(run)
    if options.bot_anchor == "allowlist":
        if author.id is not None and author.id in options.trusted_bot_ids:
            return True, None, "a bot of trusted_bot_ids"
        return False, "bot-not-allowlisted", "a marker by a bot that is not in trusted_bot_ids"
    return True, "bot-anchor-not-engine", "a GitHub bot account that is not the engine"


def _forged(run: Run) -> str:
    if run.engine is None:
        return "a marker on an account that could not be compared with the engine's"
    return "a marker on an account that is neither the engine's nor a bot's"


def _human_kind(message: Message, run: Run, options: Options) -> Kind:
    found = find_commands(message.body, engine=run.engine)
    return "command" if found.matches(options.command_prefixes) else "human-feedback"


def _human(kind: Kind, message: Message, run: Run, options: Options, findings: tuple[Finding, ...]) -> Class:
    trust = judge(message, run, options)
    found = _class(kind, trust.trusted, trust.reason, trust.by_trigger, findings)
    return _guarded(found, message, run, options)


@lru_cache(maxsize=1024)
def _class(kind: Kind, trusted: bool, reason: str, by_trigger: bool, findings: tuple[Finding, ...]) -> Class:
    """Make a class once: few are given, each to many messages."""
    return Class(kind, trusted, reason, by_trigger, findings)


def _guarded(found: Class, message: Message, run: Run, options: Options) -> Class:
    """Apply the edit guard: the kind stays, the trust goes. Engine output is never rendered and needs none."""
    if not options.edit_guard or not found.trusted or found.kind == "engine-output":
        return found
    problem = edit_problem(message, run)
    if problem is None:
        return found
    return Class(found.kind, False, f"{problem} (edit_guard)", found.by_trigger, found.findings)


def _finding(flag: Flag, message: Message, detail: str) -> Finding:
    return Finding(flag=flag, ref=message.ref, detail=detail)
