"""The command: its options, and what must be there before it can start."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from tertulia_cli._failure import Failure, blame
from tertulia_cli._input import account

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tertulia.registry import Source
    from tertulia_cli.serve._hooks import Hook
    from tertulia_cli.serve._outputs import Output

__all__ = ["register"]

_NEEDED = ("starlette", "uvicorn", "httptools", "httpx")


_SocketMode = Annotated[
    bool, typer.Option("--socket-mode", help="Receive from Slack over Socket Mode; the same as --source slack.")
]
_Sources = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="SYSTEM", help="Receive what this system sends without a webhook; repeatable."),
]
_Lines = Annotated[
    str | None,
    typer.Option("--output", metavar="FILE|-", help="Append events to a file, one a line; `-`, the default, prints."),
]
_Command = Annotated[
    str | None, typer.Option(metavar="'CMD ARG'", help="Run this for each event, which it reads from standard input.")
]
_Post = Annotated[str | None, typer.Option(metavar="URL", help="Post each event there.")]
_Only = Annotated[
    list[str] | None,
    typer.Option(metavar="KIND", help="Hand on only this transition (comment_added) or native type; repeatable."),
]
_Engine = Annotated[
    str | None, typer.Option(metavar="LOGIN|ID", help="The account the agent posts as on GitHub; Slack tells its own.")
]
_Inbox = Annotated[Path, typer.Option(metavar="FILE", help="Where deliveries are kept until they are handed on.")]
_Host = Annotated[str, typer.Option(help="The address to listen at.")]
_Port = Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 takes a free one.")]
_Concurrency = Annotated[int, typer.Option(min=1, max=1_000, help="Commands or posts at a time.")]
_Timeout = Annotated[str, typer.Option(metavar="TIME", help="What a command or a post may take.")]
_RetryFor = Annotated[str, typer.Option(metavar="TIME", help="How long an event is tried again.")]
_Drain = Annotated[str, typer.Option(metavar="TIME", help="How long SIGTERM waits for what is under way.")]
_Keep = Annotated[str, typer.Option(metavar="TIME", help="How long a body is kept once it was handed on.")]
_Remember = Annotated[str, typer.Option(metavar="TIME", help="How long it is known that an event was handed on.")]
_Size = Annotated[str, typer.Option(metavar="SIZE", help="What the inbox may take on the disk.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve")(_serve)


def _serve(
    socket_mode: _SocketMode = False,
    source: _Sources = None,
    lines: _Lines = None,
    command: _Command = None,
    post: _Post = None,
    only: _Only = None,
    engine: _Engine = None,
    inbox: _Inbox = Path("tertulia-inbox.sqlite3"),
    host: _Host = "127.0.0.1",
    port: _Port = 8080,
    concurrency: _Concurrency = 8,
    timeout: _Timeout = "10m",
    retry_for: _RetryFor = "1d",
    drain: _Drain = "10s",
    keep: _Keep = "1d",
    remember: _Remember = "30d",
    size: _Size = "2GB",
) -> None:
    """Receive webhooks, and hand on what happened: at least once, and in order within a thread.

    Takes POST /github when GITHUB_WEBHOOK_SECRET is set, and POST /slack when SLACK_SIGNING_SECRET is; while one secret
    replaces another set both, with a space between. Socket Mode needs SLACK_APP_TOKEN. A delivery is answered once it is
    stored, whatever happens downstream.

    Events leave as CloudEvents 1.0 in JSON; one that is repeated has the same id. It is taken when the command ends with
    status 0 or the address answers 2xx, and tried again otherwise. TERTULIA_OUTPUT_TOKEN is sent to the address as a bearer
    token. GET /stats counts everything, GET /healthz says ok, SIGTERM ends it when what is under way is done. TIME is
    written like 90s, 15m, 24h or 7d, SIZE like 500MB.

    \b
    Examples:
        tertulia serve --command 'python handle.py' --only comment_added
        tertulia serve --post https://agents.example/events --port 9000
        tertulia serve --socket-mode --output events.jsonl
    """
    _check_installed()
    from tertulia_cli.serve import _quantities as quantities
    from tertulia_cli.serve._backoff import Backoff
    from tertulia_cli.serve._inbox import Limits
    from tertulia_cli.serve._reading import Reader
    from tertulia_cli.serve._server import Settings, run

    seconds, sources = quantities.seconds, _sources([*(source or []), *(["slack"] if socket_mode else [])])
    settings = Settings(
        hooks=_hooks(needed=not sources),
        sources=sources,
        output=_output(lines, command, post, seconds(timeout, "--timeout"), concurrency, sources.values()),
        inbox=inbox,
        limits=Limits(seconds(keep, "--keep"), seconds(remember, "--remember"), quantities.size(size, "--size")),
        host=host,
        port=port,
        reader=Reader(_wanted(only or []), {} if engine is None else {"github": account(engine, "--engine")}),
        backoff=Backoff(retry_for=seconds(retry_for, "--retry-for")),
        drain=seconds(drain, "--drain"),
    )
    run(settings)


def _check_installed() -> None:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise Failure(f"the receiver needs {', '.join(missing)}", "tertulia serve", "install tertulia-cli[serve]")


def _sources(systems: list[str]) -> dict[str, Source]:
    """Find the sources of these systems, each of which an installed adapter must understand."""
    from tertulia import registry

    sources: dict[str, Source] = {}
    for system in systems:
        with blame("--source", "install an adapter, or leave the option out"):
            sources[system] = registry.source(system)
            registry.normalizer(system, "")
    return sources


def _hooks(*, needed: bool) -> list[Hook]:
    """Give the hooks that are configured, each of which an installed adapter must understand."""
    from tertulia import registry
    from tertulia_cli.serve._hooks import SECRETS, configured

    hooks = configured()
    if needed and not hooks:
        advice = "set the secret of the webhook, or give --socket-mode"
        raise Failure(f"neither {' nor '.join(SECRETS)} is set", "tertulia serve", advice)
    for hook in hooks:
        with blame("tertulia serve", "install an adapter, or unset the secret"):
            registry.normalizer(hook.system, "")
    return hooks


def _wanted(only: list[str]) -> frozenset[str]:
    """Check the words of --only: one that no event can have would leave out everything, and say nothing."""
    from tertulia import registry
    from tertulia.event import TransitionKind

    known = {*get_args(TransitionKind), *(name for one in registry.installed().adapters for name in one.names)}
    unknown = next((word for word in only if word not in known), None)
    if unknown is not None:
        advice = "name a transition, such as comment_added, or what `tertulia adapters --json` lists as events"
        raise Failure(f"'{unknown[:40]}' is nothing that happens", "--only", advice)
    return frozenset(only)


def _output(
    lines: str | None,
    command: str | None,
    post: str | None,
    timeout: float,
    concurrency: int,
    sources: Iterable[Source],
) -> Callable[[], Output]:
    """Choose the one output; it is opened later, when there is a loop to work in.

    A command is told no secret that only receiving needs.
    """
    from tertulia_cli.serve._hooks import SECRETS
    from tertulia_cli.serve._lines import Lines
    from tertulia_cli.serve._post import Post
    from tertulia_cli.serve._process import Command

    if sum(one is not None for one in (lines, command, post)) > 1:
        raise Failure("events go to one place", "tertulia serve", "give --output, --command or --post")
    if command is not None:
        hidden = {*SECRETS, *(setting.name for one in sources for setting in one.settings if setting.secret)}
        return lambda: Command(command, timeout=timeout, concurrency=concurrency, hidden=hidden)
    if post is not None:
        return lambda: Post(post, timeout=timeout, concurrency=concurrency)
    return lambda: Lines(None if lines in (None, "-") else Path(lines))
