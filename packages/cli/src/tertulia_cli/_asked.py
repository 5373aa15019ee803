"""What the command line and the environment ask for, laid over what a saved thread says."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from tertulia_cli._failure import Failure
from tertulia_cli._input import MAX_POLICY, account, integer, read, shown, web_host

if TYPE_CHECKING:
    from tertulia.ledger import Options, Run, Snapshot

__all__ = ["Asked", "lay_over"]

WINDOW_VARIABLE = "HISTORY_COMMENT_COUNT"
_DERIVED = "trigger-author-ambiguous"
"""What deriving the trigger author may bring up; naming one settles it."""

T = TypeVar("T")


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


def lay_over(snapshot: Snapshot, asked: Asked) -> Snapshot:
    """Give the snapshot as it was asked for."""
    return snapshot.model_copy(update={"run": _run(snapshot.run, asked), "options": _options(snapshot.options, asked)})


def _run(run: Run, asked: Asked) -> Run:
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


def _options(options: Options, asked: Asked) -> Options:
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
    return options.model_copy(update=changes)


def _policy(path: str) -> dict[str, Any]:
    """Read a policy file: only what it names is laid over."""
    from tertulia.ledger import Policy

    document = read(path, "the policy", MAX_POLICY).removeprefix(codecs.BOM_UTF8)
    policy = _held(lambda: Policy.model_validate_json(document, strict=True), "policy", shown(path))
    return {name: getattr(policy, name) for name in policy.model_fields_set}


def _pins(pins: tuple[str, ...]) -> tuple[str, ...]:
    from tertulia.ledger import Options

    return _held(lambda: Options(pinned=pins), "not a record", "--pin").pinned


def _held(make: Callable[[], T], what: str, where: str) -> T:
    """Build a model; its refusal names the first wrong field. Pydantic's refusal is a ValueError with `errors()`."""
    try:
        return make()
    except ValueError as error:
        first: dict[str, Any] = next(iter(getattr(error, "errors", list)()), {"loc": (), "msg": str(error)})
        field = ".".join(str(part)[:64] for part in first["loc"])
        told = "unknown name" if first.get("type") == "extra_forbidden" else str(first["msg"])
        raise Failure(": ".join(part for part in (what, field, told) if part), where, "correct it") from error
