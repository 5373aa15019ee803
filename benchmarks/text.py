"""Show that reading a text costs no more than linear time, whatever an author writes: `python benchmarks/text.py`.

Each pattern is repeated to 16 kB and to 64 kB and read by everything that reads a text. A row shows, for each reader, how
much longer four times the text takes. The exit status is 1 when a ratio is over 5.
"""

import gc
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

from tertulia._text import clean, clean_characters, excerpt, find_marker, scan
from tertulia.event import find_commands
from tertulia.ledger import Run, build_context
from tertulia.thread import Account, Listing, Message

START = datetime(2026, 10, 1, tzinfo=UTC)
SMALL, LARGE = 16_384, 65_536
LIMIT = 5.0
ROUNDS = 3

PATTERNS = {
    "words": "some words and more\n",
    "one line": "some words ",
    "line feeds": "\n",
    "blank pairs": "a\n\n",
    "tabs": "\t",
    "spaces": " ",
    "quote marks": "> ",
    "deep quotes": "> " * 60 + "\n",
    "quote, lazy": "> " * 30 + "a\nb\n",
    "bullets": "- ",
    "nested items": "- a\n  ",
    "items": "- a\n",
    "empty items": "-\n",
    "deep, then blank": "- " * 99 + "a\n" + "\n" * 200,
    "numbers": "1. a\n\n",
    "quotes and bullets": "> - ",
    "footnotes": "[^a]: x\n",
    "nested footnotes": "[^a]:",
    "open footnotes": "[^a",
    "rules": "* * *\n",
    "almost rules": "* * * * a\n",
    "one long rule": "* ",
    "underlines": "a\n===\n",
    "headings": "# a\n",
    "fences": "```\n",
    "open fence": "~~~a\n",
    "almost fences": "``` `\n",
    "indented": "    a\n",
    "tables": "|a|\n|-|\n",
    "rows": "a|b\n-|-\na|b\n",
    "almost tables": "a|b\n-\n|-|\n",
    "wide table": "a|",
    "wide delimiters": "-|",
    "escaped pipes": "\\|",
    "comments": "<!-- a -->",
    "open comments": "<!--",
    "short comments": "<!-->",
    "nested comments": "<!-- <!-- --> ",
    "comment ends": "-->",
    "comment lines": "<!-- a\n",
    "comments and ends": "<!---->",
    "comments in quotes": "> <!--\n\n",
    "instructions": "<?",
    "instructions, ended": "<?a?>",
    "instructions in one": "<?<!-- ",
    "declarations": "<!x ",
    "declarations, ended": "<!x>",
    "sections": "<![CDATA[",
    "bogus": "</1",
    "blocks": "<div>\n",
    "blocks, commented": "<div>\n<!-- a\n",
    "raw blocks": "<pre>\n",
    "raw ends": "</pre>\n",
    "angles": "<",
    "open tags": "<a ",
    "attributes": "<a b ",
    "open values": '<a b="',
    "two kinds of values": "<a b='<c d=\"",
    "values": "<a b='c'>",
    "tags over lines": "<a\n",
    "autolinks": "<ab:",
    "mail": "<a@",
    "mail domains": "<a@b.",
    "ticks": "`",
    "lone ticks": "a`",
    "ticks of two kinds": "` `` ",
    "growing ticks": "".join("`" * count + " " for count in range(1, 180)),
    "escapes": "\\`",
    "brackets": "[",
    "bracket ends": "]",
    "links": "[a](b)",
    "open links": "[a](",
    "destinations": "[](a",
    "parentheses": "[a](((((",
    "titles": '[a](b "',
    "single titles": "[a](b '",
    "titles in parentheses": "[a](b (",
    "escaped titles": '[a](b "\\"',
    "angle destinations": "[a](<b",
    "full references": "[a][",
    "references": "[a][b]",
    "nested labels": "[[",
    "images": "![",
    "images in images": "![a](b)![",
    "links in links": "[[a](b)",
    "definitions": "[a]: b\n",
    "definitions apart": "[a]: b\n\n",
    "definitions with titles": "[a]: b\n'c'\n",
    "open definition titles": '[a]: b\n"x\n',
    "definitions in parentheses": "[a]: b (",
    "angle definitions": "[a]: <",
    "labels": "[a\n",
    "uses": "[a] [b]\n\n[a]: c\n\n",
    "bare links": "http://a/`",
    "www": "www.",
    "joiners": "\u0645\u200c",
    "families": "\U0001f469\u200d",
    "tag characters": "\U000e0041",
    "selectors": "\u2600\ufe0f",
    "combining": "e\u0301",
    "line separators": "\u2028",
    "commands": "/ab cd\n",
    "slashes": "/",
    "mentions": "@bot ",
    "mention lines": "@bot /ab\n",
    "ids": "<@7>",
    "markers": "<!-- bot-agent-a -->\n",
    "almost markers": "<!-- bot-agent-a --> b\n",
    "markers in a quote": "> <!-- bot-agent-a -->\n",
    "schemes": "a://",
    "javascript": "javascript:",
    "pictures": "<img ",
    "picture texts": "<img alt='",
}

ENGINE, TRIGGER, OUTSIDER = (Account(id=str(number), login=login) for number, login in enumerate(("bot", "ana", "eve")))
RUN = Run(engine=ENGINE, trigger_author=TRIGGER)


def told(body: str) -> object:
    """Make a context of the same text by the engine's agent, by who started the run, and by an outsider."""
    said = ((ENGINE, f"<!-- bot-agent-a -->\n{body}"), (TRIGGER, body), (OUTSIDER, body))
    return build_context(Listing(messages=tuple(_message(number, *one) for number, one in enumerate(said))), (), RUN)


def _message(number: int, author: Account, body: str) -> Message:
    return Message(
        id=str(number), source_type="issue_comment", author=author, association="OWNER", created_at=START, body=body
    )


READERS: dict[str, Callable[[str], object]] = {
    "scan": scan,
    "clean": clean,
    "characters": clean_characters,
    "excerpt": excerpt,
    "commands": lambda body: find_commands(body + "\n/x @bot", engine=ENGINE),
    "marker": lambda body: find_marker(body + "<!-- bot-"),
    "context": told,
}


def seconds(read: Callable[[str], object], body: str) -> float:
    """Give the shortest of a few runs, in seconds of processor time."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        read(body)
        times.append(time.process_time() - start)
        if times[-1] > 0.5:
            break
    return min(times)


def ratio(read: Callable[[str], object], pattern: str) -> float:
    """Say how much longer four times the text takes; what takes less than a fifth of a millisecond counts as that."""
    small, large = ((pattern * (size // len(pattern) + 1))[:size] for size in (SMALL, LARGE))
    return max(seconds(read, large), 0.0002) / max(seconds(read, small), 0.0002)


def main() -> int:
    """Print the table; say whether a ratio is over the limit."""
    gc.disable()
    worst = 0.0
    print(f"{'pattern':28}" + "".join(f"{name:>12}" for name in READERS))
    for name, pattern in PATTERNS.items():
        ratios = [ratio(read, pattern) for read in READERS.values()]
        ratios = [
            ratio(read, pattern) if first > LIMIT else first
            for first, read in zip(ratios, READERS.values(), strict=True)
        ]
        worst = max(worst, *ratios)
        print(f"{name:28}" + "".join(f"{value:11.1f}{'!' if value > LIMIT else ' '}" for value in ratios), flush=True)
        gc.collect()
    print(f"\n4 times the text takes {worst:.1f} times as long at most; the limit is {LIMIT:.0f}.")
    return 1 if worst > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
