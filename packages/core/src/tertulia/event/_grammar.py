"""The command grammar: one for all adapters, on top of the one scanner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertulia.thread import Account

__all__ = ["Commands", "find_commands"]


@dataclass(frozen=True, slots=True)
class Commands:
    """What a text asks for.

    `command` is the one on the first visible line, lower-cased with its slash, and `instruction` the rest of that line;
    `commands` lists every command that stands first on a visible line; `addressed` is true when a leading mention of
    the engine was removed.
    """

    command: str | None = None
    instruction: str | None = None
    commands: tuple[str, ...] = ()
    addressed: bool = False

    def matches(self, prefixes: tuple[str, ...]) -> bool:
        """Say whether `command` is one of ours: a prefix that ends in `-` matches a start, any other the whole; none: any."""
        if self.command is None:
            return False
        if not prefixes:
            return True
        return any(
            self.command.startswith(prefix.lower()) if prefix.endswith("-") else self.command == prefix.lower()
            for prefix in prefixes
        )


def find_commands(body: str, *, engine: Account | None = None) -> Commands:
    """Read the commands in a text; quoted, fenced and invisible text never carries one."""
    raise AssertionError("being written")
