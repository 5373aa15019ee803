"""How the values of one field are written, where a documented rule has an edge."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tertulia.ledger import ThreadRecord
from tertulia.ledger._codec import columns_of, records_of

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
ISSUE = "https://github.com/acme/shop/issues/7"


def comments(*fields: dict[str, Any]) -> list[ThreadRecord]:
    return [
        ThreadRecord(**{"kind": "command", "source_type": "issue_comment", "id": str(place)} | given_fields)
        for place, given_fields in enumerate(fields, start=1)
    ]


@pytest.mark.parametrize(
    ("digests", "written"),
    [
        (["0123456789", None], "0123456789----------"),
        (["0123456789ab", None], ["0123456789ab", None]),
        (["0123-56789", "0123456789"], ["0123-56789", "0123456789"]),
    ],
)
def test_digests_of_one_width_stand_in_one_string(digests: list[str | None], written: Any) -> None:
    records = comments(*({"digest": digest} for digest in digests))

    assert columns_of(records)["digest"] == written
    assert records_of(columns_of(records)) == tuple(records)


def test_an_id_of_eighteen_digits_is_a_number_and_a_longer_one_is_a_word() -> None:
    records = comments({"id": "0"}, {"id": "9" * 18}, {"id": "9" * 19})

    assert columns_of(records)["id"] == [0, 10**18 - 1, "9" * 19]
    assert records_of(columns_of(records)) == tuple(records)


def test_in_an_address_the_last_number_that_may_be_the_id_is_taken_for_it() -> None:
    records = comments(*({"id": ident, "url": f"{ISSUE}#issuecomment-{ident}"} for ident in ("7", "8")))

    assert columns_of(records)["url"] == [[(f"{ISSUE}#issuecomment-", "")], [0, 1]]
    assert records_of(columns_of(records)) == tuple(records)


@pytest.mark.parametrize("moment", [START, START + timedelta(microseconds=1), datetime.max.replace(tzinfo=UTC)])
def test_times_are_whole_numbers_whatever_their_unit(moment: datetime) -> None:
    records = comments({"created_at": moment - timedelta(days=1), "updated_at": moment})

    text = json.dumps(columns_of(records))

    assert records_of(json.loads(text, parse_float=pytest.fail)) == tuple(records)
