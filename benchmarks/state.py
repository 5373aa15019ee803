"""How long a state takes to write and to read against plain JSON, and how many characters a record costs.

    python benchmarks/state.py

Ordinary records are those of a lively issue; strangers are all different people, whose logins are left out for size.
"""

import json
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from tertulia.ledger import ThreadRecord
from tertulia.ledger._codec import columns_of, pack, records_of, unpack

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
RUNS = 5


def records(number: int, people: int | None) -> list[ThreadRecord]:
    """Make records by some people, or by as many as there are records, none of whose logins is kept."""
    dice, ident, moment = random.Random(7), 1_900_000_000, START
    made = []
    for _ in range(number):
        ident, moment = ident + dice.randint(500, 20_000), moment + timedelta(seconds=dice.randint(30, 7_200))
        who = dice.randrange(people) if people is not None else dice.randint(1, 250_000_000)
        made.append(
            ThreadRecord(
                kind="human-feedback",
                source_type="issue_comment",
                id=str(ident),
                url=f"https://github.com/acme/shop/issues/7#issuecomment-{ident}",
                user_id=str(500_000 + who * 7_919),
                user_login=f"person-{who}" if people is not None else None,
                author_type="human",
                author_association="MEMBER" if who % 3 == 0 else "NONE",
                created_at=moment,
                updated_at=moment,
                parent_id=str(ident),
                trusted=who % 3 == 0,
            )
        )
    return made


def least(work: Callable[[], object]) -> float:
    """Time some work, at its best."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print a table."""
    print(f"{'records':>8} {'authors':>10} {'characters':>11} {'a record':>9} {'write':>7} {'read':>7}")
    for number in (1_000, 2_500, 10_000):
        for people in (40, None):
            kept = records(number, people)
            plain = [record.model_dump(mode="json", exclude_none=True) for record in kept]
            text, data = json.dumps(plain), pack(columns_of(kept))
            writing = least(lambda kept=kept: pack(columns_of(kept))) / least(lambda plain=plain: json.dumps(plain))
            reading = least(lambda data=data: records_of(unpack(data))) / least(lambda text=text: json.loads(text))
            name = "strangers" if people is None else f"{people} people"
            each = len(data) / number
            print(f"{number:8,} {name:>10} {len(data):11,} {each:9.1f} {writing:6.1f}x {reading:6.1f}x")


if __name__ == "__main__":
    main()
