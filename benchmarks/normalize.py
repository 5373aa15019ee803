"""Compare receiving a webhook with the least one can do: `python benchmarks/normalize.py`.

A signed issue_comment payload of about 13 kB is checked and normalized. The figure is the time as a multiple of what
HMAC-SHA256 and `json.loads` take for the same bytes in the same run.
"""

import gc
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any

from tertulia.event import Delivery
from tertulia.webhook import verify_github
from tertulia_forge_github import normalize

SECRET = b"a secret that only this benchmark knows"
ROUNDS, CALLS = 15, 200
API = "https://api.github.com"


def links(base: str, count: int) -> dict[str, str]:
    """Make the many addresses GitHub sends along with everything."""
    return {f"link_{number}_url": f"{base}/resource-{number}{{/id}}" for number in range(count)}


def payload() -> bytes:
    """Make the body of a comment event, about as long as a real one."""
    person = {"login": "mara", "id": 101, "node_id": "U_1", "type": "User", **links(f"{API}/users/mara", 12)}
    repo = {"id": 9, "full_name": "acme/demo", "owner": person, **links(f"{API}/repos/acme/demo", 75)}
    issue = {
        "id": 40001,
        "number": 7,
        "title": "It breaks",
        "html_url": "https://github.com/acme/demo/issues/7",
        "user": person,
        "labels": [{"id": 1, "name": "bug", **links(f"{API}/labels", 2)}],
        "updated_at": "2026-10-01T10:00:00Z",
        "body": "It breaks on start. " * 20,
        **links(f"{API}/repos/acme/demo/issues/7", 8),
    }
    said = {
        "id": 104,
        "node_id": "IC_1",
        "html_url": "https://github.com/acme/demo/issues/7#issuecomment-104",
        "user": person,
        "created_at": "2026-10-01T10:00:00Z",
        "updated_at": "2026-10-01T10:00:00Z",
        "body": "I see the same with the newest release, and not with the one before it. " * 4,
        **links(f"{API}/repos/acme/demo/issues/comments/104", 4),
    }
    document = {"action": "created", "issue": issue, "comment": said, "repository": repo, "sender": person}
    return json.dumps(document).encode()


def timed(work: Callable[[], Any]) -> float:
    """Give seconds a call, the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        gc.collect()
        started = time.perf_counter()
        for _ in range(CALLS):
            work()
        best = min(best, (time.perf_counter() - started) / CALLS)
    return best


def main() -> None:
    """Print the figures."""
    raw = payload()
    headers = {"x-hub-signature-256": "sha256=" + hmac.new(SECRET, raw, hashlib.sha256).hexdigest()}

    def least() -> None:
        hmac.new(SECRET, raw, hashlib.sha256).hexdigest()
        json.loads(raw)

    def ours() -> None:
        verify_github(headers, raw, SECRET)
        normalize(Delivery("github", "issue_comment", raw, headers))

    base = timed(least)
    print(f"payload {len(raw):,} bytes; HMAC and json.loads are 1")
    print(f"check the signature and normalize: {timed(ours) / base:.2f}")


if __name__ == "__main__":
    main()
