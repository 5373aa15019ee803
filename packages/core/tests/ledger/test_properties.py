"""What holds for any thread."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertulia.ledger import Options, Run, ThreadRecord, build_context, reconcile
from tertulia.thread import Account, Listing, Message

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
PEOPLE = (
    Account(id="41", login="ana-ruiz"),
    Account(id="42", login="bo-lind"),
    Account(id="66", login="eve-x"),
    Account(id="70", login="loom-engine"),
    Account(id="80", login="loom[bot]", kind="bot"),
    Account(login="ghost"),
    Account(login="ana-ruiz"),
    None,
)
BODIES = (
    "Ship it.",
    "/fix the cart",
    "<!-- bot-agent-scribe -->\nFixed.",
    "<!-- bot-engine-status -->",
    "<!-- bot-other -->",
    "a<!-- b -->\u200bc",
    "",
    "word " * 60,
)
TYPES = ("issue_comment", "review", "review_comment", "slack_message", "issue")

moments = st.integers(0, 6).map(lambda minutes: START + timedelta(minutes=minutes))
messages = st.builds(
    Message,
    id=st.sampled_from(("1", "2", "3", "10", "a")),
    source_type=st.sampled_from(TYPES),
    author=st.sampled_from(PEOPLE),
    association=st.sampled_from(("MEMBER", "OWNER", "NONE", None)),
    body=st.sampled_from(BODIES),
    created_at=moments,
    updated_at=st.none() | moments,
    deleted=st.sampled_from((False, False, False, True)),
    minimized=st.sampled_from((None, None, "spam")),
)
listings = st.builds(
    Listing,
    messages=st.lists(messages, max_size=8).map(tuple),
    complete=st.booleans(),
    reported=st.none() | st.dictionaries(st.sampled_from(TYPES), st.integers(0, 5), max_size=3),
)
runs = st.builds(
    Run,
    trigger_author=st.sampled_from(PEOPLE),
    engine=st.sampled_from((PEOPLE[3], PEOPLE[0], None)),
    trigger_time=st.none() | moments,
    trigger_comment=st.sampled_from((None, "issue_comment:1", "issue_comment:99")),
)
options = st.builds(
    Options,
    window=st.none() | st.integers(-1, 4),
    pinned=st.sampled_from(((), ("issue_comment:1", "review:2"))),
    trusted_user_ids=st.sampled_from((frozenset(), frozenset({"42"}))),
    blocked_user_ids=st.sampled_from((frozenset(), frozenset({"66"}))),
    edit_guard=st.booleans(),
    cutoff_trigger_time=st.booleans(),
    skip_minimized=st.booleans(),
    max_record_chars=st.none() | st.integers(1, 50),
    max_total_chars=st.none() | st.integers(1, 4000),
    detail=st.sampled_from(("excerpt", "meta")),
)


@st.composite
def threads(draw: st.DrawFn) -> tuple[Listing, tuple[ThreadRecord, ...], Run, Options]:
    """Draw a listing, the records of an earlier one, a run and options."""
    run, opts = draw(runs), draw(options)
    earlier = reconcile(draw(listings), (), run, opts)
    return draw(listings), earlier.records, run, opts


@quick
@given(threads())
def test_counts_add_up_for_any_thread(thread: Any) -> None:
    made = build_context(*thread)

    assert sum(made.counts.values()) == len(made.records)
    assert len({entry.record.ref for entry in made.records}) == len(made.records)
    assert set(made.flow) | set(made.unverified) <= {entry.record.ref for entry in made.records}


@quick
@given(threads(), st.sets(st.sampled_from(("issue_comment:1", "review:2", "slack_message:a", "issue:3"))))
def test_every_listed_artifact_and_every_known_record_is_accounted_for(thread: Any, gone: set[str]) -> None:
    listing, previous, run, opts = thread

    made = reconcile(listing, previous, run, opts, gone=frozenset(gone))

    refs = {record.ref for record in made.records}
    silent = {m.ref for m in listing.messages if m.source_type == "review" and not m.body.strip()}
    assert {m.ref for m in listing.messages} - silent <= refs
    assert {record.ref for record in previous} <= refs
    assert set(made.reasons) == refs


@quick
@given(threads())
def test_only_trusted_records_that_are_there_are_in_the_flow(thread: Any) -> None:
    for entry in build_context(*thread).records:
        if entry.decision == "flow":
            assert entry.record.trusted
            assert not entry.record.deleted
            assert entry.record.kind in ("command", "human-feedback", "agent-output")
        if entry.record.deleted:
            assert entry.decision == "deleted"


@quick
@given(threads())
def test_reconciling_again_changes_no_record_and_no_decision(thread: Any) -> None:
    """With nothing new in the listing: what is added after a mass disappearance would change what half of all is."""
    listing, previous, run, opts = thread
    known = {record.ref for record in previous}
    listing = listing.model_copy(update={"messages": tuple(m for m in listing.messages if m.ref in known)})
    first = reconcile(listing, previous, run, opts)

    again = reconcile(listing, first.records, run, opts)

    assert again.records == first.records
    assert again.reasons == first.reasons


@quick
@given(threads())
def test_reconciling_a_thread_with_its_own_records_changes_nothing(thread: Any) -> None:
    listing, _, run, opts = thread
    first = reconcile(listing, (), run, opts)

    again = reconcile(listing, first.records, run, opts)

    assert again == first


@quick
@given(threads(), st.randoms(use_true_random=False), st.integers(0, 3))
def test_order_and_overlap_of_pages_change_nothing(thread: Any, random: Any, twice: int) -> None:
    listing, previous, run, opts = thread
    shuffled = [*listing.messages, *listing.messages[:twice]]
    random.shuffle(shuffled)
    records = list(previous)
    random.shuffle(records)

    other = build_context(listing.model_copy(update={"messages": tuple(shuffled)}), tuple(records), run, opts)

    assert other == build_context(*thread)


@quick
@given(threads())
def test_rendering_is_deterministic(thread: Any) -> None:
    assert build_context(*thread) == build_context(*thread)


@quick
@given(threads())
def test_a_limit_is_kept_unless_what_must_stay_is_larger(thread: Any) -> None:
    listing, previous, run, opts = thread
    made = build_context(listing, previous, run, opts.model_copy(update={"max_total_chars": 2500, "pinned": ()}))

    dropped = any("max_total_chars" in entry.reason for entry in made.records)
    kept = [ref for ref in made.flow if ref != run.trigger_comment]
    if dropped and kept:
        assert len(made.text) <= 2500


@settings(quick, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.sampled_from(("41", "66", "42")), max_size=70))
def test_the_unverified_part_has_one_line_for_each_entry(context: Any, inside: Any, authors: list[str]) -> None:
    listed = [
        Message(
            id=str(n), source_type="issue_comment", author=Account(id=ident, login="x"), body="a\nb", created_at=START
        )
        for n, ident in enumerate(authors, 1)
    ]

    made = context(*listed, trigger_author=None)

    shown = sum(min(authors.count(ident), 3) for ident in set(authors))
    if authors:
        lines = inside(made.text, made.fence, "unverified").split("\n")
        assert [line for line in lines if line.startswith("- ")] == lines[:shown]
        left = len(authors) - shown
        assert lines[shown:] == ([f"and {left} more unverified"] if left else [])
