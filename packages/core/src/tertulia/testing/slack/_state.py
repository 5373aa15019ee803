"""What is kept, and what people do in the workspace."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

__all__ = ["APP", "BOT", "CHANNEL", "ME", "TEAM", "Json", "State"]

Json = dict[str, Any]
TEAM, CHANNEL = "T0ACME", "C0GENERAL"
ME, BOT, APP = "U0BOT", "B0BOT", "A0APP"
"""The three ids of the app whose token is used: its user, its bot and itself."""

_FIRST = 1_759_300_000
_OTHER_TEAM = "T0OTHER"
_PEOPLE: Mapping[str, Json] = {
    "U0ANNA": {"name": "anna"},
    "U0BEN": {"name": "ben"},
    "U0ADMIN": {"name": "admin", "is_admin": True},
    "U0OWNER": {"name": "owner", "is_admin": True, "is_owner": True},
    "U0GUEST": {"name": "guest", "is_restricted": True},
    "U0PARTNER": {"name": "partner", "team_id": _OTHER_TEAM, "is_stranger": True},
    "U0GONE": {"name": "gone", "deleted": True},
    ME: {"name": "agent", "is_bot": True},
}
_ROLES = ("is_admin", "is_owner", "is_primary_owner", "is_restricted", "is_ultra_restricted", "is_bot", "deleted")


class State:
    """Keep channels, and the messages of each by `ts`. People are known by their ids."""

    def __init__(self) -> None:
        self.channels: dict[str, Json] = {}
        self.messages: dict[str, dict[str, Json]] = {}
        self.people: dict[str, Json] = {ident: _person(ident, known) for ident, known in _PEOPLE.items()}
        self.groups: dict[str, list[str]] = {"S0TRIAGE": ["U0ANNA"]}
        self.landed: list[Json] = []
        self._count, self._lock = 0, threading.RLock()
        self._shifts: dict[tuple[str, str], list[str]] = {}
        self._below: dict[tuple[str, str], dict[str, Json]] = {}
        self.channel(CHANNEL, "general")

    def channel(self, ident: str, name: str, **fields: Any) -> Json:
        """Create a channel."""
        self.messages.setdefault(ident, {})
        self.channels[ident] = {
            "id": ident,
            "name": name,
            "is_channel": True,
            "is_private": False,
            "is_archived": False,
            "is_member": True,
            "created": _FIRST,
            "creator": "U0ANNA",
            "context_team_id": TEAM,
            **fields,
        }
        return self.channels[ident]

    def say(
        self, text: str, by: str = "U0ANNA", *, channel: str = CHANNEL, thread_ts: str | None = None, **fields: Any
    ) -> Json:
        """Write a message, under a root when one is named. `text` is as Slack keeps it: `&`, `<` and `>` are escaped."""
        said: Json = {"type": "message", "user": by, "text": text, "ts": self.tick(), "team": TEAM, **fields}
        if thread_ts is not None:
            root = self.messages[channel][thread_ts]
            said |= {"thread_ts": thread_ts, "parent_user_id": root.get("user")}
            self._below.setdefault((channel, thread_ts), {})[said["ts"]] = said
            self._count_replies(channel, thread_ts)
        self.messages[channel][said["ts"]] = said
        return said

    def type(self, words: str, by: str = "U0ANNA", **fields: Any) -> Json:
        """Write a message as people do, in rich text: no character of it is markup."""
        text = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        section = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
        return self.say(text, by, blocks=[{"type": "rich_text", "block_id": "b1", "elements": [section]}], **fields)

    def alter(self, channel: str, ts: str, **fields: Any) -> Json:
        """Edit a message, as its author does."""
        message = self.messages[channel][ts]
        message |= {"edited": {"user": message.get("user"), "ts": self.tick()}, **fields}
        return message

    def remove(self, channel: str, ts: str) -> None:
        """Delete a message; a root that has replies leaves a tombstone."""
        message = self.messages[channel].pop(ts)
        root = message.get("thread_ts")
        if root == ts and message.get("reply_count"):
            kept = {name: message[name] for name in _COUNTS if name in message}
            stone = {"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "hidden": True}
            self.messages[channel][ts] = {
                **stone,
                "text": "This message was deleted.",
                "ts": ts,
                "thread_ts": ts,
                **kept,
            }
        elif root is not None and root in self.messages[channel]:
            del self._below[channel, root][ts]
            self._count_replies(channel, root)

    def archive(self, channel: str = CHANNEL) -> None:
        """Archive a channel: nobody writes in it any more."""
        self.channels[channel]["is_archived"] = True

    def erase(self, channel: str) -> None:
        """Delete a channel, with all that was said in it."""
        del self.channels[channel], self.messages[channel]
        self._below = {place: below for place, below in self._below.items() if place[0] != channel}

    def move(self, channel: str, to: str) -> None:
        """Give a channel another id, as a private one gets that is shared with another organisation; nothing is at the old."""
        self.channels[to] = {**self.channels.pop(channel), "id": to}
        self.messages[to] = self.messages.pop(channel)
        self._below = {(to if place == channel else place, root): below for (place, root), below in self._below.items()}

    def shift(self, channel: str, root: str, ts: str) -> None:
        """Delete a reply as soon as the first page of its thread was given once more; of several, one each time."""
        self._shifts.setdefault((channel, root), []).append(ts)

    def replies(self, channel: str, root: str) -> list[Json]:
        """Give the replies of a thread, oldest first."""
        return list(self._below.get((channel, root), {}).values())

    def listed(self, channel: str) -> list[Json]:
        """Give what a channel shows, newest first: roots, and replies that were sent to the channel too."""
        kept = self.messages[channel].values()
        shown = (one for one in kept if one.get("thread_ts", one["ts"]) == one["ts"] or _is_broadcast(one))
        return sorted(shown, key=_by_ts, reverse=True)

    def tick(self) -> str:
        """Give the `ts` of what happens next, a second later."""
        self._count += 1
        return f"{_FIRST + self._count}.{100 + self._count % 900:06}"

    def shifted(self, channel: str, root: str) -> None:
        """Delete what was to be deleted after the first page of a thread."""
        pending = self._shifts.get((channel, root))
        if pending:
            self.remove(channel, pending.pop(0))

    def _count_replies(self, channel: str, root: str) -> None:
        replies, message = self._below[channel, root], self.messages[channel][root]
        for name in _COUNTS:
            message.pop(name, None)
        if replies:
            message |= {"thread_ts": root, "latest_reply": next(reversed(replies)), "reply_count": len(replies)}
        elif message.get("subtype") == "tombstone":
            del self.messages[channel][root]
        else:
            message.pop("thread_ts", None)


_COUNTS = ("reply_count", "latest_reply")


def _by_ts(message: Json) -> tuple[int, str]:
    seconds, _, fraction = message["ts"].partition(".")
    return int(seconds), fraction


def _is_broadcast(message: Json) -> bool:
    return message.get("subtype") == "thread_broadcast"


def _person(ident: str, known: Mapping[str, Any]) -> Json:
    roles = dict.fromkeys(_ROLES, False)
    return {"id": ident, "team_id": TEAM, "real_name": known["name"].title(), **roles, **known}
