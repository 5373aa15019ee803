"""Compare what the ledger costs with parsing the same pages: `python benchmarks/ledger.py [COMMENTS ...]`.

Comments are of about 2.5 kB as GitHub sends them, with a 300-character body. Each figure is the time a comment takes as a
multiple of what `json.loads` takes for it in the same run; the last two columns are for all of it together.
"""

import gc
import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from tertulia.ledger import Options, Run, reconcile, render, to_message
from tertulia.thread import Account, Listing

SIZES = (1_000, 10_000, 100_000)
ROUNDS = 3
PAGE = 100
API = "https://api.github.com"
LINKS = (
    "url html_url followers_url following_url gists_url starred_url subscriptions_url organizations_url repos_url "
    "events_url received_events_url"
)
BODY = ("The build fails on the second run only, see logs/build.txt and the trace below it. " * 4)[:300]


def comment(number: int) -> dict[str, Any]:
    """Make one comment as the REST API sends it."""
    login = f"person-{number % 200}"
    user = {name: f"{API}/users/{login}/{name.removesuffix('_url')}{{/more}}" for name in LINKS.split()}
    user |= {"login": login, "id": 1000 + number % 200, "node_id": "MDQ6VXNlcjEwMDA=", "type": "User"}
    user |= {"avatar_url": f"https://avatars.example/u/{number % 200}?v=4", "gravatar_id": "", "site_admin": False}
    place = f"{API}/repos/acme/demo/issues"
    names = ("total_count", "+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")
    minute, second = divmod(number % 3600, 60)
    return {
        "url": f"{place}/comments/{number}",
        "html_url": f"https://github.com/acme/demo/issues/7#issuecomment-{number}",
        "issue_url": f"{place}/7",
        "id": 5_000_000_000 + number,
        "node_id": "IC_kwDOAAFgYs4AACMp",
        "user": user,
        "created_at": f"2026-10-{1 + number // 3600 % 28:02}T10:{minute:02}:{second:02}Z",
        "updated_at": f"2026-10-{1 + number // 3600 % 28:02}T10:{minute:02}:{second:02}Z",
        "author_association": "MEMBER" if number % 3 else "NONE",
        "body": BODY,
        "reactions": {"url": f"{place}/comments/{number}/reactions", **dict.fromkeys(names, 0)},
        "performed_via_github_app": None,
    }


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Give the best of some rounds, in seconds, and what the work made."""
    best, made = float("inf"), None
    for _ in range(ROUNDS):
        gc.collect()
        started = time.perf_counter()
        made = work()
        best = min(best, time.perf_counter() - started)
    return best, made


def measure(count: int) -> tuple[float, list[float]]:
    """Give seconds a comment for all of it, and the multiples of `json.loads` by step."""
    pages = [
        json.dumps([comment(n) for n in range(at, min(at + PAGE, count))], separators=(",", ":"))
        for at in range(0, count, PAGE)
    ]
    run = Run(trigger_author=Account(id="1001", login="person-1"), engine=Account(id="5", login="helper"))
    options = Options()
    loaded, parsed = timed(lambda: [json.loads(page) for page in pages])
    converted, messages = timed(lambda: tuple(to_message(item, "page") for page in parsed for item in page))
    listing = Listing.model_construct(messages=messages, complete=True, reported={"issue_comment": count})
    reconciled, ledger = timed(lambda: reconcile(listing, (), run, options))
    rendered, _ = timed(lambda: render(ledger, listing.messages, run, options))
    steps = [converted / loaded, reconciled / loaded, rendered / loaded]
    steps += [(reconciled + rendered) / loaded, (converted + reconciled + rendered) / loaded]
    return (converted + reconciled + rendered) / count, steps


def main() -> None:
    """Print a table."""
    sizes = [int(word) for word in sys.argv[1:]] or SIZES
    size = len(json.dumps(comment(1), separators=(",", ":")))
    print(f"one comment is {size:,} bytes; figures are multiples of json.loads")
    print(f"{'comments':>10}  convert  reconcile  render  ledger  all   a comment, against the first row")
    first = 0.0
    for count in sizes:
        each, (convert, reconciled, rendered, ledger, everything) = measure(count)
        first = first or each
        row = f"{convert:7.2f}  {reconciled:9.2f}  {rendered:6.2f}  {ledger:6.2f}  {everything:4.2f}"
        print(f"{count:>10,}  {row}  {each / first:.2f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:,.0f} MB")


if __name__ == "__main__":
    main()
