"""The client: Slack's channels and threads, read whole, answered once."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from tertulia import conversation as conversations
from tertulia import outbound
from tertulia.conversation import Conversation, Thread
from tertulia.errors import Conflict, Denied, Invalid, NotFound
from tertulia.parsing import as_list, as_object
from tertulia.thread import Account, Draft, Listing, Message, MessageRef, ThreadRef
from tertulia.transport import Clock, Once, Rate
from tertulia_conversation_slack import _reading as reading
from tertulia_conversation_slack._adapter import CAPABILITIES, EDIT_CHARS, LIMITS, TRAITS, configured
from tertulia_conversation_slack._api import Api, Call, HttpOptions, open_api
from tertulia_conversation_slack._config import ROLES, Config, GrantedRole
from tertulia_conversation_slack._convert import MARKER, conversation, is_own, last_activity, message, own_marker, said
from tertulia_conversation_slack._fields import Json, number, objects, word
from tertulia_conversation_slack._identity import Home, identify, resolve
from tertulia_conversation_slack._outgoing import Words, words
from tertulia_conversation_slack._people import person
from tertulia_conversation_slack._place import Place
from tertulia_conversation_slack._roster import Roster

__all__ = ["Client", "connect"]

_log = logging.getLogger("tertulia.conversation_slack")


class Client(conversations.Unimplemented):
    """Take part in Slack's channels; `tertulia.conversation.Client` says what each method promises.

    A conversation is a channel, `T1/C1`, or `C1` in the workspace the token is for. It has no opening post: every message
    in it that answers none is the root of a thread. `native` is slack-sdk's client. Slack says nothing of limits before
    one is reached, so `rate` is None.
    """

    backend = "slack"
    capabilities = CAPABILITIES
    traits = TRAITS
    limits = LIMITS
    rate: Rate | None = None

    def __init__(self, api: Api, config: Config | None = None, *, engine: Account | str | None = None) -> None:
        """Work over a transport that is open, with what the operator says about the workspace."""
        self.native = api.native
        self._api, self._config = api, config or Config()
        self._named = engine
        self._engine: Account | None = None
        self._roster = Roster()
        self._once = Once(_log, sleep=api.clock.sleep, clock=api.clock.now)
        self._known: Home | None = None

    @property
    def scopes(self) -> frozenset[str] | None:
        """Give the scopes the token was granted, as Slack last said; None before its first answer."""
        return self._api.scopes

    async def whoami(self) -> Account:
        """Give the account this client acts as: the app's user, whose bot is an alias, or the engine that is configured."""
        if self._engine is None:
            call = self._api.begin("whoami")
            self._engine = await resolve(call, self._named, (await self._home(call)).me)
        return self._engine

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Read a thread, or without a root every thread of the channel, oldest root first.

        A limit that holds for longer than the call may wait, behind the first page, leaves `complete` false. What people
        are to the workspace is looked up, and is a heuristic: an owner or admin is OWNER, a full member MEMBER.
        """
        call, place = await self._at(thread, "read")
        root = place.root(thread, "read")
        if root is None:
            found = await reading.read_channel(call, place.channel)
            kept, reported = list(found.messages.values()), None
        else:
            found = await reading.read_thread(call, place.channel, root)
            kept, reported = found.in_order(), found.reported
        made = await self._messages(kept, place, call)
        return Listing(messages=made, complete=found.missing is None, reported=reported)

    async def locate(self, thread: ThreadRef, /) -> ThreadRef:
        """Name a thread as events do: with its workspace, and by its root where a web address named an answer in it."""
        call, place = await self._at(thread, "locate")
        asked = place.root(thread, "locate")
        root = await reading.find_root(call, place.channel, asked) if asked is not None else None
        return ThreadRef(conversation=place.conversation, root=root)

    async def get_message(self, message: MessageRef, /) -> Message:
        """Read one message as it is now.

        NotFound proves that it was deleted. When its channel cannot be seen either it is Denied, which proves nothing.
        """
        call, place, data = await self._find(message, "get_message")
        return await self._message(data, place, call)

    async def get_conversation(self, thread: ThreadRef, /) -> Conversation:
        """Read a channel: its name, its section as the operator's file says it, and whether it is archived."""
        call, place = await self._at(thread, "get_conversation")
        return self._conversation(place, await _channel(call, place.channel))

    async def post(self, thread: ThreadRef, draft: Draft, /) -> Message:
        """Post under a root, or without one in the channel; at most once for a key.

        The body goes out as Markdown, and converted to Slack's own markup when it is too long for that; agent and key travel
        in the message's metadata. Slack shows no previews of its links: whoever could make an agent write one would make Slack
        fetch it.
        """
        told = await words(draft)
        call, place = await self._at(thread, "post")
        asked = place.root(thread, "post")
        root = await reading.find_root(call, place.channel, asked) if asked is not None else None

        async def send() -> Message:
            return await self._send(call, place, root, draft, told)

        async def look() -> Message | None:
            return await self._look(call, place, root, draft)

        if draft.key is None:
            return await send()
        return await self._once.post(draft.key, where=thread.conversation, look=look, send=send)

    async def group_role(self, user: str) -> GrantedRole | None:
        """Give the greatest role that the operator's file gives a user group this user is in; None when there is none."""
        call = self._api.begin("group_role")
        groups = self._config.groups
        listed = await reading.together(call.ask("usergroups.users.list", usergroup=group) for group in groups)
        held = {
            role for role, answer in zip(groups.values(), listed, strict=True) if user in as_list(answer.get("users"))
        }
        return next((role for role in ROLES if role in held), None)

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        """Replace the body of an own message, by at most 4,000 characters; agent and key are kept."""
        body = outbound.prepare(draft, carrier="none", limit=EDIT_CHARS)
        call, place, data = await self._own(message, "edit")
        marker = own_marker(data.get("metadata"))
        await call.send(
            "chat.update",
            repeatable=True,
            channel=place.channel,
            ts=data["ts"],
            markdown_text=body,
            metadata=_metadata(marker["agent"], marker["key"]) if marker is not None else None,
        )
        return await self._message(await reading.find(call, place.channel, data["ts"]), place, call)

    async def delete(self, message: MessageRef, /) -> None:
        """Delete an own message. A root that has replies leaves a tombstone."""
        call, place, data = await self._own(message, "delete")
        await call.send("chat.delete", repeatable=True, absent=lambda _: {}, channel=place.channel, ts=data["ts"])

    async def react(self, message: MessageRef, reaction: str, /) -> None:
        """Add a reaction by its name, `tada` or `:tada:`."""
        call, place = await self._at(message, "react")
        ts, name = place.message(message, "react"), reaction.strip().strip(":")
        try:
            await call.send("reactions.add", repeatable=True, channel=place.channel, timestamp=ts, name=name)
        except Conflict as conflict:
            if conflict.message != "already_reacted":
                raise

    async def conversations(self, place: str, /, *, category: str | None = None) -> AsyncIterator[Conversation]:
        """Find the channels of the workspace that the app is in, last active first; or those of a section."""
        call = self._api.begin("conversations")
        home = await self._home(call)
        if place != home.team:
            raise NotFound(
                f"{place} is not the workspace of this token", backend=self.backend, operation=call.operation
            )
        channels = await (self._joined(call) if category is None else self._in_section(call, category))
        found = await reading.together(self._active(call, Place(place, word(one, "id")), one) for one in channels)
        for one in sorted(found, key=lambda one: one.updated_at or one.created_at, reverse=True):
            yield one

    async def threads(self, conversation: ThreadRef, /, *, since: datetime | None = None) -> AsyncIterator[Thread]:
        """Find the threads of a channel, newest root first. All of its history is read: an old thread may have new replies."""
        call, place = await self._at(conversation, "threads")
        async for data in reading.roots(call, place.channel):
            last = last_activity(data)
            if since is not None and last < since.replace(microsecond=0):
                continue
            root = await self._message(data, place, call)
            ref = ThreadRef(conversation=conversation.conversation, root=root.id)
            yield Thread(ref=ref, root=root, replies=number(data, "reply_count") or 0, last_activity=last)

    async def _home(self, call: Call) -> Home:
        """Ask whose the token is, once."""
        if self._known is None:
            self._known = await identify(call)
        return self._known

    async def _at(self, where: ThreadRef | MessageRef, operation: str) -> tuple[Call, Place]:
        """Begin a call about a conversation. What is no address is refused before anybody is asked, and one of another
        workspace before anything else is.
        """
        place, call = Place.of(where.conversation), self._api.begin(operation)
        home = await self._home(call)
        home.admit(where.handle)
        return call, place if place.team else place._replace(team=home.team)

    async def _find(self, message: MessageRef, operation: str) -> tuple[Call, Place, Json]:
        call, place = await self._at(message, operation)
        try:
            return call, place, await reading.find(call, place.channel, place.message(message, operation))
        except NotFound as missing:
            if missing.message != "channel_not_found":
                raise
            told = "the channel is not in sight of this identity, which does not prove that anything in it was deleted"
            raise Denied(told, backend=self.backend, operation=operation) from missing

    async def _own(self, message: MessageRef, operation: str) -> tuple[Call, Place, Json]:
        """Find a message that this account wrote."""
        call, place, data = await self._find(message, operation)
        known = await self._message(data, place, call)
        if known.deleted:
            raise NotFound("the message was deleted", backend=self.backend, operation=operation)
        if not is_own(known.author, (await self._home(call)).me):
            raise Denied("the message is somebody else's", backend=self.backend, operation=operation)
        return call, place, data

    async def _send(self, call: Call, place: Place, root: str | None, draft: Draft, told: Words) -> Message:
        metadata = _metadata(draft.agent, draft.key)
        answer = await call.send(
            "chat.postMessage",
            repeatable=False,
            channel=place.channel,
            thread_ts=root,
            markdown_text=told.markdown_text,
            text=told.text,
            metadata=metadata,
            unfurl_links="false",
            unfurl_media="false",
        )
        if "message_truncated" in as_list(as_object(answer.get("response_metadata")).get("warnings")):
            _log.warning("Slack cut the answer in %s short: it counts other characters than we do", place.conversation)
        sent = {**as_object(answer.get("message")), "metadata": json.loads(metadata)}
        return await self._message(sent, place, call)

    async def _look(self, call: Call, place: Place, root: str | None, draft: Draft) -> Message | None:
        """Find what this account posted under the draft's key: below the root, or among the roots."""
        me = (await self._home(call)).me
        oldest = None if draft.since is None else f"{int(draft.since.timestamp())}.000000"
        if root is None:
            async for data in reading.roots(call, place.channel, oldest=oldest):
                if _is_keyed(data, draft.key, me):
                    return await self._message(data, place, call)
            return None
        found = await reading.read_thread(call, place.channel, root, oldest=oldest)
        known = next((one for one in found.in_order() if _is_keyed(one, draft.key, me)), None)
        if known is None and found.missing is not None:
            raise found.missing
        return await self._message(known, place, call) if known is not None else None

    async def _message(self, data: Json, place: Place, call: Call) -> Message:
        return (await self._messages([data], place, call))[0]

    async def _messages(self, found: Iterable[Json], place: Place, call: Call) -> tuple[Message, ...]:
        """Make messages, each with what its author is to the workspace."""
        home, found = await self._home(call), list(found)
        authors = (person(said(one)) for one in found)
        people = {who.id for who in authors if who.id is not None and who.kind == "human"}
        members = await self._roster.look_up(people, home.team, call, self._api.clock.now())
        return tuple(message(one, place, home.site, members) for one in found)

    def _conversation(self, place: Place, data: Json) -> Conversation:
        return conversation(data, place, self._config.section(place.channel))

    async def _joined(self, call: Call) -> list[Json]:
        kinds = "public_channel,private_channel"
        return [
            channel
            async for page in reading.items(call, "conversations.list", "channels", types=kinds)
            for channel in page
            if channel.get("is_member") is True
        ]

    async def _in_section(self, call: Call, category: str) -> list[Json]:
        channels = self._config.channels(category)
        if not channels:
            raise Invalid(f"slack: category: the operator's file has no section {category!r}", field="category")
        return await reading.together(_channel(call, channel) for channel in channels)

    async def _active(self, call: Call, place: Place, channel: Json) -> Conversation:
        """Make a conversation with when something was last said in it."""
        found = self._conversation(place, channel)
        answer = await call.ask("conversations.history", channel=place.channel, limit="1")
        last = next((last_activity(one) for one in objects(answer.get("messages"))), None)
        return found.model_copy(update={"updated_at": last})


async def _channel(call: Call, channel: str) -> Json:
    return as_object((await call.ask("conversations.info", channel=channel)).get("channel"))


def _metadata(agent: str, key: str | None) -> str:
    payload = {"agent": agent, **({"key": key} if key is not None else {})}
    return json.dumps({"event_type": MARKER, "event_payload": payload})


def _is_keyed(data: Json, key: str | None, me: Account) -> bool:
    """Say whether a message is our own, under this key."""
    who, marker = person(said(data)), own_marker(data.get("metadata"))
    return marker is not None and marker["key"] == key and who.is_account(me)


@asynccontextmanager
async def connect(
    *,
    token: str | Callable[[], Awaitable[str]] | None = None,
    api_url: str | None = None,
    config: Config | None = None,
    engine: Account | str | None = None,
    max_wait: float = 60.0,
    timeout: float = 30.0,  # noqa: ASYNC109 - between two bytes; a deadline is the caller's
    http: HttpOptions | None = None,
    _clock: Clock | None = None,
) -> AsyncGenerator[Client]:
    """Open a client: the token and the API's address from `SLACK_BOT_TOKEN` and `SLACK_API_URL`, unless they are given.

    `token` may be an async callable, asked for each request. `config` is what the operator's file says, read from
    `TERTULIA_SLACK_CONFIG` by default. `engine` is who the agent is, an account or its id, when it is not the token's own.
    `max_wait` seconds one call may sleep in all, `timeout` are between two bytes.
    """
    async with open_api(
        token=token, api_url=api_url, max_wait=max_wait, timeout=timeout, http=http, _clock=_clock
    ) as api:
        yield Client(api, config if config is not None else configured(), engine=engine)


if TYPE_CHECKING:
    _CLIENT: type[conversations.Client] = Client
