"""The entry of the command: what it offers, and how it ends.

Exit status: 0 done (also when an event was ignored), 1 a bug, 2 bad usage or bad input, 3 refused by a backend (denied,
not found, changed meanwhile), 4 a backend that is unavailable or limits the rate, 130 interrupted. A reader that stops
reading (`| head`) ends it quietly with 0.
"""

from __future__ import annotations

import atexit
import gc
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer
from typer.main import get_command

from tertulia import errors
from tertulia_cli._failure import BAD_INPUT, Failure, describe, of_bug, of_error
from tertulia_cli._logs import logs
from tertulia_cli._output import NobodyReads, error_line, error_text, finish, prepare, print_text

__all__ = ["main"]

_INTERRUPTED = 130

_COMMANDS = {
    "normalize": "_normalize",
    "context": "_context",
    "reply": "_reply",
    "schema": "_schema",
    "adapters": "_adapters",
    "doctor": "_doctor",
    "demo": "_demo",
    "ledger": "_ledger",
    "serve": "serve",
}
"""The module of each command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit status; whatever goes wrong is one line on standard error.

    Without `arguments` it is a program of its own, and takes them from `sys.argv`.
    """
    if arguments is None:
        _collect_nothing()
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given[: given.index("--")] if "--" in given else "--debug" in given
    prepare()
    try:
        with logs(shown=debug):
            return _run(_without_debug(given))
    except NobodyReads:
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:
        return _report(error, debug)


def _run(given: list[str]) -> int:
    status = get_command(_app(given)).main(given, prog_name="tertulia", standalone_mode=False)
    finish()
    return int(status or 0)


def _collect_nothing() -> None:
    """Spare a short run the garbage collector.

    What it makes lives until its end; looking for cycles in that, then too, is a sixth of what `normalize` takes.
    """
    gc.disable()
    atexit.register(gc.freeze)


def _without_debug(given: list[str]) -> list[str]:
    end = given.index("--") if "--" in given else len(given)
    return [argument for argument in given[:end] if argument != "--debug"] + given[end:]


def _app(given: list[str]) -> typer.Typer:
    """Build the command that is asked for, or when that is not clear all of them: building takes longer than running."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback(invoke_without_command=True)(_tertulia)
    for name in given[:1] if given[:1] and given[0] in _COMMANDS else _COMMANDS:
        import_module(f"tertulia_cli.{_COMMANDS[name]}").register(app)
    return app


def _tertulia(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error; works with every command.")
    ] = False,
) -> None:
    """Let AI agents take part where people already talk about work.

    Turn a native event into a normalized one, a thread into what an agent may read of it, and why, and post the answer
    once.

    \b
    Examples:
        tertulia demo
        tertulia normalize event.json --name issue_comment
        tertulia context https://github.com/acme/demo/issues/7
        tertulia reply --event event.json --agent helper --body answer.md
    """
    if version:
        from importlib.metadata import version as installed

        print_text(f"tertulia {installed('tertulia-cli')}")
    elif ctx.invoked_subcommand is None:
        print_text(ctx.get_help())


def _report(error: Exception, debug: bool) -> int:
    failure = _failure(error)
    if debug:
        error_text(traceback.format_exc())
    error_line(describe(failure))
    return failure.status


def _failure(error: Exception) -> Failure:
    if isinstance(error, Failure):
        return error
    if isinstance(error, errors.Error):
        return of_error(error, error.operation or "tertulia")
    if isinstance(error, typer.TyperException):
        where = getattr(getattr(error, "ctx", None), "command_path", "tertulia")
        return Failure(error.format_message().rstrip("."), where, f"see `{where} --help`", status=BAD_INPUT)
    return of_bug(error)
