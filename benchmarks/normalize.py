"""Compare receiving a webhook with the least one can do: `python benchmarks/normalize.py`.

Signed issue_comment payloads of about 13 kB, shaped as GitHub's, are checked and normalized. The figures are times as
multiples of what HMAC-SHA256 and `json.loads` take for the same bytes, in turns in the same run. Where gidgethub is
installed its `Event.from_http` runs too, which checks and parses and does not normalize. They are measured twice: with
comments by a few people in a few threads, and with people and threads that nobody has seen before. Each figure is given
for the best of many short rounds, which is the time the work takes, and for the median one, which is what the machine made of it.

The second part reads bodies of 16 kB and of 64 kB, from bytes to event, whatever an author writes. The exit status is 1
when four times the text takes over 5 times as long.
"""

import gc
import hashlib
import hmac
import json
import sys
import time
from collections.abc import Callable
from itertools import cycle
from statistics import median
from typing import Any

from text import LARGE, LIMIT, PATTERNS, SMALL, seconds

from tertulia.event import Delivery
from tertulia.thread import Account
from tertulia.webhook import verify_github
from tertulia_forge_github import normalize

SECRET = "a secret that only this benchmark knows"
ROUNDS, WARM, CALLS, TRIES = 2000, 8, 4, 4
FEW, MANY = 32, 3000
"""How many people and threads take part. Parts of events that come again are kept, far fewer than MANY of them."""
API, WEB = "https://api.github.com", "https://github.com"
TIME = "2026-10-01T10:00:00Z"
ENGINE = Account(id="7", login="bot")

PERSON_LINKS = "followers following{/other_user} gists{/gist_id} starred{/owner}{/repo} subscriptions orgs repos"
REPOSITORY_LINKS = (
    "forks keys{/key_id} collaborators{/collaborator} teams hooks issues/events{/number} events assignees{/user} "
    "branches{/branch} tags git/blobs{/sha} git/tags{/sha} git/refs{/sha} git/trees{/sha} statuses/{sha} languages "
    "stargazers contributors subscribers subscription commits{/sha} git/commits{/sha} comments{/number} "
    "issues/comments{/number} contents/{+path} compare/{base}...{head} merges {archive_format}{/ref} downloads "
    "issues{/number} pulls{/number} milestones{/number} notifications{?since,all,participating} labels{/name} "
    "releases{/id} deployments"
)
COUNTS = "size stargazers_count watchers_count forks_count open_issues_count forks open_issues watchers"
SWITCHES = "has_issues has_projects has_downloads has_wiki has_pages archived disabled private fork is_template"
REACTIONS = "total_count +1 -1 laugh hooray confused heart rocket eyes"


def links(base: str, paths: str) -> dict[str, str]:
    """Make the addresses GitHub sends along with everything."""
    return {f"{path.partition('{')[0].strip('/').replace('/', '_')}_url": f"{base}/{path}" for path in paths.split()}


def person(login: str, ident: int) -> dict[str, Any]:
    """Make an account."""
    return {
        "login": login,
        "id": ident,
        "node_id": f"MDQ6VXNlcj{ident}",
        "avatar_url": f"https://avatars.githubusercontent.com/u/{ident}?v=4",
        "gravatar_id": "",
        "url": f"{API}/users/{login}",
        "html_url": f"{WEB}/{login}",
        **links(f"{API}/users/{login}", f"{PERSON_LINKS} events{{/privacy}} received_events"),
        "type": "User",
        "site_admin": False,
    }


def repository(name: str) -> dict[str, Any]:
    """Make a repository."""
    return {
        "id": 186853002,
        "node_id": "R_kgDOACME02",
        "name": name.partition("/")[2],
        "full_name": name,
        "owner": person("acme-org", 9),
        "html_url": f"{WEB}/{name}",
        "description": None,
        **links(f"{API}/repos/{name}", REPOSITORY_LINKS),
        "created_at": TIME,
        "updated_at": TIME,
        "pushed_at": TIME,
        "git_url": f"git://github.com/{name}.git",
        "clone_url": f"{WEB}/{name}.git",
        "language": None,
        "license": None,
        "topics": [],
        "default_branch": "main",
        **dict.fromkeys(COUNTS.split(), 0),
        **dict.fromkeys(SWITCHES.split(), True),
    }


def said(where: str, ident: int, author: dict[str, Any], text: str) -> dict[str, Any]:
    """Make what an issue and a comment have in common."""
    return {
        "url": f"{API}/repos/acme-org/hello-world/{where}/{ident}",
        "id": ident,
        "node_id": f"IC_kwDOACME{ident}",
        "user": author,
        "created_at": TIME,
        "updated_at": TIME,
        "author_association": "MEMBER",
        "body": text,
        "reactions": dict.fromkeys(REACTIONS.split(), 0),
        "performed_via_github_app": None,
    }


def payload(text: str, at: int = 0) -> bytes:
    """Make the body of a comment event, as long as a real one when the text is short; `at` says whose and in which thread."""
    mara, iris = person(f"mara-dev-{at}", 21031067 + at), person(f"iris-dev-{at}", 31031068 + at)
    number = 7 + at
    page = f"{WEB}/acme-org/hello-world/issues/{number}"
    label = {"id": 1362934389, "name": "bug", "color": "d73a4a", "default": True, "description": "It does not work"}
    issue = {
        **said("issues", 444500041, mara, "It breaks when it starts, but not always. " * 8),
        **links(
            f"{API}/repos/acme-org/hello-world/issues/{number}", "repository labels{/name} comments events timeline"
        ),
        "number": number,
        "html_url": page,
        "title": "It breaks",
        "labels": [label | {"url": f"{API}/repos/acme-org/hello-world/labels/bug"}],
        "state": "open",
        "locked": False,
        "assignee": iris,
        "assignees": [iris],
        "milestone": {"number": 1, "title": "v1.0", "creator": mara, "state": "open", "due_on": TIME},
        "comments": 0,
        "closed_at": None,
    }
    ident = 492700400 + at
    comment = said("issues/comments", ident, iris, text) | {"html_url": f"{page}#issuecomment-{ident}"}
    document = {
        "action": "created",
        "issue": issue,
        "comment": comment,
        "repository": repository("acme-org/hello-world"),
        "organization": {
            "login": "acme-org",
            "id": 9,
            **links(f"{API}/orgs/acme-org", "repos events hooks issues members"),
        },
        "sender": iris,
        "installation": {"id": 1, "node_id": "MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9uMQ=="},
    }
    return json.dumps(document, separators=(",", ":")).encode()


def in_turns(*works: Callable[[], object]) -> list[tuple[float, float]]:
    """Give seconds a call for each, in the best and in the median round, in which each has its turn.

    Before it is measured it runs until what the one before left in the processor's caches is gone. Rounds are short because a
    neighbour on the machine is in every long one.
    """
    taken: list[list[float]] = [[] for _ in works]
    gc.collect()
    for _ in range(ROUNDS):
        for rounds, work in zip(taken, works, strict=True):
            for _ in range(WARM):
                work()
            started = time.perf_counter()
            for _ in range(CALLS):
                work()
            rounds.append((time.perf_counter() - started) / CALLS)
    return [(min(rounds), median(rounds)) for rounds in taken]


def signed(raw: bytes) -> dict[str, str]:
    """Make the headers of a delivery."""
    return {
        "x-hub-signature-256": "sha256=" + hmac.new(SECRET.encode(), raw, hashlib.sha256).hexdigest(),
        "content-type": "application/json",
        "x-github-event": "issue_comment",
        "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
    }


def against_the_least(who: str, people: int) -> None:
    """Print what a delivery costs when so many people write in as many threads."""
    text = "I see the same with the newest release, and not with the one before it. " * 4
    bodies = [payload(text, at) for at in range(people)]
    deliveries = [(raw, signed(raw)) for raw in bodies]
    key = SECRET.encode()

    def least() -> Callable[[], object]:
        turns = cycle(bodies)

        def run() -> object:
            raw = next(turns)
            hmac.new(key, raw, hashlib.sha256).hexdigest()
            return json.loads(raw)

        return run

    def each(work: Callable[[bytes, dict[str, str]], object]) -> Callable[[], object]:
        turns = cycle(deliveries)
        return lambda: work(*next(turns))

    def ours(raw: bytes, headers: dict[str, str]) -> object:
        verify_github(headers, raw, SECRET)
        return normalize(Delivery("github", "issue_comment", raw, headers))

    works = [least(), each(ours)]
    try:
        from gidgethub import sansio
    except ImportError:
        print("gidgethub is not installed, and is left out")
    else:
        works.append(each(lambda raw, headers: sansio.Event.from_http(headers, raw, secret=SECRET)))
    base, own, *other = in_turns(*works)
    print(f"{who}: payloads of {len(bodies[0]):,} bytes; HMAC and json.loads are 1")
    print(f"  check the signature and normalize: {ratio(own, base)}")
    for theirs in other:
        print(f"  gidgethub's Event.from_http: {ratio(theirs, base)}; our rate is {ratio(theirs, own)} times its rate")


def ratio(one: tuple[float, float], other: tuple[float, float]) -> str:
    """Write how many times as long one took, in the best and in the median round."""
    best, usual = (first / second for first, second in zip(one, other, strict=True))
    return f"{best:.2f} (median {usual:.2f})"


def growth(pattern: str) -> float:
    """Say how much longer a delivery with a body of 64 kB takes than one of 16 kB, as `benchmarks/text.py` counts."""
    large, small = ((pattern * (size // len(pattern) + 1))[:size] + "\n/x @bot" for size in (LARGE, SMALL))
    sent = {text: Delivery("github", "issue_comment", payload(text), engine=ENGINE) for text in (large, small)}

    def receive(text: str) -> None:
        normalize(sent[text])

    return max(seconds(receive, large), 0.0002) / max(seconds(receive, small), 0.0002)


def whatever_an_author_writes() -> float:
    """Print the worst growth, and give it; without the garbage collector, as in `benchmarks/text.py` and in the command."""
    gc.disable()
    found = {name: growth(pattern) for name, pattern in PATTERNS.items()}
    for name in (name for name, first in found.items() if first > LIMIT):
        found[name] = min(growth(PATTERNS[name]) for _ in range(TRIES))
    name = max(found, key=lambda name: found[name])
    print(
        f"a body of 64 kB takes {found[name]:.1f} times as long as one of 16 kB at most ({name}), from bytes to event"
    )
    return found[name]


def main() -> int:
    """Print the figures; say whether a ratio is over the limit."""
    against_the_least("a few people", FEW)
    against_the_least("strangers only", MANY)
    return 1 if whatever_an_author_writes() > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
