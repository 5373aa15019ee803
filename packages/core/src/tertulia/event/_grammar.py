"""The command grammar: one for all adapters, on top of the one scanner."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tertulia._text._lines import unify_lines
from tertulia.event._model import MAX_COMMANDS, MAX_TEXT

if TYPE_CHECKING:
    from tertulia.thread import Account

__all__ = ["Commands", "find_commands"]

_MAYBE = re.compile(r"/(?<![A-Za-z0-9_.:/~-]/)[^\s/0-9]")
"""A command's slash stands behind no letter, digit or piece of a path; most texts with a slash have no such."""
_SHAPED = re.compile(r"[<>`~\[\t]| {4}|^ |^(?:[-*+]|[0-9]{1,9}[.)]) *$", re.MULTILINE)
"""Without one of these a text is as it is written: no quote, no code, no comment, no definition, no tag, no empty item."""
_MENTION = re.compile(r"<@[A-Za-z0-9]{1,64}>")
"""A chat's mention of somebody: to Markdown it is no tag and no address."""
_TO_SOMEBODY = re.compile(r"<@[A-Za-z0-9]{1,64}>[^<\n]*")
"""One line that begins with a mention is a paragraph, and nothing in it is hidden without another `<`."""
_COMMAND = re.compile(r"/[A-Za-z][A-Za-z0-9_-]*[A-Za-z0-9]")
_MAX_COMMAND = 64
_TRAILING = ".,;:!?"


@dataclass(frozen=True, slots=True)
class Commands:
    """What a text asks for.

    `command` is the one on the first visible line, lower-cased with its slash, and `instruction` the rest of that line;
    `commands` lists the commands that stand first on a visible line (at most 100); `addressed` is true when a leading
    mention of the engine was removed.
    """

    command: str | None = None
    instruction: str | None = None
    commands: tuple[str, ...] = ()
    addressed: bool = False

    def matches(self, prefixes: tuple[str, ...]) -> bool:
        """Say whether `command` is ours: a prefix that ends in `-` matches a start, any other the whole; none: any."""
        if self.command is None:
            return False
        if not prefixes:
            return True
        return any(
            self.command.startswith(prefix.lower()) if prefix.endswith("-") else self.command == prefix.lower()
            for prefix in prefixes
        )

    def added_to(self, before: Commands) -> Commands:
        """Keep what an edit added, so that no command runs again because a word beside it was corrected."""
        known = Counter(before.commands)
        fresh: list[str] = []
        for command in self.commands:
            if known[command]:
                known[command] -= 1
            else:
                fresh.append(command)
        changed = self.command is not None and self.command != before.command
        return Commands(
            command=self.command if changed else None,
            instruction=self.instruction if changed else None,
            commands=tuple(fresh),
            addressed=self.addressed and (changed or not before.addressed),
        )


_NOTHING = Commands()


def find_commands(body: str, *, engine: Account | None = None) -> Commands:
    """Read the commands in a text.

    Quoted, fenced and invisible text never carries one, and a line that begins inside a code span does not either. The
    first line that still has visible text decides `command`. Leading mentions of `engine` are taken off first: its login
    with and without `[bot]`, and `<@ID>` for each of its ids.
    """
    if ("/" not in body or _MAYBE.search(body) is None) and (engine is None or "@" not in body):
        return _NOTHING
    leading = _leading(engine.login, engine.id, engine.aliases) if engine is not None else None
    first: tuple[str | None, str | None] | None = None
    commands: list[str] = []
    addressed = False
    for visible, in_code in _spoken(body):
        text, mentioned = _without_mentions(visible, leading)
        if first is None:
            addressed = addressed or mentioned
        command, rest = (None, "") if in_code else _command(text)
        if command is not None and len(commands) < MAX_COMMANDS:
            commands.append(command)
        if first is None and _says_something(text):
            first = command, rest[:MAX_TEXT] or None
    command, instruction = first or (None, None)
    return Commands(command, instruction, tuple(commands), addressed)


def _spoken(body: str) -> Iterable[tuple[str, bool]]:
    """Give the lines that can carry a command, and whether each begins in a code span."""
    text = unify_lines(body)
    if _is_plain(text):
        return [(line, False) for line in text.split("\n")]
    from tertulia._text import scan  # not before a text needs it

    return [(visible, line.in_code) for line, visible in scan(body).spoken()]


def _is_plain(text: str) -> bool:
    """Say whether people see every line of a text as it is written, outside of any quote and any code."""
    return _TO_SOMEBODY.fullmatch(text) is not None or _SHAPED.search(_MENTION.sub("@", text)) is None


@lru_cache(maxsize=64)
def _leading(login: str, ident: str | None, aliases: frozenset[str]) -> re.Pattern[str] | None:
    """Match a mention of an account, with the white space and the comma or colon behind it.

    Case is folded as systems do it, among ASCII letters: a Kelvin sign is no K.
    """
    name = re.escape(login.lower().removesuffix("[bot]"))
    folded = "ai" if name.isascii() else "i"
    names = [rf"(?{folded}:@{name})(?:(?ai:\[bot\])|(?![\w\-\[]))"] if name else []
    names += (f"(?ai:<@{re.escape(one)}>)" for one in sorted(aliases | {ident or ""}) if one)
    return re.compile(rf"(?:{'|'.join(names)})\s*,?:?\s*") if names else None


def _without_mentions(text: str, leading: re.Pattern[str] | None) -> tuple[str, bool]:
    """Take leading mentions off a line."""
    text, place = text.strip(), 0
    while leading is not None and text.startswith(("@", "<"), place):
        found = leading.match(text, place)
        if found is None:
            break
        place = found.end()
    return text[place:], place > 0


def _says_something(text: str) -> bool:
    return "!" <= text[:1] <= "~" or any(
        not char.isspace() and unicodedata.category(char) not in ("Cf", "Cc") for char in text
    )


def _command(text: str) -> tuple[str | None, str]:
    parts = text.split(None, 1)
    while parts and not _says_something(parts[0]):
        parts = parts[1].split(None, 1) if len(parts) > 1 else []
    if not parts:
        return None, ""
    token = parts[0]
    if len(token) > _MAX_COMMAND * 16:
        return None, ""
    if not token.isascii():
        token = "".join(char for char in token if unicodedata.category(char) != "Cf")
    token = token.rstrip(_TRAILING)
    if len(token) > _MAX_COMMAND or _COMMAND.fullmatch(token) is None:
        return None, ""
    return token.lower(), _in_one_line(parts[1]) if len(parts) > 1 else ""


def _in_one_line(text: str) -> str:
    """Write one space where there is white space; most texts have nothing else, and nothing unprintable."""
    return text if text.isprintable() and "  " not in text else " ".join(text.split())
