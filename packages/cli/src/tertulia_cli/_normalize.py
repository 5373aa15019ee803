"""`tertulia normalize`: a native event in, normalized events out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from tertulia import errors
from tertulia_cli._failure import Failure, blame
from tertulia_cli._input import MAX_PAYLOAD, account, read, shown, variable
from tertulia_cli._output import print_json

if TYPE_CHECKING:
    from tertulia.event import Delivery, Normalized

__all__ = ["Source", "check", "deliver", "register"]

_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)")
_EVENT_HEADER = "x-github-event"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("normalize")(_normalize)


def _normalize(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE|-", help="The event as JSON; `-` is standard input.")
    ] = None,
    system: Annotated[str, typer.Option(help="Where it comes from; `json` checks a normalized event.")] = "github",
    name: Annotated[str | None, typer.Option(help="The native event's name, such as issue_comment.")] = None,
    repo: Annotated[
        str | None, typer.Option(help="The repository, OWNER/NAME, when it is known from elsewhere.")
    ] = None,
    actor: Annotated[str | None, typer.Option(help="Who caused the event, when it does not say so itself.")] = None,
    engine: Annotated[str | None, typer.Option(metavar="LOGIN|ID", help="The account the agent posts as.")] = None,
    header: Annotated[
        list[str] | None, typer.Option(metavar="'K: V'", help="A header of the delivery; repeatable.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, as always here.")] = False,
    enrich: Annotated[
        bool, typer.Option("--enrich", help="Ask the backend for the actor's role, the labels and the pull request.")
    ] = False,
) -> None:
    """Turn a native event into normalized events.

    Prints one JSON document: {"version": 1, "events": [...], "ignored": null | {"reason", "detail"}}, indented on a
    terminal, else on one line. An event that means nothing here is "ignored", with the reason, and exit status 0.
    Nothing is fetched, but with --enrich; what cannot be looked up then is less trust and a warning, and no error. Inside
    GitHub Actions no argument is needed.

    \b
    Examples:
        tertulia normalize event.json --name issue_comment --repo acme/demo
        tertulia normalize - --header 'X-GitHub-Event: issues' < delivery.json
        tertulia normalize --enrich
        tertulia normalize --system json event.json
    """
    source = _from_actions(name, repo, actor) if file is None else Source(file, name, repo, actor)
    known = _headers(header or [])
    normalized = check(source.path) if system == "json" else deliver(system, source, headers=known, engine=engine)
    if enrich:
        from tertulia_cli._enrich import enriched

        normalized = enriched(normalized)
    print_json(normalized.document())


@dataclass(frozen=True, slots=True)
class Source:
    """Say where an event comes from, and what is known about it beside its text."""

    path: str
    name: str | None = None
    repo: str | None = None
    actor: str | None = None


def deliver(system: str, source: Source, *, headers: Mapping[str, str], engine: str | None = None) -> Normalized:
    """Read an event and let the adapter of its system normalize it."""
    from tertulia.event import Delivery

    name = source.name or headers.get(_EVENT_HEADER) or ""
    if system == "github" and not name:
        raise Failure(
            "the event's name is missing",
            shown(source.path),
            "give --name issue_comment or --header 'X-GitHub-Event: ...'",
        )
    adapter = _adapter(system, name)
    delivery = Delivery(
        system=system,
        name=name,
        payload=read(source.path, "the event", MAX_PAYLOAD),
        headers=headers,
        repo=source.repo,
        actor=source.actor,
        engine=None if engine is None else account(engine, "--engine"),
    )
    with blame(shown(source.path), "correct the event, or give the --name and --system it has"):
        return adapter(delivery)


def _adapter(system: str, name: str) -> Callable[[Delivery], Normalized]:
    """Find who normalizes; on a miss the registry says which package to install."""
    from tertulia import registry

    try:
        normalize = registry.normalizer(system, name).normalize
    except errors.Invalid as error:
        what, _, to_do = str(error).partition(f" ({error.field}): ")
        raise Failure(what, "--system", to_do or "name another system") from error
    assert normalize is not None, "the registry finds adapters that normalize"
    return normalize


def check(path: str) -> Normalized:
    """Read a normalized event and hold it to the model."""
    from tertulia.event import Event, Normalized

    with blame(shown(path), "correct the event, `tertulia schema event` says what it must be"):
        return Normalized(events=(Event.parse(read(path, "the event", MAX_PAYLOAD)),))


def _from_actions(name: str | None, repo: str | None, actor: str | None) -> Source:
    """Take from GitHub Actions what the command line leaves out."""
    path, known = variable("GITHUB_EVENT_PATH"), name or variable("GITHUB_EVENT_NAME")
    missing = [key for key, value in (("GITHUB_EVENT_PATH", path), ("GITHUB_EVENT_NAME", known)) if value is None]
    if path is None or missing:
        told = " and ".join(missing)
        raise Failure(
            f"no FILE is given, and {told} {'is' if len(missing) == 1 else 'are'} not set",
            "tertulia normalize",
            "name a file, or `-` for standard input",
        )
    return Source(path, known, repo or variable("GITHUB_REPOSITORY"), actor or variable("GITHUB_ACTOR"))


def _headers(given: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in given:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise Failure(f"'{line[:80]}' is not a header", "--header", "write it as 'Name: value'")
        headers[found[1].lower()] = found[2].strip()
    return headers
