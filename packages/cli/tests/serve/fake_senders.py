"""Two adapters, for the names of the two senders: what they send is small, and says itself what is to become of it.

A payload is `{"thread": "7", "id": "104", "text": "..."}`; Slack's stands below `event`, which has a `type` and a channel
`where`. `{"events": 2}` makes several events of it, `{"ignored": "why"}` none; `{"key": "k"}` is the key of what it reports,
and `{"bug": true}` a bug of the adapter. `{"text": "pid"}` is answered with who reads it.
"""

import json
import os
from typing import Any

from tertulia.errors import Invalid
from tertulia.event import Delivery, Event, Ignored, Normalized
from tertulia.registry import Adapter


def normalize_github(delivery: Delivery) -> Normalized:
    """Read an issue comment."""
    said = parsed(delivery)
    return made(said, lambda at: github_event(said, at, delivery.name))


def normalize_slack(delivery: Delivery) -> Normalized:
    """Read a message, which arrives as `app_mention` too."""
    said = parsed(delivery)["event"]
    return made(said, lambda at: slack_event(said))


def parsed(delivery: Delivery) -> Any:
    """Read a payload as real adapters do: what is wrong is Invalid."""
    try:
        document = json.loads(delivery.payload)
        return {"thread": "", "id": "", **document}
    except (ValueError, TypeError, RecursionError) as error:
        raise Invalid("payload: is not JSON") from error


def made(said: dict[str, Any], event: Any) -> Normalized:
    """Do what a payload asks for."""
    if said.get("bug"):
        raise ZeroDivisionError
    if "ignored" in said:
        return Normalized(ignored=Ignored(said["ignored"]))
    return Normalized(events=tuple(event(at) for at in range(said.get("events", 1))))


def github_event(said: dict[str, Any], at: int, name: str) -> Event:
    """Make an event of an issue comment; all but the first are told apart by a number."""
    thing = f"{said['id']}.{at}" if at else said["id"]
    place = {"repo": "acme/demo", "url": f"https://github.com/acme/demo/issues/{said['thread']}"}
    entity = {"kind": "work_item", "id": int(said["thread"]), "url": place["url"]}
    key = said.get("key") or f"github:acme/demo#{said['thread']}/issue_comment:{thing}@x/comment_added"
    return event_of(
        {"repo": place["repo"], "entity": entity, "state": {"labels": []}}, said, "github", name, key, thing
    )


def slack_event(said: dict[str, Any]) -> Event:
    """Make an event of a message."""
    where = said.get("where", "C1")
    entity = {"kind": "conversation", "key": f"T1/{where}", "url": f"https://app.slack.com/client/T1/{where}"}
    state = {"labels": [], "conversation": {"category": {"name": "channel"}}}
    key = f"slack:T1/{where}/{said['thread']}/slack_message:{said['id']}@{said['id']}/comment_added"
    return event_of({"entity": entity, "state": state}, said, "slack", said["type"], key, said["id"])


def event_of(about: dict[str, Any], said: dict[str, Any], system: str, name: str, key: str, thing: str) -> Event:
    """Complete an event."""
    author = {"id": "1001", "login": "maint-a", "kind": "human"}
    root = said["thread"] if system == "slack" else thing
    text = said.get("text", "/ask why?")
    body = str(os.getpid()) if text == "pid" else text
    comment = {"id": thing, "parent_id": root, "body": body, "author": author}
    actor = {"id": "maint-a", "kind": "human", "role": "none", "is_entity_author": False, "account_id": "1001"}
    return Event.check(
        about
        | {
            "transition": {"kind": "comment_added", "comment": comment},
            "actor": actor,
            "source": {"system": system, "raw_type": name},
            "delivery": {"key": key, "time": "2026-01-01T00:00:03Z"},
        }
    )


def adapter(system: str, kind: Any, normalize: Any) -> Adapter:
    """Describe one of the two."""
    return Adapter(
        name=f"fake-{system}",
        system=system,
        kind=kind,
        names=frozenset({"issue_comment", "message", "app_mention"}),
        normalize=normalize,
        recognise=lambda url: None,
    )


github = adapter("github", "forge", normalize_github)
slack = adapter("slack", "conversation", normalize_slack)
