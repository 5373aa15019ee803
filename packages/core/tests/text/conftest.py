"""A browser's view of rendered Markdown, and the account that commands are addressed to."""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from markdown_it import MarkdownIt

from tertulia.thread import Account

_OPENING = re.compile(r"<!--(-?>)?|<[!?]|</(?![A-Za-z])|</?[A-Za-z]")
_COMMENT_END = re.compile(r"--!?>")
_IN_TAG = re.compile(r"""=[ \t\n]*"[^"]*("|$)|=[ \t\n]*'[^']*('|$)|>""")


class Page(NamedTuple):
    """What of a page a reader sees, what stands in its comments, and what in its tags."""

    visible: str
    comments: str
    tags: str


@pytest.fixture(scope="session")
def browse() -> Callable[[str], Page]:
    """Read Markdown as a reader of a page does: rendered to HTML, and that read by a browser."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")

    def read(body: str) -> Page:
        html = markdown.render(body)
        assert isinstance(html, str)
        return _read(html)

    return read


def _read(html: str) -> Page:
    """Tell text, comments and tags apart as HTML's tokenizer does (no script, style, textarea or title in it)."""
    parts: dict[str, list[str]] = {"visible": [], "comments": [], "tags": []}
    place = 0
    while (found := _OPENING.search(html, place)) is not None:
        parts["visible"].append(html[place : found.start()])
        place = _end(html, found)
        kind = "comments" if found.group()[1] in "!?" or found.group() == "</" else "tags"
        parts[kind].append(html[found.start() : place])
    parts["visible"].append(html[place:])
    return Page(*("\0".join(part) for part in parts.values()))


def _end(html: str, found: re.Match[str]) -> int:
    """Give where what opens here ends; what does not end runs to the end of the page."""
    if found.group(1) is not None:
        return found.end()
    if found.group() == "<!--":
        close = _COMMENT_END.search(html, found.end())
        return close.end() if close else len(html)
    if found.group() in ("<!", "<?", "</"):
        return html.find(">", found.end()) + 1 or len(html)
    return next((part.end() for part in _IN_TAG.finditer(html, found.end()) if part.group() == ">"), len(html))


@pytest.fixture(scope="session")
def engine() -> Account:
    """Give the account that works for the people of a thread."""
    return Account(id="U500", login="Scribe[bot]", kind="bot", aliases=frozenset({"B7", "A9"}))


@pytest.fixture(scope="session")
def numbered() -> Callable[[list[str]], tuple[str, list[str]]]:
    """Make a text of fragments, a word of its own for every `%`, and give it with the words."""

    def number(fragments: list[str]) -> tuple[str, list[str]]:
        pieces = "".join(fragments).split("%")
        words = [f"w{place}x" for place in range(len(pieces) - 1)]
        return "".join(piece + word for piece, word in zip(pieces, [*words, ""], strict=True)), words

    return number
