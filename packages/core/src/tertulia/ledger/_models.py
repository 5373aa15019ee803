"""The ledger's models: records without bodies, the run, the options, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, InstanceOf, StringConstraints
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError

from tertulia._frozen import Frozen, Id, Instant
from tertulia.ledger._seal import StateKeys
from tertulia.thread import Account, MessageId, SourceType, record_ref

__all__ = [
    "Context",
    "DecisionName",
    "Entry",
    "Finding",
    "Flag",
    "Kept",
    "Kind",
    "Ledger",
    "MarkerPrefix",
    "Options",
    "Policy",
    "RecordFields",
    "Ref",
    "Run",
    "StateInfo",
    "ThreadRecord",
    "Verdict",
]

Kind = Literal["issue-body", "command", "engine-output", "agent-output", "human-feedback"]
DecisionName = Literal["body", "flow", "unverified", "engine", "deleted", "excluded"]
Flag = Literal[
    "forged-marker",
    "bot-anchor-not-engine",
    "bot-not-allowlisted",
    "shared-engine-account",
    "engine-actor-unresolved",
    "trigger-author-ambiguous",
    "trigger-author-not-associated",
    "permission-too-low",
    "edited-after-trigger",
    "edited-by-other",
    "trigger-comment-missing",
    "incomplete-fetch",
    "count-mismatch",
    "resurrected",
    "hidden-text",
    "foreign-state-ignored",
    "state-mac-invalid",
    "state-rollback",
    "state-thread-mismatch",
    "state-rejected",
    "state-too-large",
    "state-schema-newer",
    "duplicate-state",
    "second-writer",
    "thread-near-comment-cap",
]

_REF = r"^[a-z][a-z0-9_]{0,62}:[!-~]{1,255}$"
Ref = Annotated[str, StringConstraints(pattern=_REF)]
"""The key of a record as people write it: `issue_comment:104`."""

_Host = Annotated[str, StringConstraints(pattern=r"^[a-z0-9.-]{1,253}(:[0-9]{1,5})?$")]


MarkerPrefix = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,30}-$")]
"""What in-body markers begin with."""


class RecordFields(Frozen):
    """Hold what a record says besides its kind and its key."""

    url: str | None = None
    user_id: Id | None = None
    user_login: str | None = None
    user_name: str | None = None
    created_at: Instant | None = None
    author_association: str | None = None
    trusted: bool = False
    deleted: bool = False
    parent_id: Id | None = None
    updated_at: Instant | None = None
    author_type: Literal["human", "bot"] | None = None
    app_id: Id | None = None
    minimized: str | None = None
    first_seen: int | None = None
    observed_rev: int | None = None
    digest: str | None = None
    cut: int = 0


class ThreadRecord(RecordFields):
    """Keep what is known about one message of a thread: metadata only, never a body.

    Identity fields (`source_type`, `id`, `url`, `user_id`, `created_at`, `first_seen`) never change; the rest follows the
    live message. `author_type` is the account's kind. `cut` counts the characters left out of the body on reading.
    """

    kind: Kind
    source_type: SourceType
    id: MessageId

    @property
    def ref(self) -> str:
        """Give the key of the record: `issue_comment:104`."""
        return record_ref(self.source_type, self.id)


class Verdict(Frozen):
    """Say what happens to a record, and the rule that decided, in words."""

    decision: DecisionName
    reason: str


class Finding(Frozen):
    """Report one surprising thing: a stable flag, the record it is about when there is one, and a sentence."""

    flag: Flag
    ref: str | None = None
    detail: str


class Run(Frozen):
    """Describe the run a ledger is made for.

    `trigger_author` None: nobody is trusted. `engine` None: the engine's account could not be resolved. `thread` is the
    thread key; `root` is the root of the thread that the run is about, in a conversation that has several, and marks what
    stands in it. `hosts` are the web hosts links may lead to. `findings` are what deriving the run brought up. `rev` is the
    revision that the run makes, where a store keeps one.
    """

    trigger_author: Account | None = None
    engine: Account | None = None
    trigger_time: Instant | None = None
    trigger_comment: Ref | None = None
    thread: str = ""
    root: Id | None = None
    hosts: frozenset[_Host] = frozenset({"github.com"})
    findings: tuple[Finding, ...] = ()
    rev: int | None = None


def _positive(value: int) -> int:
    if value < 1:
        raise PydanticCustomError("tertulia", "must be 1 or more")
    return value


_Chars = Annotated[int, AfterValidator(_positive)]


class Policy(Frozen):
    """Hold the options of a policy file. Every one is off by default; the defaults are the contract.

    `permissions` maps an account id to a role; when it is given, write and above replaces the association half of trust
    and an unknown account is untrusted. Character counts are Unicode code points. `posted_ids` are the messages that the
    engine itself posted: a marker, and a state, counts on no other. A state of a revision below `min_rev` is a rollback.
    """

    bot_anchor: Literal["type", "allowlist"] = "type"
    trusted_bot_ids: frozenset[Id] = frozenset()
    trusted_user_ids: frozenset[Id] = frozenset()
    blocked_user_ids: frozenset[Id] = frozenset()
    permissions: Mapping[str, str] | None = None
    edit_guard: bool = False
    cutoff_trigger_time: bool = False
    skip_minimized: bool = False
    max_record_chars: _Chars | None = None
    max_total_chars: _Chars | None = None
    posted_ids: frozenset[Ref] | None = None
    min_rev: Annotated[int, AfterValidator(_positive)] | None = None


class Options(Policy):
    """Add to the policy what a run is asked for.

    `window`: the last N relevant records, everything when it is None, zero or negative. `pinned` records come on top.
    `command_prefixes`: one that ends in `-` matches the start of a command, any other the whole; none: any command.
    `nonce` is a caller's 128-bit fence id in hex. `marker_prefix` is the scheme of the in-body markers. With a `state_key`
    bodies are digested for their records, and `edit_guard` knows one that has changed since it was seen.
    """

    window: int | None = None
    pinned: tuple[Ref, ...] = ()
    command_prefixes: tuple[str, ...] = ()
    detail: Literal["excerpt", "meta"] = "excerpt"
    nonce: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")] | None = None
    marker_prefix: MarkerPrefix = "bot-"
    state_key: SkipJsonSchema[InstanceOf[StateKeys] | None] = Field(default=None, exclude=True, repr=False)


class Ledger(Frozen):
    """Hold what `reconcile` decided: every record in order, a verdict for each by ref, and the findings."""

    records: tuple[ThreadRecord, ...] = ()
    reasons: Mapping[str, Verdict] = Field(default_factory=dict)
    audit: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Join a record with what became of it in the context."""

    record: ThreadRecord
    decision: DecisionName
    reason: str


class StateInfo(Frozen):
    """Say where the previous ledger came from and what writing the new one would take (`chars`, the limit is 60,000)."""

    source: str = "none"
    rev: int = 1
    chars: int = 0
    writable: bool = True


class Kept(Frozen):
    """Say where a ledger is kept, under which revision, and whether the place may be written."""

    source: str = "none"
    rev: int = 1
    writable: bool = True


class Context(Frozen):
    """Hold what an agent gets (`text`) and why: every record with its decision, and the findings."""

    text: str
    records: tuple[Entry, ...]
    audit: tuple[Finding, ...] = ()
    thread: str = ""
    fence: str
    trigger_author: Account | None = None
    kept: Kept = Kept()

    @cached_property
    def state(self) -> StateInfo:
        """Say where the previous ledger came from, and what writing this one takes: it is measured when it is asked for."""
        from tertulia.ledger._size import measure

        chars, fits = measure([entry.record for entry in self.records])
        return StateInfo(source=self.kept.source, rev=self.kept.rev, chars=chars, writable=fits and self.kept.writable)

    @property
    def flow(self) -> tuple[str, ...]:
        """Give the refs of the recent thread, oldest first."""
        return tuple(entry.record.ref for entry in self.records if entry.decision == "flow")

    @property
    def unverified(self) -> tuple[str, ...]:
        """Give the refs that are shown as unverified, or counted there, oldest first."""
        return tuple(entry.record.ref for entry in self.records if entry.decision == "unverified")

    @property
    def counts(self) -> Mapping[str, int]:
        """Count the records by decision; together they are all of them."""
        names: tuple[DecisionName, ...] = ("body", "flow", "unverified", "engine", "deleted", "excluded")
        return {name: sum(1 for entry in self.records if entry.decision == name) for name in names}

    def document(self) -> dict[str, Any]:
        """Give the JSON document that `tertulia context --json` prints."""
        author = self.trigger_author
        return {
            "version": 1,
            "thread": self.thread,
            "records": [_entry_document(entry) for entry in self.records],
            "flow": list(self.flow),
            "unverified": list(self.unverified),
            "counts": dict(self.counts),
            "audit": [finding.model_dump(mode="json", exclude_none=True) for finding in self.audit],
            "text": self.text,
            "fence": self.fence,
            "trigger_author": None if author is None else {"id": author.id, "login": author.login},
            "state": self.state.model_dump(mode="json"),
        }


def _entry_document(entry: Entry) -> dict[str, Any]:
    record = entry.record
    key: dict[str, Any] = {"ref": record.ref, "source_type": record.source_type, "id": record.id, "kind": record.kind}
    key |= {"trusted": record.trusted, "deleted": record.deleted}
    fields = record.model_dump(mode="json", exclude_none=True)
    return key | {"decision": entry.decision, "reason": entry.reason} | fields
