"""Use what the core has for adapters: events, foreign data, requests. Type checkers read this file; nothing runs it."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, assert_type

from pydantic import ValidationError

from tertulia import (
    conversation,
    enriching,
    errors,
    event,
    forge,
    outbound,
    parsing,
    registry,
    thread,
    tracker,
    transport,
    webhook,
)
from tertulia.lazy import lazy
from tertulia.parsing import github

LOG = logging.getLogger("tertulia.example")
__getattr__, __dir__ = lazy(__name__, {"Client": "example._client"})


class Shape(parsing.Frozen):
    """Read a message of a backend."""

    id: parsing.Id
    at: parsing.Instant


def an_event(at: datetime, raw: bytes) -> event.Event:
    """Make an event of parts, each with its own name."""
    label = event.Label(name="bug", action="added")
    comment = event.Comment(id="8", parent_id="7", body="Why?", author=event.Author(login="ana", kind="human"))
    review = event.Review(state="approved", reviewer_id="ana")
    kind: event.TransitionKind = "comment_added"
    assert_type(event.Transition(kind=kind, comment=comment, label=label, review=review).comment, event.Comment | None)
    role: event.Role = "write"
    actor = event.Actor(id="ana", kind="human", role=role, is_entity_author=True)
    of: event.EntityKind = "work_item"
    entity = event.Entity(
        kind=of,
        id=7,
        url="https://x.example/7",
        linked_change_proposal=event.LinkedChangeProposal(id=7, url="https://x.example/7"),
    )
    system: event.System = "github"
    key = event.delivery_key(
        event.thread_key(system, "acme/demo", "#7"), ("comment", "8"), event.revision(at, raw), kind
    )
    return event.Event(
        repo=event.encode_part("acme/demo"),
        entity=entity,
        transition=event.Transition(kind=kind, comment=comment),
        actor=actor,
        state=event.State(labels=("bug",)),
        source=event.Source(system=system, raw_type="issue_comment", raw_action="created"),
        delivery=event.DeliveryMark(key=key, time=at),
    )


def an_event_is_looked_at(found: event.Event) -> bool:
    """Ask an event."""
    assert_type(found.state.change_proposal, event.ChangeProposal | None)
    assert_type(event.find_commands("/ask"), event.Commands)
    return found.source.system in event.CHAT_SYSTEMS and found.transition.kind in event.COMMENT_KINDS


async def enriched(found: event.Event, asked: Awaitable[event.Role]) -> event.Event:
    """Fill in what a backend says now."""
    role = await enriching.look_up(asked, "the role", found, LOG)
    assert_type(role, event.Role | None)
    actor = enriching.with_role(found, role, "1001", LOG)
    assert_type(actor, event.Actor)
    return enriching.filled(found, actor, {"labels": ["bug"]})


def foreign_data(document: bytes) -> Shape:
    """Read what somebody else wrote, and refuse it in one way."""
    loaded: Any = parsing.load(document, "an answer", limit=parsing.MAX_BYTES)
    assert_type(parsing.as_object(loaded), dict[str, Any])
    assert_type(parsing.as_list(loaded), list[Any])
    assert_type(parsing.checked(lambda: Shape.model_validate(loaded), "an answer"), Shape)
    return parsing.build(Shape, loaded, "an answer")


def a_refusal(error: ValidationError) -> errors.Error:
    """Make errors of the tree."""
    assert_type(parsing.invalid(error, "an answer"), errors.Invalid)
    assert_type(parsing.one_line(str(error)), str)
    told = errors.from_status(404, {}, "Not Found", backend="example", operation="read")
    assert_type(told, errors.Error)
    assert_type(errors.Denied("no", permission="issues:write").permission, str | None)
    assert_type(errors.Invalid("no", field="body").field, str | None)
    return errors.Conflict("locked") if told.transient else errors.NotFound("gone", backend="example")


def refused() -> Exception:
    """Name a place from within a validator."""
    return parsing.refuse("body", "is empty")


def a_post(draft: thread.Draft) -> str:
    """Write our lines, and read them back."""
    carrier: outbound.Carrier = "none"
    assert_type(outbound.parse_lines(outbound.clean(draft.body)), outbound.Lines)
    assert_type(outbound.overhead(draft, carrier=carrier), int)
    return "\n".join([outbound.marker_line("helper"), outbound.key_line("k", 3), outbound.key_digest("k")])


def a_message(source: thread.SourceType, ident: thread.MessageId) -> thread.Message:
    """Make a message of a backend that carries markers outside of bodies."""
    limits = thread.Limits(body_chars=4_000)
    assert_type(limits.body_chars, int | None)
    assert_type(thread.record_ref(source, ident), str)
    file = thread.Attachment(name="log.txt")
    marker = thread.Marker(agent="helper")
    return thread.Message(id=ident, source_type=source, created_at=datetime.now(), marker=marker, attachments=(file,))


class OnPaper(tracker.Unimplemented):
    """Inherit what refuses."""


class InPerson(conversation.Unimplemented):
    """Inherit what refuses."""


class ByHand(forge.Unimplemented):
    """Inherit what refuses."""


def drafts() -> tuple[tracker.IssueDraft, forge.ChangeDraft, forge.ReviewDraft]:
    """Draft what is created."""
    comment = forge.ReviewComment(path="a.py", line=3, body="Why?")
    review = forge.ReviewDraft(state="commented", comments=(comment,))
    change = forge.ChangeDraft(repo="acme/demo", title="Fix", head="fix", base="main")
    return tracker.IssueDraft(place="acme/demo", title="It fails"), change, review


async def a_forge(client: forge.Client) -> None:
    """Ask a forge about a change."""
    async for review in client.reviews("acme/demo", 7):
        assert_type(review, forge.Review)
        assert_type(review.state, forge.ReviewState)
    async for file in client.change_files("acme/demo", 7):
        assert_type(file, forge.ChangeFile)
    async for found in client.review_threads("acme/demo", 7):
        assert_type(found, forge.ReviewThread)


class Now(transport.Clock):
    """Be a clock."""


async def requests(ask: Callable[[], Awaitable[str | transport.Failure]], clock: transport.Clock) -> str:
    """Make a request as every transport does."""
    token = transport.Token(None, "EXAMPLE_TOKEN", backend="example")
    assert_type(token, transport.Token)
    traffic = transport.Traffic(backend="example", max_wait=60, clock=clock)
    assert_type(traffic.budget(), transport.Budget)
    assert_type(transport.backoff(transport.TRIES), float)
    numbers: tuple[int, float] = (transport.READS, transport.CAUTION)
    LOG.info("%s", numbers)
    assert_type(transport.granted({}), frozenset[str] | None)
    once = transport.Once(LOG, sleep=clock.sleep, clock=clock.now)
    assert_type(once, transport.Once)
    return await traffic.make(ask, operation="read", budget=traffic.budget())


def no_answer(error: Exception) -> errors.Unavailable:
    """Say that nobody answered."""
    return transport.unanswered(error, host="x.example", backend="example", operation="read", ambiguous=True)


def addresses(url: str) -> str:
    """Read GitHub's addresses."""
    assert_type(github.page_of(url), github.Page | None)
    assert_type(github.origin_of(url), github.Origin)
    assert_type(github.is_route("/repos/acme/demo"), bool)
    assert_type(github.is_shown_by(url, "https://api.github.com"), bool)
    assert_type(github.checked_id("7", "id"), str)
    assert_type(github.checked_repo("acme/demo"), str)
    assert_type(github.scopes_of(["repo"], ["repo"]), Mapping[str, frozenset[str]])
    assert_type(github.locate("https://api.github.com"), github.Api)
    assert_type(github.Place("acme", "demo", "7").number, str)
    settings: tuple[registry.Setting, ...] = github.SETTINGS
    assert_type((settings[0].name, github.TOKENS), tuple[str, tuple[str, ...]])
    assert_type(github.IMPLIED, dict[str, frozenset[str]])
    return github.locate_graphql("https://api.github.com")


def subscribed(source: registry.Source) -> registry.Subscribe:
    """Take how to connect to a backend that sends over a connection of ours."""
    return source.subscribe


def found(system: str, kind: registry.Kind) -> registry.Adapter:
    """Look for an adapter."""
    assert_type(registry.installed().problems, tuple[registry.Problem, ...])
    assert_type(registry.enricher(system), registry.Adapter)
    LOG.info(registry.GROUP)
    return registry.connector(system, kind)


def a_request(headers: webhook.Headers, body: bytes, secrets: webhook.Secrets) -> None:
    """Check Slack's signature."""
    webhook.verify_slack(headers, body, secrets, now=float(webhook.SLACK_WINDOW))
