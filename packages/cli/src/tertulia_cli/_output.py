"""Everything on its way out. What people wrote is data: it reaches no terminal and no workflow runner as a command.

C0 but tab and line feed, DEL and C1 are removed from text. Under GitHub Actions text is bracketed by
`::stop-commands::RANDOM`, unless it goes to a file. JSON needs no bracket: no line of it begins with `::`, and inside
its strings `##[`, which a runner takes for a command anywhere in a line, is escaped as are DEL, C1, the line and
paragraph separators, bidirectional controls and lone surrogates.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from tertulia_cli._failure import Failure

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

__all__ = [
    "NobodyReads",
    "clean",
    "colourful",
    "dumps",
    "error_line",
    "error_text",
    "finish",
    "is_terminal",
    "note",
    "one_line",
    "plain",
    "prepare",
    "print_json",
    "print_rich",
    "print_text",
    "safe_json",
    "width",
]

PIPED_WIDTH = 100
"""Columns of a table that does not go to a terminal; `COLUMNS` says otherwise."""
NARROWEST = 64
"""Columns a table needs; a terminal with fewer breaks the lines itself."""

_LONGEST_LINE = 1_000
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_PADDING = re.compile(" +$", re.MULTILINE)
_UNSAFE_IN_JSON = re.compile("##(?=\\[)|[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class NobodyReads(Exception):
    """Say that the reader of standard output has gone, as `head` does when it has enough."""


def prepare() -> None:
    """Make the standard streams UTF-8 with plain line feeds, whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def clean(text: str) -> str:
    """Remove C0 but tab and line feed, DEL and C1."""
    return _CONTROL.sub("", text)


def plain(text: str) -> str:
    """Keep a word of somebody else on one line, without what cannot be seen."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def one_line(text: str) -> str:
    """Make text printable on one line: white space becomes spaces, what cannot be seen becomes an escape."""
    line = " ".join(text[: _LONGEST_LINE * 4].split())
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in line)
    line = line.replace("##[", "#\\#[")
    return line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"


def is_terminal(stream: IO[str] | None) -> bool:
    """Tell whether a person looks at the stream."""
    return stream is not None and not stream.closed and stream.isatty()


def colourful() -> bool:
    """Tell whether standard output may carry colour: a terminal that is not dumb, and no `NO_COLOR`."""
    return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Count the columns of the terminal, or of a page when there is none."""
    return max(shutil.get_terminal_size((PIPED_WIDTH, 0)).columns, NARROWEST)


def error_line(text: str) -> None:
    """Print one line to standard error; where nobody can be told, the exit status says it."""
    with suppress(Failure, NobodyReads):
        _put(one_line(text) + "\n", sys.stderr)


def note(text: str) -> None:
    """Tell on standard error, in one line, what a person should know about a result."""
    error_line(f"note: {text}")


def error_text(text: str) -> None:
    """Print text of several lines to standard error."""
    with suppress(Failure, NobodyReads):
        _write(_ended(clean(text)), sys.stderr)


def print_text(text: str) -> None:
    """Print text, cleaned and with a line feed at its end."""
    _write(_ended(clean(text)), sys.stdout)


def print_json(document: Any, *, indented: bool | None = None) -> None:
    """Print a JSON document: indented on a terminal, else on one line, unless told."""
    _put(dumps(document, indented=is_terminal(sys.stdout) if indented is None else indented) + "\n", sys.stdout)


def finish() -> None:
    """Hand over what is still held back, so that an error in it is seen."""
    _put("", sys.stdout)


def dumps(document: Any, *, indented: bool) -> str:
    """Write JSON in UTF-8, with everything a terminal or a runner could take for more than text escaped."""
    return safe_json(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2 if indented else None))


def safe_json(written: str) -> str:
    """Escape in JSON everything a terminal or a runner could take for more than text."""
    if written.isascii() and "##[" not in written and "\x7f" not in written:
        return written
    return _UNSAFE_IN_JSON.sub(_escaped, written)


def print_rich(*parts: RenderableType) -> None:
    """Print texts and tables, made of what is clean already: in colour and wrapped on a terminal, else as they are."""
    _write("".join(_ended(_rendered(part)) for part in parts), sys.stdout)


def _rendered(part: RenderableType) -> str:
    """Lay out one part. Tables are padded with spaces, which only a terminal may have; a text stays as it is."""
    from rich.text import Text

    console, is_text = _console(), isinstance(part, Text)
    with console.capture() as captured:
        console.print(part, soft_wrap=is_text and not is_terminal(sys.stdout))
    made = captured.get()
    return made if is_text or colourful() else _PADDING.sub("", made)


def _console() -> Console:
    from rich.console import Console

    colours = colourful()
    return Console(
        file=io.StringIO(),
        width=width(),
        force_terminal=colours,
        color_system="auto" if colours else None,
        markup=False,
        highlight=False,
        emoji=False,
        force_jupyter=False,
        legacy_windows=False,
    )


def _write(text: str, stream: IO[str] | None) -> None:
    if os.environ.get("GITHUB_ACTIONS") == "true":
        word = _word_not_in(text)
        text = f"::stop-commands::{word}\n{text}::{word}::\n"
    _put(text, stream)


def _word_not_in(text: str) -> str:
    import secrets

    word = secrets.token_hex(16)
    return word if word not in text else _word_not_in(text)


def _put(text: str, stream: IO[str] | None) -> None:
    try:
        if stream is None or stream.closed:
            raise OSError("it is closed")
        stream.write(text)
        stream.flush()
    except OSError as error:
        _abandon(stream)
        if isinstance(error, BrokenPipeError):
            raise NobodyReads from error
        told = f"cannot print: {error.strerror or error}"
        raise Failure(told, "standard output", "free it, or send the result to a file") from error


def _abandon(stream: IO[str] | None) -> None:
    """Send what is still held back nowhere, or the interpreter complains when it hands it over at the end."""
    with suppress(OSError, ValueError), open(os.devnull, "w") as nowhere:
        if stream is not None:
            os.dup2(nowhere.fileno(), stream.fileno())


def _ended(text: str) -> str:
    return text if text.endswith("\n") or not text else text + "\n"


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"\\u{ord(c):04x}" for c in match.group())
