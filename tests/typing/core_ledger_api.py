"""Use the ledger without a client, and its state, as a server does. Type checkers read this file; nothing runs it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, assert_type

from tertulia import conversation, ledger, thread, tracker
from tertulia.event import Event
from tertulia.ledger import report


def a_context(listing: thread.Listing, known: tuple[ledger.ThreadRecord, ...], run: ledger.Run) -> ledger.Context:
    """Go from a listing to a text, in one step or in two."""
    options = ledger.Options(edit_guard=True, command_prefixes=("/ask",))
    made = ledger.reconcile(listing, known, run, options)
    assert_type(made, ledger.Ledger)
    assert_type(made.records, tuple[ledger.ThreadRecord, ...])
    assert_type(made.reasons, Mapping[str, ledger.Verdict])
    assert_type(ledger.render(made, listing.messages, run, options), ledger.Context)
    return ledger.build_context(listing, known, run, options)


def a_decision(context: ledger.Context) -> ledger.DecisionName:
    """Look at what was decided of a record, and at what was found."""
    (entry, *_) = context.records
    assert_type(entry, ledger.Entry)
    assert_type(entry.record, ledger.ThreadRecord)
    assert_type(entry.record.kind, ledger.Kind)
    assert_type(context.audit, tuple[ledger.Finding, ...])
    assert_type(context.audit[0].flag, ledger.Flag)
    assert_type(context.state, ledger.StateInfo)
    assert_type(ledger.context_schema(), dict[str, Any])
    return entry.decision


def a_state(before: ledger.WorkflowState | None, context: ledger.Context, at: datetime) -> ledger.WorkflowState:
    """Write a step down, and see how long the state is."""
    given = ledger.StepInputRecord(name="prompt", value="Why?")
    step = ledger.HistoryEntry(step="answer", agent="helper", at=at, inputs=(given,))
    records = [entry.record for entry in context.records]
    redactor: ledger.Redactor = str.upper
    state = ledger.build_state(
        before, thread_key="github:acme/demo#7", thread=records, history=[step], redactor=redactor
    )
    assert_type(ledger.size_report(state), ledger.SizeReport)
    assert_type(ledger.size_report(state).fits, bool)
    assert_type(ledger.state_schema(), dict[str, Any])
    return state if before is None else ledger.merge(before, state)


def in_a_comment(client: tracker.Client | conversation.Client, ref: thread.ThreadRef, body: str) -> ledger.Store:
    """Keep a state in a comment, signed, and read one from a text."""
    reader = ledger.Reader(keys=ledger.StateKeys({"k1": "a secret of sixteen characters"}))
    name, recalled = ledger.recall_text(body, ledger.key_of("github", ref), reader)
    assert_type(name, str)
    assert_type(recalled, ledger.Recalled)
    assert_type(recalled.state, ledger.WorkflowState | None)
    return ledger.CommentStore(client, ref, reader)


def saved(document: bytes, event: Event, scope: ledger.Scope) -> ledger.Snapshot:
    """Read a saved thread, and an event's author."""
    snapshot = ledger.Snapshot.parse(document)
    policy: ledger.Policy = snapshot.options
    assert_type(policy.edit_guard, bool)
    assert_type(ledger.to_message({"id": 1, "source_type": "issue_comment"}, "thread[0]"), thread.Message | None)
    assert_type(ledger.trigger_of(event, None), tuple[thread.Account | None, tuple[ledger.Finding, ...]])
    assert_type(ledger.reach(thread.ThreadRef(conversation="acme/demo#7"), scope), thread.ThreadRef)
    assert_type(ledger.snapshot_schema(), dict[str, Any])
    return snapshot


def shown(found: report.Report) -> str:
    """Show people what was decided."""
    return found.html()
