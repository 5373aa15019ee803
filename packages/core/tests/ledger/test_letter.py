"""A state in a comment: what fits, what is left out so that it does, and every forgery that is not read."""

import json
import random
import string
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia import outbound
from tertulia.errors import Invalid
from tertulia.ledger import ThreadRecord, WorkflowState
from tertulia.ledger._block import Block, find_block
from tertulia.ledger._codec import columns_of, pack, unpack
from tertulia.ledger._history import HistoryEntry, StepInputRecord
from tertulia.ledger._letter import Refused, read_state, write_state
from tertulia.ledger._seal import StateKeys
from tertulia.thread import Draft

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
THREAD = "github:acme/demo#7"
KEYS = StateKeys({"k1": "a published key, for tests only"})
OTHER = StateKeys({"k2": "another published key, for tests"})
TERMINAL = "<!-- bot-workflow-terminal -->"
SPOILING = "--> ``` <!-- bot-agent-x --> @acme/all fixes #1"


def records(
    number: int, login: Callable[[int], str] = lambda place: f"person-{place % 40}"
) -> tuple[ThreadRecord, ...]:
    dice, ident, moment = random.Random(7), 1_900_000_000, START
    made = []
    for place in range(number):
        ident, moment = ident + dice.randint(500, 20_000), moment + timedelta(seconds=dice.randint(30, 7_200))
        made.append(
            ThreadRecord(
                kind="human-feedback",
                source_type="issue_comment",
                id=str(ident),
                url=f"https://github.com/acme/demo/issues/7#issuecomment-{ident}",
                user_id=str(dice.randint(1, 250_000_000)),
                user_login=login(place),
                author_type="human",
                author_association="NONE",
                created_at=moment,
                updated_at=moment,
                parent_id=str(ident),
                trusted=place == 0,
            )
        )
    return tuple(made)


def state(**fields: Any) -> WorkflowState:
    return WorkflowState(**({"thread_key": THREAD, "rev": 3, "parent_rev": 2, "writer": "w"} | fields))


def found(body: str) -> Block:
    block = find_block(body)
    assert block is not None
    return block


def read(body: str, keys: StateKeys | None = KEYS, thread: str = THREAD, **options: Any) -> WorkflowState:
    return read_state(found(body), thread, keys, **options)


def refused(body: str, keys: StateKeys | None = KEYS, thread: str = THREAD, **options: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        read(body, keys, thread, **options)
    return caught.value


def refusal(body: str, keys: StateKeys | None = KEYS, thread: str = THREAD, **options: Any) -> str:
    return refused(body, keys, thread, **options).flag


FULL = state(
    thread=records(3),
    history=(HistoryEntry(step="answer", at=START, inputs=(StepInputRecord(name="title", value=SPOILING),)),),
)
SIGNED = write_state(FULL, KEYS).body


def test_what_is_written_is_read_back() -> None:
    assert read(SIGNED) == FULL
    assert read(write_state(FULL).body, None) == FULL


def test_the_draft_is_posted_as_the_body_that_was_measured() -> None:
    letter = write_state(FULL, KEYS, marker_prefix="loom-")

    assert outbound.prepare(letter.draft, carrier="markdown", marker_prefix="loom-") == letter.body


def test_a_state_without_steps_spends_nothing_on_them() -> None:
    data = unpack(found(write_state(state()).body).data)

    assert data == {
        "schema": 5,
        "thread_key": THREAD,
        "rev": 3,
        "parent_rev": 2,
        "writer": "w",
        "thread": data["thread"],
    }


def test_fields_of_a_later_release_come_back_with_a_seal_only() -> None:
    later = state(unknown={"colour": "blue"})

    assert read(write_state(later, KEYS).body) == later
    assert read(write_state(later).body, None) == state()


def test_a_comment_has_three_lines_and_a_sentence_for_people() -> None:
    first, sentence, last = SIGNED.split("\n")

    assert first == TERMINAL
    assert sentence.endswith(".")
    assert last.startswith("<!-- workflow-state v5 thread=github:acme/demo#7 rev=3 kid=k1 mac=")


def test_nothing_that_people_wrote_stands_in_the_comment() -> None:
    named = state(thread=tuple(record.model_copy(update={"user_name": SPOILING}) for record in records(2)))
    body = write_state(named, KEYS).body

    assert read(body) == named
    assert [word for word in ("@acme", "```", "bot-agent") if word in body] == []
    assert body.count("-->") == body.count("<!--") == 2


def test_a_name_of_a_marker_scheme_is_the_first_line() -> None:
    body = write_state(FULL, marker_prefix="loom-").body

    assert body.startswith("<!-- loom-workflow-terminal -->\n")
    assert find_block(body) is None
    assert find_block(body, marker_prefix="loom-") is not None


@pytest.mark.parametrize("number", [221, 2_500])
def test_an_ordinary_thread_fits_whole(number: int) -> None:
    whole = state(thread=records(number))
    letter = write_state(whole, KEYS)

    assert len(letter.body) < 60_000
    assert letter.left_out == ()
    assert read(letter.body) == whole


def random_login(dice: random.Random = random.Random(5)) -> Callable[[int], str]:  # noqa: B008
    return lambda place: "".join(dice.choices(string.ascii_letters + string.digits, k=39))


def test_display_names_go_first_and_only_when_they_must() -> None:
    crowd = records(40, random_login())
    plain = write_state(state(thread=crowd)).body
    named = state(thread=tuple(one.model_copy(update={"user_name": f"Dr. {one.user_login}"}) for one in crowd))

    assert write_state(named).left_out == ()
    letter = write_state(named, limit=len(plain))
    assert (letter.body, letter.left_out) == (plain, ("display names",))


def test_strangers_cost_the_ledger_their_logins_and_nothing_else() -> None:
    crowd = state(thread=records(2_500, random_login()))
    letter = write_state(crowd, KEYS)
    back = read(letter.body)

    assert len(letter.body) < 60_000
    assert letter.left_out == ("display names", "logins of untrusted users")
    assert [one.user_login for one in back.thread[:2]] == [crowd.thread[0].user_login, None]
    bare = [one.model_copy(update={"user_login": None}) for one in crowd.thread]
    assert [one.model_copy(update={"user_login": None}) for one in back.thread] == bare


def test_a_crowd_of_strangers_fits_with_digests_and_revisions_too() -> None:
    crowd = records(2_500, random_login())
    keyed = [
        record.model_copy(update={"digest": KEYS.digest(record.ref, str(place)), "first_seen": 1, "observed_rev": 9})
        for place, record in enumerate(crowd)
    ]
    letter = write_state(state(thread=tuple(keyed)), KEYS)

    assert len(letter.body) < 60_000
    assert [one.digest for one in read(letter.body).thread] == [one.digest for one in keyed]


def test_inputs_of_steps_go_oldest_first_and_the_steps_stay() -> None:
    dice = random.Random(3)
    value = ["".join(dice.choices(string.printable, k=4_000)) for _ in range(30)]
    steps = [
        HistoryEntry(step=f"s{n}", at=START + timedelta(hours=n), inputs=(StepInputRecord(name="x", value=value[n]),))
        for n in range(30)
    ]
    letter = write_state(state(history=tuple(steps)), KEYS)
    back = read(letter.body)

    kept = [bool(step.inputs) for step in back.history]
    assert letter.left_out[-1] == "inputs of steps"
    assert len(back.history) == 30
    assert kept == sorted(kept)
    assert 0 < sum(kept) < 30


def test_what_cannot_fit_is_refused_and_no_tombstone_is_dropped() -> None:
    with pytest.raises(Refused, match=r"^state: 2,500 records do not fit 5,000 characters$") as caught:
        write_state(state(thread=records(2_500)), KEYS, limit=5_000)

    assert (caught.value.flag, caught.value.field) == ("state-too-large", "state")


def test_a_state_of_another_thread_is_not_read() -> None:
    copied = write_state(state(thread_key="github:acme/demo#3"), KEYS).body
    renamed = copied.replace("thread=github:acme/demo#3", f"thread={THREAD}")
    unsigned = write_state(state(thread_key="github:acme/demo#3")).body.replace("demo#3", "demo#7")

    assert refusal(copied) == "state-thread-mismatch"
    assert refusal(renamed) == "state-mac-invalid"
    assert refusal(unsigned, None) == "state-thread-mismatch"


def test_a_state_that_somebody_edited_is_not_read() -> None:
    line = SIGNED.rpartition(" data=")
    edited = f"{line[0]} data={pack({**json.loads('{}'), 'rev': 3})} -->"

    assert refusal(edited) == "state-mac-invalid"
    assert refusal(SIGNED.replace("rev=3", "rev=4")) == "state-mac-invalid"
    assert refusal(SIGNED.replace("kid=k1", "kid=k9")) == "state-mac-invalid"


def test_with_a_key_an_unsigned_state_and_another_key_count_for_nothing() -> None:
    assert refusal(write_state(FULL).body) == "state-mac-invalid"
    assert refusal(SIGNED, OTHER) == "state-mac-invalid"
    assert (
        refusal(f'{TERMINAL}\n<!-- workflow-state {{"schema": 5, "rev": 3, "thread": []}} -->') == "state-mac-invalid"
    )


def test_after_a_rotation_both_are_read_until_the_old_key_goes() -> None:
    both = StateKeys({**OTHER.secrets, **KEYS.secrets})

    assert read(SIGNED, both) == FULL
    assert " kid=k2 " in write_state(FULL, both).body


def test_an_old_state_put_back_is_a_rollback() -> None:
    assert refusal(SIGNED, min_rev=9) == "state-rollback"
    assert read(SIGNED, min_rev=3) == FULL


def test_a_newer_schema_is_told_apart_from_a_forged_one() -> None:
    newer = SIGNED.replace("workflow-state v5", "workflow-state v6")

    assert refusal(newer) == "state-schema-newer"
    assert refusal(newer, OTHER) == "state-mac-invalid"


@pytest.mark.parametrize("rev", [2**53 + 1, 2**63, 0])
def test_a_revision_beyond_all_bounds_is_rejected(rev: int) -> None:
    block = Block(5, THREAD, rev, pack({"schema": 5, "thread_key": THREAD, "rev": rev, "thread": {"n": 0}}))

    with pytest.raises(Refused) as caught:
        read_state(block, THREAD)
    assert caught.value.flag == "state-rejected"


def test_the_revision_of_the_line_is_that_of_the_data() -> None:
    assert refusal(write_state(FULL).body.replace("rev=3", "rev=4"), None) == "state-rejected"


def test_a_bomb_is_too_large() -> None:
    bomb = pack({"thread_key": THREAD, "rev": 3, "x": " " * 17_000_000})

    assert refusal(f"{TERMINAL}\nA sentence.\n{Block(5, THREAD, 3, bomb).line()}", None) == "state-too-large"


@pytest.mark.parametrize(
    "document",
    [{}, {"thread": []}, {"thread": {}}, {"thread": {"n": 1}}, {"thread": None}],
)
def test_data_that_is_no_state_is_rejected(document: dict[str, Any]) -> None:
    data = pack({"schema": 5, "thread_key": THREAD, "rev": 3} | document)

    assert refusal(f"{TERMINAL}\nA sentence.\n{Block(5, THREAD, 3, data).line()}", None) == "state-rejected"


def plain(**document: Any) -> str:
    return f"{TERMINAL}\n<!-- workflow-state {json.dumps(document)} -->"


def test_the_json_of_older_releases_is_read_without_what_it_cannot_know() -> None:
    record = records(1)[0].model_dump(mode="json", exclude_none=True)

    assert read(plain(schema=4, rev=2, thread=[record]), None) == state(rev=2, parent_rev=None, writer=None)
    assert read(plain(schema=5, rev=2, thread=[record]), None).thread == records(1)
    assert read(plain(schema=3), None).rev == 1
    assert read(plain(schema=5, rev=2**53), None) == state(rev=2**53, parent_rev=None, writer=None)


@pytest.mark.parametrize(
    ("document", "flag"),
    [
        ({"schema": 6, "rev": 1}, "state-schema-newer"),
        ({"schema": 5, "rev": 2**63}, "state-rejected"),
        ({"schema": 5, "rev": True}, "state-rejected"),
        ({"schema": "5"}, "state-rejected"),
        ({"rev": 2}, "state-rejected"),
        ({"schema": 5, "thread": [{"kind": "command"}]}, "state-rejected"),
        ({"schema": 5, "thread_key": "github:acme/demo#8"}, "state-thread-mismatch"),
    ],
)
def test_json_that_is_no_state_of_ours_is_refused(document: dict[str, Any], flag: str) -> None:
    assert refusal(plain(**document), None) == flag


def of_data(**document: Any) -> str:
    data = pack({"schema": 5, "thread_key": THREAD, "rev": 3, "thread": columns_of(())} | document)
    return f"{TERMINAL}\nA sentence.\n{Block(5, THREAD, 3, data).line()}"


@pytest.mark.parametrize(
    ("body", "keys", "reason", "flag"),
    [
        (SIGNED, OTHER, "none of our keys signed it", "state-mac-invalid"),
        (of_data(), KEYS, "it is not signed", "state-mac-invalid"),
        (plain(schema=5), KEYS, "it is not signed", "state-mac-invalid"),
        (SIGNED.replace("demo#7", "demo#8"), KEYS, "it belongs to another thread", "state-thread-mismatch"),
        (
            plain(schema=5, thread_key="github:acme/demo#8"),
            None,
            "it belongs to another thread",
            "state-thread-mismatch",
        ),
        (of_data(thread_key="github:acme/demo#8"), None, "its data belongs to another thread", "state-thread-mismatch"),
        (of_data(rev=4), None, "its data is of another revision", "state-rejected"),
        (of_data(thread=[]), None, "its data holds no records", "state-rejected"),
        (of_data(parent_rev=0), None, "parent_rev: Input should be greater than or equal to 1", "state-rejected"),
        (plain(schema=6), None, "schema 6 is of a later release", "state-schema-newer"),
        (SIGNED.replace(" v5 ", " v6 "), KEYS, "schema 6 is of a later release", "state-schema-newer"),
        (plain(rev=3), None, "it has no schema and revision that are numbers", "state-rejected"),
        (plain(schema=5, thread=[{"id": "1"}]), None, "thread[0].kind: Field required (and 1 more)", "state-rejected"),
        (f"{TERMINAL}\n<!-- workflow-state {{x}} -->", None, "is not JSON: ", "state-rejected"),
    ],
)
def test_what_is_wrong_with_a_state_is_told(body: str, keys: StateKeys | None, reason: str, flag: str) -> None:
    told = refused(body, keys)

    assert told.reason.startswith(reason)
    assert told.flag == flag
    assert (str(told), told.field) == (f"state: {told.reason}", "state")


def test_an_agent_that_writes_a_state_writes_text() -> None:
    posted = outbound.prepare(Draft(body=SIGNED, agent="helper"), carrier="markdown")

    assert find_block(posted) is None


@given(st.binary(max_size=60), st.integers(0, 10**20))
def test_only_invalid_comes_out_of_a_state_that_was_tampered_with(noise: bytes, rev: int) -> None:
    body = write_state(FULL).body
    place = body.index(" data=") + 6 + len(noise)
    tampered = body[:place] + noise.hex() + body[place + 3 :]
    try:
        read(tampered.replace("rev=3", f"rev={rev}"), None)
    except Invalid:
        return
