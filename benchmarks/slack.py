"""Compare receiving an event of Slack's with the least one can do: `python benchmarks/slack.py`.

A signed app_mention of about 2.3 kB, shaped as the Events API's, is checked and normalized. The figures are times as multiples
of what HMAC-SHA256 and `json.loads` take for the same bytes, in turns in the same run. Where slack-bolt is installed its
`App.dispatch` of the same request runs too, with a listener that does nothing.
"""

import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any

from tertulia.event import Delivery
from tertulia.webhook import verify_slack
from tertulia_conversation_slack import normalize

SECRET = "a secret that only this benchmark knows"
ROUNDS, CALLS = 150, 64

TEXT = (
    "<@U0BOT> /ask why does the nightly build fail on <https://ci.example/runs/1|run 1>? It says `error: 1`, and then "
    "nothing for a while. We saw it on Monday &amp; Tuesday, and not on the release branch."
)
ELEMENTS: list[dict[str, Any]] = [
    {"type": "user", "user_id": "U0BOT"},
    {"type": "text", "text": " /ask why does the nightly build fail on "},
    {"type": "link", "url": "https://ci.example/runs/1", "text": "run 1"},
    {"type": "text", "text": "? It says "},
    {"type": "text", "text": "error: 1", "style": {"code": True}},
    {
        "type": "text",
        "text": ", and then nothing for a while. We saw it on Monday &amp; Tuesday, and not on the release branch.",
    },
]


def envelope() -> bytes:
    """Make a mention as the Events API sends it."""
    section = {"type": "rich_text_section", "elements": ELEMENTS}
    event = {
        "user": "U0ANNA",
        "type": "app_mention",
        "ts": "1740823500.000100",
        "client_msg_id": "c0ffee00-0000-4000-8000-000000000000",
        "text": TEXT,
        "team": "T0ACME",
        "blocks": [{"type": "rich_text", "block_id": "bLoCk", "elements": [section]}],
        "channel": "C0GENERAL",
        "event_ts": "1740823500.000100",
    }
    installed = {
        "enterprise_id": None,
        "team_id": "T0ACME",
        "user_id": "U0BOT",
        "is_bot": True,
        "is_enterprise_install": False,
    }
    document = {
        "token": "t" * 24,
        "team_id": "T0ACME",
        "context_team_id": "T0ACME",
        "context_enterprise_id": None,
        "api_app_id": "A0APP",
        "event": event,
        "type": "event_callback",
        "event_id": "Ev0000000001",
        "event_time": 1740823500,
        "authorizations": [installed],
        "is_ext_shared_channel": False,
        "event_context": "4-" + "e" * 900,
    }
    return json.dumps(document).encode()


def signed(raw: bytes) -> dict[str, str]:
    """Sign a body as Slack does, now."""
    stamp = str(int(time.time()))
    digest = hmac.new(SECRET.encode(), b"v0:" + stamp.encode() + b":" + raw, hashlib.sha256).hexdigest()
    return {"x-slack-signature": f"v0={digest}", "x-slack-request-timestamp": stamp}


def least(raw: bytes, headers: dict[str, str]) -> Callable[[], object]:
    """Check the signature and parse, and nothing else."""
    key, stamp, told = SECRET.encode(), headers["x-slack-request-timestamp"].encode(), headers["x-slack-signature"]

    def run() -> object:
        found = hmac.digest(key, b"v0:" + stamp + b":" + raw, hashlib.sha256).hex()
        assert hmac.compare_digest(f"v0={found}", told)
        return json.loads(raw)

    return run


def ours(raw: bytes, headers: dict[str, str]) -> Callable[[], object]:
    """Check and normalize."""

    def run() -> object:
        verify_slack(headers, raw, SECRET)
        (event,) = normalize(Delivery("slack", "", raw)).events
        return event

    return run


def bolt(raw: bytes, headers: dict[str, str]) -> Callable[[], object] | None:
    """Dispatch with slack-bolt, or nothing where it is not installed."""
    try:
        from slack_bolt import App, BoltRequest
        from slack_bolt.authorization import AuthorizeResult
    except ModuleNotFoundError:
        return None
    known = AuthorizeResult(
        enterprise_id=None, team_id="T0ACME", bot_token="xoxb-nobody", bot_user_id="U0BOT", bot_id="B0BOT"
    )
    app = App(signing_secret=SECRET, authorize=lambda: known, process_before_response=True)
    app.event("app_mention")(lambda: None)
    sent = {name: [value] for name, value in headers.items()}

    def run() -> object:
        response = app.dispatch(BoltRequest(body=raw.decode(), headers=sent))
        assert response.status == 200
        return response

    return run


def main() -> None:
    """Measure in turns, and print the ratios of the best rounds."""
    raw = envelope()
    headers = signed(raw)
    named = {"least": least(raw, headers), "ours": ours(raw, headers), "slack-bolt": bolt(raw, headers)}
    runs = {name: run for name, run in named.items() if run is not None}
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, run in runs.items():
            began = time.perf_counter()
            for _ in range(CALLS):
                run()
            best[name] = min(best[name], (time.perf_counter() - began) / CALLS)
    print(f"{len(raw)} bytes; HMAC and json.loads take {best['least'] * 1e6:.1f} microseconds")
    print(f"verify and normalize: {best['ours'] / best['least']:.2f} times that (goal 1.2)")
    if "slack-bolt" in best:
        print(f"rate against slack-bolt's App.dispatch: {best['slack-bolt'] / best['ours']:.1f} (goal 4)")


if __name__ == "__main__":
    main()
