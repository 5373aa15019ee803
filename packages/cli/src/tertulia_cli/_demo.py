"""`tertulia demo`: the whole way, from an event to an answer, on samples in memory or on a thread of the reader's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tertulia_cli._asked import Asked, asked_options, lay_over
from tertulia_cli._context import load, make
from tertulia_cli._failure import Failure
from tertulia_cli._normalize import Source, deliver
from tertulia_cli._options import AsJson, Engine, TriggerAuthor
from tertulia_cli._output import note, print_json

if TYPE_CHECKING:
    from tertulia.event import Normalized
    from tertulia.ledger import Context, Snapshot
    from tertulia.thread import Draft, Message
    from tertulia_cli._target import Target

__all__ = ["Shown", "register"]

_SYSTEM, _NAME = "github", "issue_comment"
_AGENT = "demo"
_URL = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shown:
    """Hold what there is to see: `draft` is the answer, `message` what was posted, `again` what the next run gets."""

    context: Context
    normalized: Normalized | None = None
    draft: Draft | None = None
    message: Message | None = None
    again: Context | None = None

    @property
    def sent(self) -> str:
        """Give the body as it is, or would be, posted."""
        if self.message is not None:
            return self.message.body
        return _sent(self.draft) if self.draft is not None else ""

    def document(self) -> dict[str, Any]:
        """Give the JSON document."""
        reply: dict[str, Any] | None = None
        if self.draft is not None:
            reply = {"body": self.sent, "posted": self.message is not None}
        if reply is not None and self.message is not None:
            reply |= {"ref": self.message.ref, "url": self.message.url}
        return {
            "version": 1,
            "normalized": None if self.normalized is None else self.normalized.document(),
            "context": self.context.document(),
            "reply": reply,
            "again": None if self.again is None else self.again.document(),
        }


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo")(_demo)


def _demo(
    source: Annotated[
        str | None, typer.Argument(metavar="FILE|-|URL", help="A saved thread of yours, or a live one.")
    ] = None,
    trigger_author: TriggerAuthor = None,
    engine: Engine = None,
    post: Annotated[
        bool, typer.Option("--post", help="With a URL: post the answer into the thread, once. Else it is only shown.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Show the whole way: an event, the ledger of its thread, what was found, what an agent gets, and its answer.

    Without an argument it shows bundled samples, with no account and no network: a thread of invented people, under
    attack, an answer in memory, and the next run that recognises it. A URL is read live with the token of the
    environment; nothing is written there, unless --post asks for it.

    \b
    Save a thread of yours with GitHub's command, and look at it as its maintainer would:
        { gh api repos/OWNER/REPO/issues/7
          gh api --paginate repos/OWNER/REPO/issues/7/comments
        } | jq -s '{thread: .}' > thread.json
        tertulia demo thread.json --trigger-author YOUR-LOGIN

    \b
    Examples:
        tertulia demo
        tertulia demo thread.json
        tertulia demo https://github.com/acme/demo/issues/7
    """
    asked = Asked(trigger_author=trigger_author, engine=engine)
    live = source is not None and _URL.match(source) is not None
    if post and not live:
        raise Failure("there is no live thread to post to", "--post", "give a URL, or leave it out")
    shown = _bundled(asked) if source is None else _live(source, asked, post) if live else _saved(source, asked)
    if json:
        print_json(shown.document())
        return
    _show(shown, own=source is not None)


def _saved(path: str, asked: Asked) -> Shown:
    return Shown(make(lay_over(load(path), asked)))


def _bundled(asked: Asked) -> Shown:
    """Answer the bundled thread in memory, and make the context of the next run."""
    from tertulia_cli._stage import Stage

    normalized, snapshot = _normalized(), lay_over(_sample(), asked)
    stage, context = Stage(snapshot), make(snapshot)
    draft = _draft(context)
    message = stage.post(draft)
    records = tuple(entry.record for entry in context.records)
    again = make(snapshot.model_copy(update={"listing": stage.read(), "previous": records}))
    return Shown(context, normalized, draft, message, again)


def _live(url: str, asked: Asked, post: bool) -> Shown:
    from tertulia_cli import _live as live
    from tertulia_cli._target import of_url

    target = of_url(url)
    doing = f"{'reading and answering' if post else 'reading'} {target.key}"
    with live.refusals(target):
        shown, notes = live.run(lambda: _whole_way(target, asked, post), doing)
    for told in notes:
        note(told)
    return shown


async def _whole_way(target: Target, asked: Asked, post: bool) -> tuple[Shown, tuple[str, ...]]:
    """Read; with `post` answer once, and read again as the next run does."""
    from tertulia_cli import _live as live
    from tertulia_cli import _reading as reading

    options = asked_options(asked)
    async with live.connect(target.adapter, engine=asked.engine) as client:
        target = await reading.located(client, target)
        run, notes = await reading.who(client, target, asked)
        context = (await reading.read_with(client, target, run, options)).context
        draft = _draft(context)
        if not post:
            return Shown(context, draft=draft), notes
        message = await client.post(target.thread, draft)
        again = (await reading.read_with(client, target, run, options)).context
        return Shown(context, draft=draft, message=message, again=again), notes


def _draft(context: Context) -> Draft:
    """Write what an agent without a model has to say; one thread gets it once."""
    from tertulia.thread import Draft

    counts = context.counts
    read = len(context.records) - counts["deleted"]
    body = f"I read {read} messages, {counts['flow']} of which I may take at their word. This is a demonstration."
    return Draft(body=body, agent=_AGENT, key=f"{context.thread}/{_AGENT}")


def _sent(draft: Draft) -> str:
    from tertulia import outbound

    return outbound.prepare(draft, carrier="markdown")


def _sample() -> Snapshot:
    with as_file(files("tertulia_cli") / "_samples" / "thread.json") as path:
        return load(str(path))


def _normalized() -> Normalized | None:
    """Normalize the bundled event, or give None when no adapter for it is installed."""
    from tertulia import registry

    if not any(one.system == _SYSTEM and _NAME in one.names for one in registry.installed().adapters):
        return None
    with as_file(files("tertulia_cli") / "_samples" / f"{_NAME}.json") as path:
        return deliver(_SYSTEM, Source(str(path), _NAME), headers={})


def _show(shown: Shown, *, own: bool) -> None:
    from tertulia_cli import _page
    from tertulia_cli._output import print_rich

    print_rich(*_page.page(shown, own=own))
