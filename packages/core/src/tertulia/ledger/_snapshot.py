"""A thread saved as JSON: read it, and make everything a ledger needs of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, cast
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import to_json

from tertulia._frozen import Frozen, Id, Instant, checked, refuse
from tertulia._json import load_object
from tertulia.errors import Invalid
from tertulia.event import thread_key
from tertulia.ledger._accounts import OPENING_TYPES
from tertulia.ledger._item import ITEM, account_of, to_message
from tertulia.ledger._models import (
    DecisionName,
    Finding,
    Kind,
    MarkerPrefix,
    Options,
    Policy,
    RecordFields,
    Ref,
    Run,
    ThreadRecord,
)
from tertulia.ledger._saving import written
from tertulia.ledger._trigger import derive, given
from tertulia.thread import Account, Listing, Message

__all__ = ["Snapshot", "snapshot_schema"]

MAX_BYTES = 256 * 1024 * 1024
MAX_ITEMS = 200_000
_GITHUB_PATH = re.compile(r"/([A-Za-z0-9._-]+/[A-Za-z0-9._-]+)/(?:issues|pull|discussions)/([0-9]+)")


class _Who(Frozen):
    """Name an account in a snapshot's context."""

    id: Id | None = None
    login: str | None = None
    type: str | None = None
    aliases: frozenset[str] = frozenset()


class _Happening(Frozen):
    """Name the event that started the run."""

    kind: str
    sender: _Who | None = None
    comment_author: _Who | None = None


class _Fetch(Frozen):
    """Say how the thread was read: an integer count means issue comments."""

    complete: bool = True
    reported_count: Annotated[int, Field(ge=0)] | dict[str, Annotated[int, Field(ge=0)]] | None = None


class _StepInput(Frozen):
    """Carry one input of the step; kept with the state, never rendered."""

    model_config = ConfigDict(extra="allow")

    name: str
    value: str = ""


class _PreviousRecord(RecordFields):
    """Carry a record of the ledger before, its key written as a ref.

    What `tertulia context --json` prints of a record is read as it is; its decision and reason are made anew.
    """

    ref: Ref
    source_type: str | None = None
    id: Id | None = None
    kind: Kind = "human-feedback"
    decision: DecisionName | None = None
    reason: str | None = None

    @model_validator(mode="after")
    def _keyed(self) -> _PreviousRecord:
        source_type, _, ident = self.ref.partition(":")
        if self.source_type not in (None, source_type):
            raise refuse("source_type", "must be the one in ref")
        if self.id not in (None, ident):
            raise refuse("id", "must be the one in ref")
        return self

    def record(self) -> ThreadRecord:
        """Make the record."""
        source_type, _, ident = self.ref.partition(":")
        fields = self.model_dump(exclude={"ref", "decision", "reason"})
        return ThreadRecord.model_validate({**fields, "source_type": source_type, "id": ident})


class _Context(Frozen):
    """Carry what a snapshot says about its run."""

    trigger_author: _Who | None = None
    engine_actor: _Who | None = None
    command_prefix: str | tuple[str, ...] | None = None
    window: int | None = None
    pinned: tuple[Ref, ...] = ()
    previous_ledger: tuple[_PreviousRecord, ...] = ()
    fetch: _Fetch | None = None
    trigger_time: Instant | None = None
    trigger_comment: Ref | None = None
    event: _Happening | None = None
    step_inputs: tuple[_StepInput, ...] = ()
    policy: Policy = Policy()
    detail: Literal["excerpt", "meta"] = "excerpt"
    marker_prefix: MarkerPrefix = "bot-"
    thread: str | None = None
    root: Id | None = None
    findings: tuple[Finding, ...] = ()
    rev: Annotated[int, Field(ge=1)] | None = None


class Snapshot(Frozen):
    """Hold a saved thread: the listing, the previous records, the run and the options it was saved with."""

    listing: Listing
    previous: tuple[ThreadRecord, ...] = ()
    run: Run = Run()
    options: Options = Options()

    @classmethod
    def parse(cls, document: bytes | str) -> Snapshot:
        """Read a snapshot file; anything wrong is one `Invalid` that names what and where.

        `thread` holds items in our form or objects exactly as GitHub's REST API gives them, the issue first; arrays in it
        are taken as pages.
        """
        value = load_object(document, "snapshot", limit=MAX_BYTES)
        unknown = sorted(set(value) - {"thread", "context"})
        if unknown:
            raise Invalid(f"snapshot: {unknown[0][:64]!a}: unknown field", field=unknown[0][:64])
        context = _read_context(value.get("context", {}))
        items = list(_items(value))
        messages = [message for at, item in items if (message := to_message(item, at)) is not None]
        previous = tuple(
            checked(record.record, "snapshot", "context.previous_ledger") for record in context.previous_ledger
        )
        listing = _listing(context, items, messages)
        return cls.model_construct(
            listing=listing, previous=previous, run=_run(context, messages), options=_options(context)
        )

    def document(self) -> dict[str, Any]:
        """Give the JSON document that `parse` reads back as it was; the web hosts and the fence id are the reader's."""
        return written(self)


def _read_context(value: Any) -> _Context:
    if not isinstance(value, dict):
        raise Invalid("snapshot: context: must be an object", field="context")
    return checked(lambda: _Context.model_validate_json(to_json(value), strict=True), "snapshot", "context")


def _items(value: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Give every item with its place in the file: pages are flattened, generated items are written out."""
    thread = value.get("thread")
    if not isinstance(thread, list):
        told = "is missing" if "thread" not in value else "must be an array"
        raise Invalid(f"snapshot: thread: {told}", field="thread")
    count = 0
    pending = [("thread", iter(enumerate(cast("list[object]", thread))))]
    while pending:
        at, items = pending[-1]
        number, item = next(items, (-1, None))
        if number < 0:
            pending.pop()
            continue
        place = f"{at}[{number}]"
        if isinstance(item, list):
            pending.append((place, iter(enumerate(cast("list[object]", item)))))
            continue
        if not isinstance(item, dict):
            raise Invalid(f"snapshot: {place}: must be an object", field=place)
        for made in _generate(cast("dict[str, Any]", item), place):
            count += 1
            if count > MAX_ITEMS:
                raise Invalid(f"snapshot: thread: more than {MAX_ITEMS} items", field="thread")
            yield place, made


class _Generator(Frozen):
    """Stand for many items that differ by their id."""

    count: Annotated[int, Field(ge=0, le=MAX_ITEMS)]
    id_start: int = 1
    id_step: int = 1
    template: dict[str, Any]


class _BodyGenerator(Frozen):
    """Stand for a long body."""

    prefix: str = ""
    repeat: str = ""
    times: Annotated[int, Field(ge=0, le=10_000_000)] = 0
    suffix: str = ""


def _generate(item: dict[str, Any], at: str) -> Iterator[dict[str, Any]]:
    if set(item) == {"gen"}:
        made = checked(lambda: _Generator.model_validate(item["gen"], strict=True), "snapshot", f"{at}.gen")
        template = _with_body(made.template, at)
        for number in range(made.count):
            yield {**template, "id": made.id_start + number * made.id_step}
        return
    yield _with_body(item, at)


def _with_body(item: dict[str, Any], at: str) -> dict[str, Any]:
    if "body_gen" not in item:
        return item
    made = checked(lambda: _BodyGenerator.model_validate(item["body_gen"], strict=True), "snapshot", f"{at}.body_gen")
    if len(made.repeat) * made.times > MAX_BYTES:
        raise Invalid(f"snapshot: {at}.body_gen: is too long", field=f"{at}.body_gen")
    return {**item, "body": made.prefix + made.repeat * made.times + made.suffix}


def _listing(context: _Context, items: list[tuple[str, Mapping[str, Any]]], messages: list[Message]) -> Listing:
    fetch = context.fetch
    reported = fetch.reported_count if fetch is not None else _own_count(items)
    counts = {"issue_comment": reported} if isinstance(reported, int) else reported
    complete = fetch.complete if fetch is not None else True
    return Listing.model_construct(messages=tuple(messages), complete=complete, reported=counts)


def _own_count(items: list[tuple[str, Mapping[str, Any]]]) -> int | None:
    """Take the count of comments that an issue from the REST API carries: it shows whether every page was saved."""
    first: Mapping[str, Any] = items[0][1] if items else {}
    count: Any = first.get("comments")
    plain = isinstance(count, int) and not isinstance(count, bool) and count >= 0
    return count if plain and ("number" in first or first.get("source_type") in ("issue", "pull_request")) else None


def _run(context: _Context, messages: list[Message]) -> Run:
    engine = _account(context.engine_actor)
    trigger, findings = given(_account(context.trigger_author))
    if context.event is not None and "trigger_author" not in context.model_fields_set:
        happening = context.event
        author = _account(happening.comment_author)
        if author is None and _is_about_opening_post(happening.kind):
            author = next((message.author for message in messages if message.source_type in OPENING_TYPES), None)
        trigger, findings = derive(happening.kind, _account(happening.sender), author, engine)
    return Run(
        trigger_author=trigger,
        engine=engine,
        trigger_time=context.trigger_time,
        trigger_comment=context.trigger_comment,
        thread=context.thread if context.thread is not None else _thread(messages),
        root=context.root,
        findings=(*context.findings, *findings),
        rev=context.rev,
    )


def _is_about_opening_post(kind: str) -> bool:
    """Say whether an event created or changed the opening post itself, and no comment or review below it."""
    subject, _, word = kind.rpartition(".")
    if "comment" in subject or "review" in subject:
        return False
    return word in ("opened", "edited") or (subject, word) == ("discussion", "created")


def _account(who: _Who | None) -> Account | None:
    return account_of(who.id, who.login, (who.type,), who.aliases) if who is not None else None


def _thread(messages: list[Message]) -> str:
    """Name the thread by its first item: the path of a GitHub URL, the place in a Slack id, else the item's ref."""
    if not messages:
        return ""
    first = messages[0]
    if first.source_type == "slack_message" and first.id.count("/") == 2:
        team, channel, ts = first.id.split("/")
        return thread_key("slack", f"{team}/{channel}", root=ts)
    try:
        path = urlsplit(first.url or "").path
    except ValueError:
        path = ""
    found = _GITHUB_PATH.match(path)
    return thread_key("github", found.group(1), found.group(2)) if found else first.ref


def _options(context: _Context) -> Options:
    named = context.command_prefix or ()
    prefixes = tuple(prefix for prefix in ((named,) if isinstance(named, str) else named) if prefix)
    policy = {name: getattr(context.policy, name) for name in Policy.model_fields}
    chosen = {name: getattr(context, name) for name in ("window", "pinned", "detail", "marker_prefix")}
    return Options.model_construct(**policy, **chosen, command_prefixes=prefixes)


def snapshot_schema() -> dict[str, Any]:
    """Give the JSON Schema (draft 2020-12) of a snapshot file."""
    context = _Context.model_json_schema(ref_template="#/$defs/{model}")
    item = ITEM.json_schema(ref_template="#/$defs/{model}")
    generator = _Generator.model_json_schema(ref_template="#/$defs/{model}")
    shared = {**context.pop("$defs", {}), **item.pop("$defs", {})}
    item["required"] = [name for name in item["required"] if name != "source_type"]
    item["properties"]["body_gen"] = _BodyGenerator.model_json_schema()
    generated = {"type": "object", "properties": {"gen": generator}, "required": ["gen"], "additionalProperties": False}
    page = {"type": "array", "items": {"$ref": "#/$defs/ThreadPart"}}
    part = {"anyOf": [generated, {"$ref": "#/$defs/Item"}, page]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:tertulia:snapshot:v1",
        "title": "Snapshot",
        "type": "object",
        "properties": {"thread": page, "context": {"$ref": "#/$defs/Context"}},
        "required": ["thread"],
        "additionalProperties": False,
        "$defs": shared | {"Item": item, "Context": context, "ThreadPart": part},
    }
