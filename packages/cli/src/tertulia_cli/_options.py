"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

__all__ = [
    "AsJson",
    "Detail",
    "Engine",
    "EventFile",
    "Output",
    "Pins",
    "PolicyFile",
    "Prefixes",
    "Scoped",
    "TriggerAuthor",
    "Window",
]

Window = Annotated[int | None, typer.Option(help="The last N relevant records; 0 is all of them.")]
Scoped = Annotated[
    Literal["thread", "conversation"] | None,
    typer.Option("--scope", help="One thread, or all of its conversation; by default a chat by the thread."),
]
Pins = Annotated[list[str] | None, typer.Option(metavar="REF", help="Keep this record beside the window; repeatable.")]
TriggerAuthor = Annotated[
    str | None,
    typer.Option(metavar="ID|LOGIN", help="Who started the run; a login is compared as such and not looked up."),
]
Engine = Annotated[str | None, typer.Option(metavar="ID|LOGIN", help="The account the agent posts as.")]
Prefixes = Annotated[
    list[str] | None, typer.Option(metavar="P", help="Count only these as commands: /ask, or /ask- for a start.")
]
PolicyFile = Annotated[str | None, typer.Option(metavar="FILE.json", help="Options of the policy, by name.")]
Detail = Annotated[
    Literal["excerpt", "meta"] | None, typer.Option(help="What an unverified line shows beside who and when.")
]
Output = Annotated[str | None, typer.Option(metavar="FILE", help="Write the result there, whole or not at all.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
EventFile = Annotated[
    str | None,
    typer.Option(
        "--event", metavar="FILE|-", help="A normalized event, as `normalize` prints it or `serve` hands it on."
    ),
]
