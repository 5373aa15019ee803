"""The methods of the Web API, each from its arguments to its answer; a refusal is a `Refused` with Slack's word for it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from tertulia.testing.slack._state import APP, BOT, ME, TEAM, Json, State

__all__ = ["METHODS", "WRITES", "Refused", "Workspace"]

_MOST, _USUAL, _OUTSIDE = 1000, 100, 15
_MOST_MARKDOWN, _MOST_EDITED, _MOST_TEXT = 12_000, 4_000, 40_000
_TOKEN = re.compile(r"(?P<token><[^<>\n]*>)|>")
_EMOJI = frozenset({"+1", "-1", "eyes", "heart", "tada", "thumbsup", "white_check_mark", "rocket"})


class Refused(Exception):
    """Say no, in Slack's word; `needed` is the scope that is missing."""

    def __init__(self, error: str, needed: str = "") -> None:
        super().__init__(error)
        self.error, self.needed = error, needed


class Workspace(State):
    """Know besides how the API shows a thread.

    `root_on_every_page` says whether the root comes first on every page of a thread or on the first only, `page_size` how
    much a page holds at most, whatever is asked for, and `outside` that the app is one from outside the Marketplace, to
    which history comes in pages of 15.
    """

    def __init__(self) -> None:
        super().__init__()
        self.root_on_every_page: bool = True
        self.page_size: int = _MOST
        self.outside: bool = False
        self.domain: str = "acme"
        self.repeats: bool = False
        """Whether the last message of a page is the first of the next one too."""

    def place(self, args: Mapping[str, str]) -> str:
        """Give the channel that is asked about."""
        channel = args.get("channel", "")
        if channel not in self.channels:
            raise Refused("channel_not_found")
        return channel

    def paged(self, args: Mapping[str, str], found: list[Json], *, most: int = _MOST) -> tuple[list[Json], Json]:
        """Cut a page out of a list, and say where the next begins."""
        size = min(int(args.get("limit") or _USUAL), self.page_size, most)
        cursor = args.get("cursor", "")
        if cursor and not cursor.startswith("at:"):
            raise Refused("invalid_cursor")
        start = int(cursor.removeprefix("at:") or 0)
        following = start + size
        has_more = following < len(found)
        shown = found[max(0, start - (self.repeats and start > 0)) : following]
        told = {"next_cursor": f"at:{following}" if has_more else ""}
        return shown, {"has_more": has_more, "response_metadata": told}

    def history(self, args: Mapping[str, str], found: list[Json]) -> tuple[list[Json], Json]:
        """Cut a page out of messages, as many as an app of this kind gets."""
        return self.paged(args, found, most=_OUTSIDE if self.outside else _MOST)


def _auth_test(slack: Workspace, args: Mapping[str, str]) -> Json:
    url = f"https://{slack.domain}.slack.com/"
    return {"url": url, "team": "Acme", "user": "agent", "team_id": TEAM, "user_id": ME, "bot_id": BOT}


def _replies(slack: Workspace, args: Mapping[str, str]) -> Json:
    channel, ts = slack.place(args), args.get("ts", "")
    asked = slack.messages[channel].get(ts)
    if asked is None:
        raise Refused("thread_not_found")
    if asked.get("thread_ts", ts) != ts:  # a reply is given alone (slackapi/bolt-python#783)
        return {"messages": [_shown(asked, args)], "has_more": False}
    page, about = slack.history(args, [one for one in slack.replies(channel, ts) if _within(one, args)])
    first = not args.get("cursor")
    roots = [asked] if first or slack.root_on_every_page else []
    shown = [_shown(one, args) for one in (*roots, *page)]
    if first:
        slack.shifted(channel, ts)
    return {"messages": shown, **about}


def _history(slack: Workspace, args: Mapping[str, str]) -> Json:
    channel = slack.place(args)
    if not slack.channels[channel]["is_member"]:
        raise Refused("not_in_channel")
    page, about = slack.history(args, [one for one in slack.listed(channel) if _within(one, args)])
    return {"messages": [_shown(one, args) for one in page], **about}


def _within(message: Json, args: Mapping[str, str]) -> bool:
    at, least, most = message["ts"], args.get("oldest") or "0", args.get("latest") or "9999999999"
    if args.get("inclusive") in ("1", "true"):
        return float(least) <= float(at) <= float(most)
    return float(least) < float(at) < float(most)


def _shown(message: Json, args: Mapping[str, str]) -> Json:
    """Leave metadata out unless it is asked for."""
    if args.get("include_all_metadata") in ("1", "true"):
        return dict(message)
    return {name: value for name, value in message.items() if name != "metadata"}


def _post(slack: Workspace, args: Mapping[str, str]) -> Json:
    channel = slack.place(args)
    _check_place(slack, channel)
    said = _said(args)
    root = args.get("thread_ts")
    if root is not None:
        known = slack.messages[channel].get(root)
        if known is None or known.get("thread_ts", root) != root:
            raise Refused("cannot_reply_to_message")
    profile = {"id": BOT, "app_id": APP, "name": "agent", "team_id": TEAM}
    mine = {"bot_id": BOT, "app_id": APP, "bot_profile": profile}
    message = slack.say(said.pop("text"), ME, channel=channel, thread_ts=root, **mine, **said)
    slack.landed.append(message)
    return {"channel": channel, "ts": message["ts"], "message": _shown(message, {}), **_warned(args)}


def _warned(args: Mapping[str, str]) -> Json:
    """Warn of a text that was cut, as Slack does of one that it posted nevertheless."""
    if len(args.get("text", "")) <= _MOST_TEXT:
        return {}
    return {"warning": "message_truncated", "response_metadata": {"warnings": ["message_truncated"]}}


def _check_place(slack: Workspace, channel: str) -> None:
    if slack.channels[channel]["is_archived"]:
        raise Refused("is_archived")
    if not slack.channels[channel]["is_member"]:
        raise Refused("not_in_channel")


def _said(args: Mapping[str, str]) -> Json:
    """Read what a message says; Markdown is kept as the block that Slack makes of it."""
    markdown, text = args.get("markdown_text"), args.get("text")
    if markdown is not None and text is not None:
        raise Refused("markdown_text_conflict")
    if not (markdown or text or "").strip():
        raise Refused("no_text")
    if len(markdown or "") > _MOST_MARKDOWN:
        raise Refused("msg_too_long")
    said: Json = {"text": _kept(text[:_MOST_TEXT]) if text is not None else _escaped(markdown or "")}
    if markdown is not None:
        said["blocks"] = [{"type": "markdown", "block_id": "m1", "text": markdown}]
    if "metadata" in args:
        said["metadata"] = json.loads(args["metadata"])
    return said


def _kept(text: str) -> str:
    """Escape the `>` that begins a quote; one that ends a token stays."""
    return _TOKEN.sub(lambda found: found["token"] or "&gt;", text)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _update(slack: Workspace, args: Mapping[str, str]) -> Json:
    channel, ts = slack.place(args), args.get("ts", "")
    message = _own(slack, channel, ts, "cant_update_message")
    said = _said(args)
    if max(len(args.get("text", "")), len(args.get("markdown_text", ""))) > _MOST_EDITED:
        raise Refused("msg_too_long")
    message.pop("blocks", None)
    slack.alter(channel, ts, **said)
    return {"channel": channel, "ts": ts, "text": message["text"], "message": _shown(message, {})}


def _delete(slack: Workspace, args: Mapping[str, str]) -> Json:
    channel, ts = slack.place(args), args.get("ts", "")
    _own(slack, channel, ts, "cant_delete_message")
    slack.remove(channel, ts)
    return {"channel": channel, "ts": ts}


def _own(slack: Workspace, channel: str, ts: str, refusal: str) -> Json:
    message = _message(slack, channel, ts)
    if message.get("user") != ME:
        raise Refused(refusal)
    return message


def _message(slack: Workspace, channel: str, ts: str) -> Json:
    message = slack.messages[channel].get(ts)
    if message is None or message.get("subtype") == "tombstone":
        raise Refused("message_not_found")
    return message


def _permalink(slack: Workspace, args: Mapping[str, str]) -> Json:
    channel, ts = slack.place(args), args.get("message_ts", "")
    _message(slack, channel, ts)
    return {
        "channel": channel,
        "permalink": f"https://{slack.domain}.slack.com/archives/{channel}/p{ts.replace('.', '')}",
    }


def _react(slack: Workspace, args: Mapping[str, str]) -> Json:
    channel, ts, name = slack.place(args), args.get("timestamp", ""), args.get("name", "")
    message = _message(slack, channel, ts)
    if name not in _EMOJI:
        raise Refused("invalid_name")
    users = message.setdefault("reactions", {}).setdefault(name, [])
    if ME in users:
        raise Refused("already_reacted")
    users.append(ME)
    return {}


def _user(slack: Workspace, args: Mapping[str, str]) -> Json:
    user = slack.people.get(args.get("user", ""))
    if user is None:
        raise Refused("user_not_found")
    return {"user": user}


def _group(slack: Workspace, args: Mapping[str, str]) -> Json:
    users = slack.groups.get(args.get("usergroup", ""))
    if users is None:
        raise Refused("no_such_subteam")
    return {"users": users}


def _channel(slack: Workspace, args: Mapping[str, str]) -> Json:
    return {"channel": slack.channels[slack.place(args)]}


def _channels(slack: Workspace, args: Mapping[str, str]) -> Json:
    hidden = args.get("exclude_archived") in ("1", "true")
    found = [one for one in slack.channels.values() if not (hidden and one["is_archived"])]
    page, about = slack.paged(args, found)
    return {"channels": page, **about}


METHODS: Mapping[str, tuple[Callable[[Workspace, Mapping[str, str]], Json], str]] = {
    "auth.test": (_auth_test, ""),
    "chat.delete": (_delete, "chat:write"),
    "chat.getPermalink": (_permalink, ""),
    "chat.postMessage": (_post, "chat:write"),
    "chat.update": (_update, "chat:write"),
    "conversations.history": (_history, "channels:history"),
    "conversations.info": (_channel, "channels:read"),
    "conversations.list": (_channels, "channels:read"),
    "conversations.replies": (_replies, "channels:history"),
    "reactions.add": (_react, "reactions:write"),
    "usergroups.users.list": (_group, "usergroups:read"),
    "users.info": (_user, "users:read"),
}
"""Each method, with the scope it needs."""

WRITES = frozenset({"chat.delete", "chat.postMessage", "chat.update", "reactions.add"})
