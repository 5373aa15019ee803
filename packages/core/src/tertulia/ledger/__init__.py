"""What an agent may read of a thread, and why: decided by a pure function and written down."""

from tertulia.ledger._build import Redactor, build_state
from tertulia.ledger._carried import Reader
from tertulia.ledger._comment_store import CommentStore
from tertulia.ledger._context import build_context, context_schema
from tertulia.ledger._history import HistoryEntry, StepInputRecord
from tertulia.ledger._item import to_message
from tertulia.ledger._looking import SizeReport, recall_text, size_report
from tertulia.ledger._merge import merge
from tertulia.ledger._models import (
    Context,
    DecisionName,
    Entry,
    Finding,
    Flag,
    Kind,
    Ledger,
    Options,
    Policy,
    Run,
    StateInfo,
    ThreadRecord,
    Verdict,
)
from tertulia.ledger._read import read, run_of
from tertulia.ledger._reconcile import reconcile
from tertulia.ledger._render import render
from tertulia.ledger._scope import Scope, key_of, reach, scoped
from tertulia.ledger._seal import StateKeys
from tertulia.ledger._snapshot import Snapshot, snapshot_schema
from tertulia.ledger._sqlite import SqliteStore
from tertulia.ledger._state import Recalled, Store, WorkflowState, state_schema
from tertulia.ledger._trigger import trigger_of

__all__ = [
    "CommentStore",
    "Context",
    "DecisionName",
    "Entry",
    "Finding",
    "Flag",
    "HistoryEntry",
    "Kind",
    "Ledger",
    "Options",
    "Policy",
    "Reader",
    "Recalled",
    "Redactor",
    "Run",
    "Scope",
    "SizeReport",
    "Snapshot",
    "SqliteStore",
    "StateInfo",
    "StateKeys",
    "StepInputRecord",
    "Store",
    "ThreadRecord",
    "Verdict",
    "WorkflowState",
    "build_context",
    "build_state",
    "context_schema",
    "key_of",
    "merge",
    "reach",
    "read",
    "recall_text",
    "reconcile",
    "render",
    "run_of",
    "scoped",
    "size_report",
    "snapshot_schema",
    "state_schema",
    "to_message",
    "trigger_of",
]
