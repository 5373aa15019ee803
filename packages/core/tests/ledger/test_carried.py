"""The state of a thread, found among what everybody wrote there."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.ledger import Run, WorkflowState
from tertulia.ledger._carried import Carried, Reader, find_state
from tertulia.ledger._letter import write_state
from tertulia.ledger._seal import StateKeys
from tertulia.thread import Account, Message

THREAD = "github:acme/shop#7"
KEYS = StateKeys({"k1": "a published key, for tests only"})
SIGNED = Reader(keys=KEYS)

Make = Callable[..., Message]


@pytest.fixture
def run(people: SimpleNamespace) -> Run:
    """A run that `ana` started."""
    return Run(engine=people.engine, trigger_author=people.ana, thread=THREAD)


@pytest.fixture
def kept(note: Make, people: SimpleNamespace) -> Make:
    """Make a comment of the engine's with a state in it."""

    def make(number: int, rev: int = 3, keys: StateKeys | None = None, **fields: Any) -> Message:
        state = WorkflowState(thread_key=fields.pop("thread", THREAD), rev=rev)
        return note(number, write_state(state, keys).body, **({"author": people.engine} | fields))

    return make


def flags(carried: Carried) -> list[tuple[str, str | None]]:
    return [(finding.flag, finding.ref) for finding in carried.findings]


def test_the_state_is_found_in_the_engine_s_own_comment(kept: Make, note: Make, run: Run) -> None:
    mine = kept(5)
    carried = find_state([note(4), mine, note(6)], run)

    assert carried == Carried(WorkflowState(thread_key=THREAD, rev=3), mine)


def test_a_thread_without_a_state_has_none(note: Make, run: Run) -> None:
    assert find_state([note(4)], run) == Carried()


@pytest.mark.parametrize("body", [None, "<!-- workflow-state {broken -->"])
def test_a_state_of_somebody_else_shadows_nothing(
    kept: Make, note: Make, run: Run, people: SimpleNamespace, body: str | None
) -> None:
    foreign = kept(1, 99, author=people.eve) if body is None else note(1, body, author=people.eve)
    carried = find_state([foreign, kept(5)], run)

    assert carried.state == WorkflowState(thread_key=THREAD, rev=3)
    assert flags(carried) == [("foreign-state-ignored", "issue_comment:1")]
    assert carried.findings[0].detail == "a state in a comment that is not the engine's own"


def test_nobody_owns_a_state_while_the_engine_is_not_known(kept: Make, run: Run) -> None:
    carried = find_state([kept(5)], run.model_copy(update={"engine": None}))

    assert carried.state is None
    assert flags(carried) == [("foreign-state-ignored", "issue_comment:5")]


def test_of_several_the_highest_revision_counts_then_the_oldest_comment(kept: Make, run: Run) -> None:
    old, first, second = kept(3, 6), kept(4, 7), kept(5, 7)
    carried = find_state([second, old, first], run)

    assert carried.message == first
    assert flags(carried) == [("duplicate-state", "issue_comment:5"), ("duplicate-state", "issue_comment:3")]
    assert {finding.detail for finding in carried.findings} == {"another comment has the state that counts"}


def test_a_state_that_does_not_count_does_not_hide_one_that_does(kept: Make, run: Run) -> None:
    carried = find_state([kept(3, 9), kept(4, 3, KEYS)], run, SIGNED)

    assert carried.state is not None
    assert carried.state.rev == 3
    assert flags(carried) == [("state-mac-invalid", "issue_comment:3")]


@pytest.mark.parametrize(
    ("change", "flag"),
    [
        (lambda body: body.replace("rev=3", "rev=4"), "state-mac-invalid"),
        (lambda body: body.replace("v5", "v6"), "state-schema-newer"),
        (lambda body: body.replace("#7 rev", "#8 rev"), "state-thread-mismatch"),
        (lambda body: body.replace("data=", "data=!"), "state-rejected"),
        (lambda body: "Hello\n" + body, "state-rejected"),
    ],
)
def test_a_state_of_ours_that_is_wrong_is_reported_and_replaced(
    kept: Make, run: Run, change: Callable[[str], str], flag: str
) -> None:
    mine = kept(5, keys=KEYS)
    wrong = mine.model_copy(update={"body": change(mine.body)})
    carried = find_state([wrong], run, SIGNED)

    assert (carried.state, carried.message) == (None, wrong)
    assert flags(carried) == [(flag, "issue_comment:5")]
    assert not carried.findings[0].detail.startswith("state:"), "a finding is about the state as it is"
    assert carried.writable is (flag != "state-schema-newer")


def test_a_revision_below_the_floor_is_a_rollback(kept: Make, run: Run) -> None:
    carried = find_state([kept(5, 4, KEYS)], run, Reader(keys=KEYS, min_rev=9))

    assert (carried.state, carried.floor) == (None, 9)
    assert flags(carried) == [("state-rollback", "issue_comment:5")]


@pytest.mark.parametrize("shared", [Account(id="41898282", login="github-actions[bot]", kind="bot"), None])
def test_a_shared_account_needs_a_key_or_known_messages(
    kept: Make, run: Run, people: SimpleNamespace, shared: Account | None
) -> None:
    engine = shared or people.ana
    both = run.model_copy(update={"engine": engine})
    plain, signed = kept(5, author=engine), kept(5, keys=KEYS, author=engine)

    unread = find_state([plain], both)
    assert (unread.state, unread.writable) == (None, False)
    assert [(finding.flag, finding.detail) for finding in unread.findings] == [
        (
            "shared-engine-account",
            "the engine shares its account, so a state needs a key (state_key) or known messages (posted_ids)",
        )
    ]
    assert find_state([signed], both, SIGNED).state is not None
    assert find_state([plain], both, Reader(posted=frozenset({"issue_comment:5"}))).state is not None


def test_a_message_that_we_did_not_post_is_somebody_else_s(kept: Make, run: Run) -> None:
    carried = find_state([kept(5)], run, Reader(posted=frozenset({"issue_comment:6"})))

    assert carried.state is None
    assert flags(carried) == [("foreign-state-ignored", "issue_comment:5")]


def test_a_deleted_state_is_gone(kept: Make, run: Run) -> None:
    assert find_state([kept(5, deleted=True)], run) == Carried()


def test_an_answer_that_quotes_a_state_has_none(note: Make, run: Run, people: SimpleNamespace) -> None:
    quoted = note(5, "<!-- bot-agent-helper -->\nLook: `<!-- workflow-state v5 -->`\nThat is it.", author=people.engine)

    assert find_state([quoted], run) == Carried()


def test_with_a_key_our_own_answers_say_what_is_a_rollback(
    kept: Make, note: Make, run: Run, people: SimpleNamespace
) -> None:
    answer = "<!-- bot-agent-helper -->\nDone.\n\n<!-- tertulia key={} rev={} -->".format
    own = note(6, answer("a" * 32, 4), people.engine)
    forged = note(7, answer("b" * 32, 99), people.eve)

    current = find_state([kept(5, 4, KEYS), own, forged], run, SIGNED)
    put_back = find_state([kept(5, 3, KEYS), own, forged], run, SIGNED)
    unsigned = find_state([kept(5, 3), own], run)

    assert current.state is not None
    assert (current.floor, put_back.floor, unsigned.floor) == (4, 4, 0)
    assert (put_back.state, flags(put_back)) == (None, [("state-rollback", "issue_comment:5")])
    assert unsigned.state is not None, "without a key we claim no more"


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        (lambda body: body.replace("data=", "data=!"), "is not the three lines that a state is written in"),
        (lambda body: "Hello\n" + body, "its comment does not begin as one with a state"),
    ],
)
def test_what_is_wrong_with_the_lines_is_told(kept: Make, run: Run, change: Callable[[str], str], detail: str) -> None:
    mine = kept(5)

    carried = find_state([mine.model_copy(update={"body": change(mine.body)})], run)

    assert [finding.detail for finding in carried.findings] == [detail]


def test_white_space_around_the_lines_does_not_hide_a_state(kept: Make, run: Run) -> None:
    mine = kept(5)

    assert find_state([mine.model_copy(update={"body": mine.body + "\n \n"})], run).state is not None


def test_a_state_is_found_under_the_prefix_of_our_markers(kept: Make, run: Run) -> None:
    mine = kept(5)
    ours = mine.model_copy(update={"body": mine.body.replace("<!-- bot-", "<!-- our-")})

    assert find_state([ours], run, Reader(marker_prefix="our-")).state is not None
    assert find_state([ours], run).state is None


def test_an_answer_under_the_prefix_of_our_markers_says_what_is_a_rollback(
    kept: Make, note: Make, run: Run, people: SimpleNamespace
) -> None:
    mine = kept(5, 3, KEYS)
    ours = mine.model_copy(update={"body": mine.body.replace("<!-- bot-", "<!-- our-")})
    answer = note(6, f"<!-- our-agent-helper -->\nDone.\n\n<!-- tertulia key={'a' * 32} rev=4 -->", people.engine)

    carried = find_state([ours, answer], run, Reader(keys=KEYS, marker_prefix="our-"))

    assert flags(carried) == [("state-rollback", "issue_comment:5")]


def test_beside_a_state_of_a_later_release_nothing_is_written(kept: Make, run: Run) -> None:
    ours, newer = kept(4), kept(5)
    carried = find_state([ours, newer.model_copy(update={"body": newer.body.replace("v5", "v6")})], run)

    assert (carried.message, carried.writable) == (ours, False)
