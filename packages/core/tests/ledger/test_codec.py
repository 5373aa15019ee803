"""Records as the characters of a comment: what goes in comes out, and what somebody else wrote is Invalid."""

import base64
import json
import random
import string
import tracemalloc
import zlib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertulia.errors import Invalid
from tertulia.ledger import ThreadRecord
from tertulia.ledger._codec import MAX_INFLATED, TooLarge, columns_of, pack, records_of, unpack

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)

slowly = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

idents = st.one_of(st.integers(0, 10**20).map(str), st.from_regex(r"[!-~]{1,12}", fullmatch=True))
words = st.text(max_size=12)
times = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
revs = st.integers(1, 2**53)
kinds = st.sampled_from(["issue-body", "command", "engine-output", "agent-output", "human-feedback"])


@st.composite
def thread_records(draw: st.DrawFn) -> ThreadRecord:
    """Draw a record with any fields: ids with and without digits, times with and without fractions, any words."""
    ident = draw(idents)
    address = st.sampled_from(
        [f"https://github.com/a/b/issues/7#issuecomment-{ident}", "https://x.example/p1700", ident]
    )
    optional: dict[str, st.SearchStrategy[Any]] = {
        "url": address,
        "user_id": idents,
        "user_login": words,
        "user_name": words,
        "created_at": st.one_of(times, times.map(lambda time: time.replace(microsecond=0))),
        "author_association": st.sampled_from(["OWNER", "NONE"]),
        "parent_id": st.one_of(st.just(ident), idents),
        "updated_at": times,
        "author_type": st.sampled_from(["human", "bot"]),
        "app_id": idents,
        "minimized": words,
        "first_seen": revs,
        "observed_rev": revs,
        "digest": st.one_of(words, st.text("0123456789abcdef", min_size=10, max_size=10)),
    }
    given_fields = {name: draw(st.one_of(st.none(), strategy)) for name, strategy in optional.items()}
    flags = {"trusted": draw(st.booleans()), "deleted": draw(st.booleans()), "cut": draw(st.integers(0, 9))}
    source_type = draw(st.sampled_from(["issue", "issue_comment", "slack_message"]))
    return ThreadRecord(kind=draw(kinds), source_type=source_type, id=ident, **given_fields, **flags)


@slowly
@given(st.lists(thread_records(), max_size=6))
def test_what_is_written_is_read_back(records: list[ThreadRecord]) -> None:
    assert records_of(unpack(pack(columns_of(records)))) == tuple(records)


ISSUE = "https://github.com/acme/shop/issues/7"
CHANNEL = "https://acme.slack.com/archives/C1"


def issue_records() -> list[ThreadRecord]:
    """Make the records of an issue: in whole seconds, with ids that are numbers and others, and gaps."""
    time = [START + timedelta(seconds=seconds) for seconds in (0, 1, 60, 61, 90)]
    first = {"user_id": "41", "user_login": "ana", "parent_id": "9007"}
    comment = {"source_type": "issue_comment"}
    made: list[dict[str, Any]] = [
        {"kind": "issue-body", "source_type": "issue", "id": "9007", "url": ISSUE, "cut": 3, **first}
        | {"created_at": time[0], "updated_at": time[4]},
        {"kind": "command", "id": "104", "url": f"{ISSUE}#issuecomment-104", "trusted": True, **comment, **first}
        | {"created_at": time[2], "updated_at": time[2], "first_seen": 2, "observed_rev": 2},
        {"kind": "human-feedback", "id": "007", "updated_at": time[1], "parent_id": "77", **comment}
        | {"first_seen": 5, "cut": 1},
        {"kind": "agent-output", "id": "110", "url": f"{ISSUE}#issuecomment-110", "user_id": "U1", **comment}
        | {"created_at": time[3], "observed_rev": 9},
    ]
    return [ThreadRecord(**fields) for fields in made]


def test_the_records_of_an_issue_are_written_as_documented_and_read_back() -> None:
    columns = json.loads(json.dumps(columns_of(issue_records())))

    assert columns == {
        "n": 4,
        "kind": "bcha",
        "source_type": [["issue", "issue_comment"], [0, 0, 2, 2]],
        "id": [9007, -8903, "007", 6],
        "trusted": "0100",
        "user_id": [[41, None, "U1"], [0, 1, 0, 0]],
        "user_login": [["ana", None], [0, 1, 0, 2]],
        "created_at": [1_000_000, [1_772_438_400, 60, None, 1]],
        "updated_at": [1_000_000, [90, 0, 1_772_438_401, None]],
        "url": [[[ISSUE], [f"{ISSUE}#issuecomment-", ""], None], [0, 0, 0, 2]],
        "parent_id": [0, 1, "77", None],
        "first_seen": [None, 2, 3, None],
        "observed_rev": [None, 2, None, 7],
        "cut": [3, -3, 1, -1],
    }
    assert records_of(columns) == tuple(issue_records())


def test_the_records_of_a_chat_are_written_as_documented_and_read_back() -> None:
    """A message is its time, which stands in its address without the dot; fractions are counted in microseconds."""
    same = {"kind": "human-feedback", "source_type": "slack_message", "parent_id": "1700000000.000100"}
    records = [
        ThreadRecord(id="1700000000.000100", url=f"{CHANNEL}/p1700000000000100", created_at=START, **same),
        ThreadRecord(
            id="1700000001.000200",
            url=f"{CHANNEL}/p1700000001000200",
            created_at=START + timedelta(microseconds=7),
            updated_at=START + timedelta(microseconds=10),
            **same,
        ),
    ]

    columns = json.loads(json.dumps(columns_of(records)))

    assert columns == {
        "n": 2,
        "kind": "hh",
        "source_type": [["slack_message"], [0, 1]],
        "id": ["1700000000.000100", "1700000001.000200"],
        "created_at": [1, [1_772_438_400_000_000, 7]],
        "updated_at": [1, [None, 3]],
        "url": [[[f"{CHANNEL}/p", "", 1]], [0, 1]],
        "parent_id": [0, 1],
    }
    assert records_of(columns) == tuple(records)


def test_a_record_that_says_everything_is_read_back() -> None:
    first = {"kind": "command", "source_type": "issue_comment", "id": "104", "trusted": True, "deleted": True, "cut": 1}
    more = {"url": ISSUE, "user_id": "41", "user_login": "ana", "user_name": "Ana", "author_type": "human"}
    rest = {"author_association": "OWNER", "app_id": "7", "created_at": START, "updated_at": START, "parent_id": "1"}
    last = {"minimized": "spam", "first_seen": 1, "observed_rev": 2, "digest": "0123456789ab"}
    record = ThreadRecord.model_validate({**first, **more, **rest, **last})

    assert set(columns_of([record])) == {"n", *ThreadRecord.model_fields}
    assert records_of(columns_of([record])) == (record,)


def ordinary(number: int, people: int = 40) -> list[ThreadRecord]:
    """Make the records of a lively issue: some people, ids and times that grow unevenly."""
    dice, ident, moment = random.Random(7), 1_900_000_000, START
    made = []
    for _ in range(number):
        ident += dice.randint(500, 20_000)
        moment += timedelta(seconds=dice.randint(30, 7_200))
        who = dice.randrange(people)
        trusted = dice.random() < 0.3
        made.append(
            ThreadRecord(
                kind="command" if trusted else "human-feedback",
                source_type="issue_comment",
                id=str(ident),
                url=f"https://github.com/acme/shop/issues/7#issuecomment-{ident}",
                user_id=str(500_000 + who * 7_919),
                user_login=f"person-{who}",
                author_type="human",
                author_association="MEMBER" if who % 3 == 0 else "NONE",
                created_at=moment,
                updated_at=moment if dice.random() < 0.9 else moment + timedelta(seconds=dice.randint(60, 9_000)),
                parent_id=str(ident),
                trusted=trusted,
            )
        )
    return made


def strangers(number: int) -> list[ThreadRecord]:
    """Make records of as many different people, each with a random login of 39 characters."""
    dice, letters = random.Random(11), string.ascii_letters + string.digits
    return [
        record.model_copy(
            update={
                "user_id": str(dice.randint(1, 250_000_000)),
                "user_login": "".join(dice.choices(letters, k=39)),
                "trusted": False,
            }
        )
        for record in ordinary(number)
    ]


def size(records: list[ThreadRecord]) -> int:
    return len(pack(columns_of(records)))


def test_an_ordinary_record_takes_at_most_twelve_characters() -> None:
    assert size(ordinary(2_500)) <= 12 * 2_500


def test_a_record_of_a_stranger_without_a_login_takes_at_most_twenty_four() -> None:
    bare = [record.model_copy(update={"user_login": None}) for record in strangers(2_500)]

    assert size(bare) <= 24 * 2_500


def test_a_spammer_costs_next_to_nothing() -> None:
    one, *rest = ordinary(221, people=1)

    assert size([one, *rest]) < 221 * 12


def test_what_every_record_lacks_takes_no_room() -> None:
    least = {"n", "kind", "source_type", "id"}

    assert set(columns_of([ThreadRecord(kind="command", source_type="issue", id="7")])) == least
    assert set(columns_of([])) == least


COLUMNS = columns_of(ordinary(3))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"n": 4}, "kind has 3 values for 4 records"),
        ({"n": "3"}, ": has no number of records, or a column that this release does not know$"),
        ({"n": True}, "no number of records"),
        ({"n": -1}, "kind has 3 values for -1 records"),
        ({"kind": "hhx"}, "kind is not what"),
        ({"kind": None}, "kind is not what"),
        ({"source_type": [[], [0, 0, 0]]}, "source_type is not what"),
        ({"source_type": [["issue"], [1, 2, 1]]}, "source_type is not what"),
        ({"source_type": [["issue"], [1, -1, 1]]}, "source_type is not what"),
        ({"source_type": [["Issue"], [1, 1, 1]]}, "source_type"),
        ({"id": [1, 1]}, "id has 2 values"),
        ({"id": [1, 1, None]}, "id"),
        ({"id": ["with space", "a", "b"]}, "id"),
        ({"created_at": [1_000_000, [10**30, 1, 1]]}, "created_at is not what"),
        ({"created_at": [1]}, "created_at is not what"),
        ({"updated_at": [1, ["soon", 1, 1]]}, "updated_at is not what"),
        ({"url": [[["a", "b", 2]], [1, 1, 1]]}, "url is not what"),
        ({"parent_id": [1, 0, 0]}, "parent_id is not what"),
        ({"updated_at": [1, [0, 0, 0, 0]]}, "updated_at is not what"),
        ({"url": [[["a", "b"]], [0, 1, 1, 1]]}, "url is not what"),
        ({"colour": [1, 2, 3]}, "a column that this release does not know"),
    ],
)
def test_columns_that_nobody_wrote_are_invalid(change: dict[str, Any], told: str) -> None:
    with pytest.raises(Invalid, match=f"^state: records.*{told}"):
        records_of(COLUMNS | change)


def test_half_of_a_surrogate_pair_is_no_text_and_costs_no_state() -> None:
    odd = ThreadRecord(kind="command", source_type="issue", id="7", user_login="a\ud800b", minimized="\udc00")

    (read,) = records_of(unpack(pack(columns_of([odd]))))

    assert (read.user_login, read.minimized) == ("a?b", "?")


def test_a_column_that_must_be_there_is_missed() -> None:
    with pytest.raises(Invalid, match="kind is missing"):
        records_of({"n": 10**15})


def squeezed(plain: bytes) -> str:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(deflate.compress(plain) + deflate.flush()).rstrip(b"=").decode()


def test_a_bomb_is_not_inflated() -> None:
    bomb = squeezed(b"[" * (MAX_INFLATED + 1))

    assert len(bomb) < 60_000
    with pytest.raises(TooLarge, match=r"^state: data: inflates to more than 16,777,216 bytes$"):
        unpack(bomb)


def test_of_a_large_bomb_no_more_is_inflated_than_a_state_may_be() -> None:
    bomb = squeezed(b"[" * (8 * MAX_INFLATED))

    tracemalloc.start()
    try:
        with pytest.raises(TooLarge):
            unpack(bomb)
        assert tracemalloc.get_traced_memory()[1] < 4 * MAX_INFLATED
    finally:
        tracemalloc.stop()


def test_the_largest_state_is_read() -> None:
    text = "x" * (MAX_INFLATED - len('{"a":""}'))

    assert unpack(squeezed(f'{{"a":"{text}"}}'.encode())) == {"a": text}


def test_a_state_is_packed_as_documented() -> None:
    """Compact JSON in UTF-8, deflated, in base64url without padding."""
    for number in range(200):
        words = " ".join(str(7_919 * one * one) for one in range(number))
        document = {"n": number, "who": ["\u00e9", words]}

        data = pack(document)

        assert set(data) <= {*string.ascii_letters, *string.digits, "-", "_"}
        plain = zlib.decompress(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)), wbits=-15)
        assert plain.decode() == f'{{"n":{number},"who":["\u00e9","{words}"]}}'
        assert unpack(data) == document


def test_what_is_no_json_is_not_packed() -> None:
    with pytest.raises(ValueError, match="JSON"):
        pack({"n": float("nan")})


PACKED = pack({"n": 0})
CUT = "data: is cut, or something stands behind it"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("", CUT),
        ("!", "data: cannot be inflated: "),
        ("A", "data: cannot be inflated: "),
        ("AAAA", CUT),
        (PACKED[:-4], CUT),
        (PACKED + "AAAA", CUT),
        (PACKED[:4] + "!" + PACKED[4:], "data: cannot be inflated: "),
        (squeezed(b"[]"), "must be a JSON object, not an array"),
        (squeezed(b'{"a": NaN}'), "is not JSON: "),
    ],
)
def test_data_that_nobody_packed_is_invalid(data: str, told: str) -> None:
    with pytest.raises(Invalid, match=f"^state: {told}"):
        unpack(data)


@slowly
@given(st.data())
def test_only_invalid_comes_out_of_columns_that_were_tampered_with(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(COLUMNS)))
    junk = st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), words), lambda inner: st.lists(inner, max_size=4)
    )
    columns = COLUMNS | {name: data.draw(junk)}
    try:
        records = records_of(json.loads(json.dumps(columns)))
    except Invalid:
        return
    assert records_of(columns_of(records)) == records


@slowly
@given(st.text(alphabet=string.ascii_letters + string.digits + "-_=+/ ", max_size=40))
def test_only_invalid_comes_out_of_data_that_is_no_state(data: str) -> None:
    try:
        unpack(data)
    except Invalid:
        return
