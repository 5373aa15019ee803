"""`tertulia reply`: an answer into a thread, once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tertulia import errors
from tertulia_cli import _live as live
from tertulia_cli._failure import Failure, blame
from tertulia_cli._input import read, shown
from tertulia_cli._options import Engine, EventFile
from tertulia_cli._output import note, print_json
from tertulia_cli._parts import Answer, cut, key_of_body
from tertulia_cli._target import Target, of_event, of_url

if TYPE_CHECKING:
    from tertulia.outbound import Carrier
    from tertulia.thread import Draft, Limits, Message, MessageRef, ThreadRef, Threads

__all__ = ["register"]

MAX_BODY = 4 * 1024 * 1024
"""More bytes than any answer has that people could read."""

_MARKED_OUTSIDE = frozenset({"slack", "jira"})
"""Systems whose posts carry agent and key beside the text, and not in it."""

_THREADED = frozenset({"review_comment", "discussion_comment"})
"""Messages that have a thread of their own below them."""

_AGAIN = "it may have landed: run the same again, with the same key nothing is posted twice"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("reply")(_reply)


def _reply(
    body: Annotated[str, typer.Option(metavar="FILE|-", help="The text, in the backend's Markdown.")],
    agent: Annotated[str, typer.Option(metavar="NAME", help="Which agent says it.")],
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="The thread, or a review comment to answer in its thread.")
    ] = None,
    event: EventFile = None,
    key: Annotated[
        str | None, typer.Option(metavar="KEY", help="What makes it happen once; see below what it is by default.")
    ] = None,
    rev: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="The state it rests on, as `context --json` gives it.")
    ] = None,
    engine: Engine = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be posted, and ask nobody.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, as always here.")] = False,
) -> None:
    """Post an answer into a thread, once.

    Whoever runs this again with the same key, in this process or any other, gets the message that is there. The key is
    by default the event's and the agent's, and with a URL a digest of thread, agent and text. A text over the backend's
    limit is cut where paragraphs or code blocks end; its parts are numbered and keyed KEY/1, KEY/2, so that after a
    failure the same command goes on with the part that is missing. With --rev an older state that somebody puts back is
    known for one.

    Prints {"version": 1, "messages": [{"part", "ref", "url", "id", "created_at", "key"}], ...}; when it fails between
    two parts, those that are there.

    \b
    Examples:
        tertulia reply --event event.json --agent helper --body answer.md
        tertulia reply --url https://github.com/acme/demo/issues/7 --agent helper --body - --dry-run < answer.md
    """
    if (url is None) is (event is None):
        raise Failure("one thread is asked for", "tertulia reply", "give --event FILE or --url URL")
    if event == body == "-":
        raise Failure("standard input cannot be both", "--event and --body", "name a file for one of them")
    target = of_url(url) if url is not None else of_event(str(event))
    answer = _answer(target, body, agent, key, rev)
    with blame(shown(body), "give a text that can be posted"):
        planned = cut(answer, _room(target.adapter.limits), _carrier(target))
    if dry_run:
        print_json(_planned(target, planned))
        return
    _post(_Posting(target, answer, engine, len(planned), messages=[]))


@dataclass(slots=True)
class _Posting:
    """Follow an answer on its way: the parts that are there, and how many there are to be."""

    target: Target
    answer: Answer
    engine: str | None
    total: int
    messages: list[tuple[Draft, Message]]
    begun: bool = False

    async def post(self) -> None:
        """Post one part after the other."""
        async with live.connect(self.target.adapter, engine=self.engine) as client:
            thread = await _thread(client, self.target)
            drafts = cut(self.answer, _room(client.limits), _carrier(self.target))
            self.total = len(drafts)
            for draft in drafts:
                self.begun = True
                self.messages.append((draft, await client.post(thread, draft)))

    def document(self) -> dict[str, Any]:
        """Write down what is there."""
        messages = [_posted(n, draft, message) for n, (draft, message) in enumerate(self.messages, start=1)]
        return _document(self.target, self.total, messages)


def _post(posting: _Posting) -> None:
    try:
        live.run(posting.post, f"answering in {posting.target.key}")
    except errors.Error as error:
        if posting.messages:
            print_json(posting.document())
        raise _stopped(error, posting) from error
    except KeyboardInterrupt:
        if posting.begun:
            note(f"interrupted while answering in {posting.target.key}: {_AGAIN}")
        raise
    print_json(posting.document())


def _stopped(error: errors.Error, posting: _Posting) -> Failure:
    """Say which part failed, and that running it again is safe."""
    failure = live.explain(error, posting.target.adapter, posting.target.key)
    if posting.total > 1 and posting.begun:
        failure.what = f"part {len(posting.messages) + 1} of {posting.total}: {failure.what}"
    if isinstance(error, errors.Unavailable) and error.ambiguous:
        failure.to_do = _AGAIN
    elif posting.messages:
        failure.to_do = f"{failure.to_do}; the same command goes on with this part"
    return failure


def _answer(target: Target, body: str, agent: str, key: str | None, rev: int | None) -> Answer:
    from tertulia import outbound

    with blame("--agent", "use lower-case letters, digits and hyphens"):
        outbound.marker_line(agent)
    if key is not None and not key.strip():
        raise Failure("the key is empty", "--key", "give one, or leave it out")
    text = _text(body)
    event = target.event
    if event is not None:
        return Answer(text, agent, key or f"{event.key}/{agent}", event.time, rev)
    return Answer(text, agent, key or key_of_body(_address(target), agent, text), rev=rev)


def _text(path: str) -> str:
    data = read(path, "the text", MAX_BODY)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure("the text is not UTF-8", shown(path), "save it as UTF-8") from error


def _address(target: Target) -> str:
    """Name what the URL addresses, before anybody was asked where its thread begins."""
    from tertulia.thread import MessageRef

    address = target.address
    threaded = isinstance(address, MessageRef) and address.source_type in _THREADED
    return f"{target.key}/{address.id}" if isinstance(address, MessageRef) and threaded else target.key


async def _thread(client: Threads, target: Target) -> ThreadRef:
    """Find the thread to answer in: for a message with a thread below it, that one."""
    from tertulia.thread import MessageRef, ThreadRef

    address: ThreadRef | MessageRef = target.address
    if not isinstance(address, MessageRef) or address.source_type not in _THREADED:
        return target.thread
    message = await client.get_message(address)
    return ThreadRef(conversation=address.conversation, root=message.parent_id or message.id)


def _room(limits: Limits | None) -> int | None:
    """Give how long a part may be, so that it is taken whatever is in it."""
    return (limits.part_chars or limits.body_chars) if limits is not None else None


def _carrier(target: Target) -> Carrier:
    return "none" if target.adapter.system in _MARKED_OUTSIDE else "markdown"


def _planned(target: Target, drafts: tuple[Draft, ...]) -> dict[str, Any]:
    from tertulia import outbound

    carrier = _carrier(target)
    messages = [
        {"part": n, "key": outbound.key_digest(draft.key or ""), "body": outbound.prepare(draft, carrier=carrier)}
        for n, draft in enumerate(drafts, start=1)
    ]
    return _document(target, len(drafts), messages) | {"dry_run": True}


def _posted(part: int, draft: Draft, message: Message) -> dict[str, Any]:
    from tertulia import outbound

    return {
        "part": part,
        "ref": message.ref,
        "id": message.id,
        "url": message.url,
        "created_at": message.model_dump(mode="json")["created_at"],
        "key": outbound.key_digest(draft.key or ""),
    }


def _document(target: Target, parts: int, messages: list[dict[str, Any]]) -> dict[str, Any]:
    return {"version": 1, "thread": target.key, "parts": parts, "messages": messages}
