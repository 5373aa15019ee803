"""The examples against a GitHub that somebody else wrote, run as a reader runs them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from github_discussions import Comment, Discussion, Discussions
from tertulia.event import Delivery
from tertulia.testing.loopback import serve
from tertulia.testing.slack import CHANNEL, Slack, event_callback
from tertulia_conversation_slack import normalize

Call = Callable[..., Any]

EXAMPLE = Path(__file__).parents[2] / "examples" / "answer.py"
REPO = "/repos/acme/demo"


def test_the_twelve_lines_answer_once(github: Call, github_emulator: str, tmp_path: Path) -> None:
    issue = github(
        "POST", f"{REPO}/issues", {"title": "It fails", "body": "Please look."}, token="token-of-drive-by"
    ).body
    asked = github("POST", f"{REPO}/issues/{issue['number']}/comments", {"body": "/ask why?"}).body
    event = tmp_path / "event.json"
    event.write_text(json.dumps(document(issue, asked)))

    for _ in range(2):
        answered(event, github_emulator)

    _, *answers = github("GET", f"{REPO}/issues/{issue['number']}/comments").body
    (answer,) = answers
    assert answer["user"]["login"] == "helper"
    assert answer["body"].startswith("<!-- bot-agent-helper -->\nI read ")
    assert (tmp_path / "ledger.sqlite").exists()


def test_the_same_lines_answer_in_a_discussion(tmp_path: Path) -> None:
    with serve() as server:
        site = Discussions(server)
        talk = site.open(title="It fails", body="Please look.", by="alice")
        root = site.say(talk, "Since Monday.", "alice")
        asked = site.reply(root, "/ask why?", "bob")
        event = tmp_path / "event.json"
        event.write_text(json.dumps(in_discussion(server.url, talk, asked)))

        for _ in range(2):
            answered(event, server.url)

    _, answer = root.replies
    assert answer.author is site.people["helper"]
    assert answer.body.startswith("<!-- bot-agent-helper -->\nI read ")
    assert (tmp_path / "ledger.sqlite").exists()


def test_the_same_lines_answer_in_a_slack_thread(tmp_path: Path) -> None:
    with serve() as server:
        slack = Slack(server)
        root = slack.say("It fails.", "U0OWNER")
        asked = slack.say("<@U0BOT> /ask why?", thread_ts=root["ts"])
        event = tmp_path / "event.json"
        event.write_text(json.dumps(in_slack(asked)))

        for _ in range(2):
            run(event, SLACK_API_URL=slack.url, SLACK_BOT_TOKEN="xoxb-a-token-of-the-agent")

        (answer,) = slack.landed

    assert answer["thread_ts"] == root["ts"]
    assert answer["blocks"][0]["text"].startswith("I read ")
    assert (tmp_path / "ledger.sqlite").exists()


def answered(event: Path, url: str) -> None:
    """Run the example as the helper on GitHub."""
    run(event, GITHUB_API_URL=url, GITHUB_TOKEN="token-of-helper")


def run(event: Path, **settings: str) -> None:
    """Run the example in a process of its own, with no other settings of a backend."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "SLACK_"))} | settings
    command = [sys.executable, "-I", "-W", "error", str(EXAMPLE), str(event)]
    done = subprocess.run(command, env=env, cwd=event.parent, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def in_slack(asked: dict[str, Any]) -> dict[str, Any]:
    """Normalize a message as the Events API delivers it."""
    sent = event_callback({**asked, "type": "app_mention", "channel": CHANNEL})
    (event,) = normalize(Delivery("slack", "", json.dumps(sent).encode())).events
    return event.document()


def in_discussion(url: str, talk: Discussion, asked: Comment) -> dict[str, Any]:
    """Write the event of a question in a discussion."""
    who, root = asked.author, asked.reply_to
    assert who is not None
    assert root is not None
    ident = str(asked.database_id)
    author = {"id": str(who.database_id), "login": who.login, "kind": "human"}
    actor = {"id": who.login, "kind": "human", "role": "none", "is_entity_author": False, "account_id": author["id"]}
    said = {"id": ident, "parent_id": str(root.database_id), "body": "/ask why?", "command": "/ask", "author": author}
    category = {"id": talk.category.id, "name": talk.category.name, "slug": talk.category.slug}
    address = f"{url}/acme/demo/discussions/{talk.number}"
    return {
        "repo": "acme/demo",
        "entity": {"kind": "conversation", "id": talk.number, "url": address},
        "transition": {"kind": "comment_added", "comment": said},
        "actor": actor,
        "state": {"labels": [], "conversation": {"category": category}},
        "source": {"system": "github", "raw_type": "discussion_comment", "raw_action": "created"},
        "delivery": {
            "key": f"github:acme/demo#{talk.number}/{root.database_id}/discussion_comment:{ident}",
            "time": asked.created_at,
        },
    }


def document(issue: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """Write the event of the question."""
    who, ident = asked["user"], str(asked["id"])
    author = {"id": str(who["id"]), "login": who["login"], "kind": "human"}
    actor = {
        "id": who["login"],
        "kind": "human",
        "role": "none",
        "is_entity_author": False,
        "account_id": str(who["id"]),
    }
    said = {"id": ident, "parent_id": ident, "body": "/ask why?", "command": "/ask", "author": author}
    return {
        "repo": "acme/demo",
        "entity": {"kind": "work_item", "id": issue["number"], "url": issue["html_url"]},
        "transition": {"kind": "comment_added", "comment": said},
        "actor": actor,
        "state": {"labels": []},
        "source": {"system": "github", "raw_type": "issue_comment", "raw_action": "created"},
        "delivery": {"key": f"github:acme/demo#{issue['number']}/issue_comment:{ident}", "time": asked["created_at"]},
    }
