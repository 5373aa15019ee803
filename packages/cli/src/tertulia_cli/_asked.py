"""What the command line and the environment ask for, laid over what a saved thread says."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertulia_cli._failure import blame
from tertulia_cli._input import MAX_POLICY, account, integer, read, shown, web_host
from tertulia_cli._keeping import state_keys

if TYPE_CHECKING:
    from tertulia.ledger import Options, Run, Scope, Snapshot

__all__ = ["Asked", "asked_options", "asked_run", "check", "lay_over"]

WINDOW_VARIABLE = "HISTORY_COMMENT_COUNT"
_DERIVED = "trigger-author-ambiguous"
"""What deriving the trigger author may bring up; naming one settles it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold what was asked for; None and empty mean that the saved thread decides."""

    window: int | None = None
    pins: tuple[str, ...] = ()
    trigger_author: str | None = None
    engine: str | None = None
    prefixes: tuple[str, ...] = ()
    policy: str | None = None
    detail: str | None = None
    scope: Scope | None = None


def lay_over(snapshot: Snapshot, asked: Asked) -> Snapshot:
    """Give the snapshot as it was asked for."""
    run, options = asked_run(snapshot.run, asked), asked_options(asked, snapshot.options)
    return snapshot.model_copy(update={"run": run, "options": options})


def check(asked: Asked) -> None:
    """Refuse accounts that are none, before anybody is asked about them."""
    from tertulia.ledger import Run

    asked_run(Run(), asked)


def asked_run(run: Run, asked: Asked) -> Run:
    """Give the run as it was asked for, with the web host that links may lead to."""
    changes: dict[str, Any] = {}
    if asked.trigger_author is not None:
        changes |= {"trigger_author": account(asked.trigger_author, "--trigger-author")}
        changes |= {"findings": tuple(finding for finding in run.findings if finding.flag != _DERIVED)}
    if asked.engine is not None:
        changes |= {"engine": account(asked.engine, "--engine")}
    host = web_host()
    if host is not None:
        changes |= {"hosts": frozenset({host})}
    return run.model_copy(update=changes)


def asked_options(asked: Asked, options: Options | None = None) -> Options:
    """Give the options as they were asked for, laid over others or over none."""
    from tertulia.ledger import Options

    options = options if options is not None else Options()
    changes = {} if asked.policy is None else _policy(asked.policy)
    window = asked.window if asked.window is not None else integer(WINDOW_VARIABLE)
    if window is not None:
        changes |= {"window": window}
    if asked.pins:
        changes |= {"pinned": _pins(asked.pins)}
    if asked.prefixes:
        changes |= {"command_prefixes": asked.prefixes}
    if asked.detail is not None:
        changes |= {"detail": asked.detail}
    keys = state_keys()
    if keys is not None:
        changes |= {"state_key": keys}
    return options.model_copy(update=changes)


def _policy(path: str) -> dict[str, Any]:
    """Read a policy file: only what it names is laid over."""
    from tertulia.ledger import Policy
    from tertulia.parsing import checked

    document = read(path, "the policy", MAX_POLICY).removeprefix(codecs.BOM_UTF8)
    with blame(shown(path), "correct the policy"):
        policy = checked(lambda: Policy.model_validate_json(document, strict=True), "policy")
    return {name: getattr(policy, name) for name in policy.model_fields_set}


def _pins(pins: tuple[str, ...]) -> tuple[str, ...]:
    from tertulia.ledger import Options
    from tertulia.parsing import checked

    with blame("--pin", "write a record as `tertulia context --json` does, such as issue_comment:104"):
        return checked(lambda: Options(pinned=pins), "record").pinned
