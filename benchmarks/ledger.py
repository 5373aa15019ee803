"""Compare what the ledger costs with parsing the same pages: `python benchmarks/ledger.py [COMMENTS ...]`.

Comments are of about 2.5 kB as GitHub Enterprise Server sends them, with a 300-character body. Each figure is the processor time
a comment takes as a multiple of what `json.loads` takes for it in the same run; `ledger` is reconcile and render, `all` the
conversion too.
"""

import gc
import json
import resource
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import Any

from tertulia.ledger import Run, reconcile, render, to_message
from tertulia.thread import Account, Listing

SIZES = (1_000, 10_000, 100_000)
ROUNDS, BESIDE = 5, 20
PAGE = 100
HOST = "https://github.acme.example"
API = f"{HOST}/api/v3"
PLACE = "acme-platform/checkout-service/issues"
LINKS = {
    "followers": "",
    "following": "{/other_user}",
    "gists": "{/gist_id}",
    "starred": "{/owner}{/repo}",
    "subscriptions": "",
    "organizations": "",
    "repos": "",
    "events": "{/privacy}",
    "received_events": "",
}
REACTIONS = ("total_count", "+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")
BODY = ("The build fails on the second run only, see `logs/build.txt` and the trace below it.\n\n" * 4)[:300]
ENGINE, TRIGGER = 5, 1001
RUN = Run(
    trigger_author=Account(id=str(TRIGGER), login=f"checkout-platform-person-{TRIGGER}"),
    engine=Account(id=str(ENGINE), login=f"checkout-platform-person-{ENGINE}"),
    thread="github:acme-platform/checkout-service#7",
    hosts=frozenset({"github.acme.example"}),
)


def user(number: int) -> dict[str, Any]:
    """Make a user as the REST API sends it."""
    login = f"checkout-platform-person-{number}"
    links = {f"{name}_url": f"{API}/users/{login}/{name}{more}" for name, more in LINKS.items()}
    named = {"login": login, "id": number, "node_id": "MDQ6VXNlcjIxMDMxMDY3", "type": "User", "site_admin": False}
    pages = {"url": f"{API}/users/{login}", "html_url": f"{HOST}/{login}", "gravatar_id": ""}
    avatar = f"{HOST}/avatars/u/{number}?v=4"
    return {**named, "user_view_type": "public", "avatar_url": avatar, **pages, **links}


def comment(number: int, *, outsiders: bool = False) -> dict[str, Any]:
    """Make one comment as the REST API sends it: of ten, one is an answer of the engine's and one the trigger author's.

    Another of ten has a word beyond ASCII in it, so every page has. Or all are by outsiders.
    """
    place = f"{API}/repos/{PLACE}"
    author = 2000 + number % 200
    if not outsiders:
        author = {0: ENGINE, 1: TRIGGER}.get(number % 10, author)
    body = f"{BODY[:-9]}\u2014 thanks \U0001f389" if number % 10 == 2 else BODY
    minute, second = divmod(number % 3600, 60)
    at = f"2026-10-{1 + number // 3600 % 28:02}T10:{minute:02}:{second:02}Z"
    return {
        "url": f"{place}/comments/{5_000_000_000 + number}",
        "html_url": f"{HOST}/{PLACE}/7#issuecomment-{5_000_000_000 + number}",
        "issue_url": f"{place}/7",
        "id": 5_000_000_000 + number,
        "node_id": "IC_kwDOAAFgYs4AACMpIC_kwD",
        "user": user(author),
        "created_at": at,
        "updated_at": at,
        "author_association": "NONE" if author > TRIGGER else "MEMBER",
        "body": f"<!-- bot-agent-helper -->\n{body}\n<!-- tertulia key={'0' * 32} -->" if author == ENGINE else body,
        "reactions": {"url": f"{place}/comments/{number}/reactions", **dict.fromkeys(REACTIONS, 0)},
        "performed_via_github_app": None,
    }


def written(value: Any) -> bytes:
    """Write JSON as GitHub does."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def drained(pages: list[Any]) -> Iterator[Any]:
    """Give page after page and keep none, as the tracker does."""
    pages.reverse()
    while pages:
        yield pages.pop()


def steps(pages: list[bytes]) -> tuple[float, ...]:
    """Give the seconds of processor time that each step takes: load, convert, reconcile, render."""
    gc.collect()
    times = [time.process_time()]
    parsed = [json.loads(page) for page in pages]
    times.append(time.process_time())
    messages = tuple(to_message(item, "page") for page in drained(parsed) for item in page)
    times.append(time.process_time())
    listing = Listing.model_construct(messages=messages, complete=True, reported={"issue_comment": len(messages)})
    ledger = reconcile(listing, (), RUN)
    times.append(time.process_time())
    context = render(ledger, listing.messages, RUN)
    times.append(time.process_time())
    assert context.counts["flow"] in (0, len(messages) // 5)
    return tuple(end - start for start, end in pairwise(times))


def listed(count: int, *, outsiders: bool = False) -> list[bytes]:
    """Make the pages of a thread."""
    spans = (range(at, min(at + PAGE, count)) for at in range(0, count, PAGE))
    return [written([comment(n, outsiders=outsiders) for n in span]) for span in spans]


def measure(pages: list[bytes], beside: list[bytes]) -> tuple[tuple[float, ...], float]:
    """Give the shortest time of each step over some rounds, and how many times as long as for another thread it took.

    What a machine does besides comes and goes over minutes, so the two are compared within each round, and the median is given.
    """
    taken: list[tuple[float, ...]] = []
    ratios: list[float] = []
    for _ in range(max(ROUNDS, min(20, 500 // len(pages)))):
        taken.append(steps(pages))
        other = median(sum(steps(beside)[1:]) for _ in range(BESIDE))
        ratios.append(sum(taken[-1][1:]) / other)
    return tuple(map(min, zip(*taken, strict=True))), median(ratios)


def main() -> None:
    """Print a table."""
    sizes = [int(word) for word in sys.argv[1:]] or SIZES
    size = len(written(comment(1)))
    print(f"one comment is {size:,} bytes; figures are multiples of json.loads")
    print(f"{'comments':>10}  convert  reconcile  render  ledger  all   a comment, against the first row   peak memory")
    least = listed(sizes[0])
    for count, outsiders in [*((size, False) for size in sizes), (10_000, True)]:
        (load, convert, reconciled, rendered), growth = measure(listed(count, outsiders=outsiders), least)
        ledger = reconciled + rendered
        each = (convert + ledger) / count
        row = f"{convert / load:7.2f}  {reconciled / load:9.2f}  {rendered / load:6.2f}  {ledger / load:6.2f}"
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        row += f"  {(convert + ledger) / load:4.2f}  {growth * sizes[0] / count:.2f} ({each * 1e6:.0f} us)"
        print(f"{count:>10,}  {row:60} {peak:10,.0f} MB{', all by outsiders' if outsiders else ''}", flush=True)


if __name__ == "__main__":
    main()
