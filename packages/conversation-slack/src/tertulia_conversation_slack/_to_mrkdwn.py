"""Markdown in Slack's own markup, for a body that is too long for `markdown_text`. Pure, and linear in the text.

markdown-it-py reads it, as CommonMark with GitHub's tables and strikethrough; what is written is what `_mrkdwn` reads back.
A token that Slack acts on is written for a mention and for an address only, and everything else is escaped: no text of an
agent becomes another token, however it was spelled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import takewhile

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tertulia import outbound
from tertulia.errors import Invalid
from tertulia_conversation_slack._mrkdwn import emphasized, quoted

__all__ = ["to_mrkdwn"]

_MAX_DEPTH = 100
_MARKS = {"strong": "*", "em": "_", "s": "~"}
_JOINER = "\u2060"
_SEAM = "\x02"
_GAP = "\u200b"
_SEAMS = re.compile(rf"{_SEAM}{_SEAM}|(?<=[^\W_]){_SEAM}|{_SEAM}(?=[^\W_])")
_MENTION = re.compile(r"(<(?:@[UW][A-Z0-9]+|#[CDG][A-Z0-9]+|!subteam\^S[A-Z0-9]+)>)")
_ADDRESS = re.compile(r"https?://|mailto:", re.IGNORECASE)
_FENCE = "```"
_FENCE_INSIDE = re.compile("``(?=`)")
_QUOTE_INSIDE = re.compile("^(?=&gt;)", re.MULTILINE)
_LINE = re.compile(r"\n(?=[^\n])")
_WIDENED = 3


def to_mrkdwn(markdown: str) -> str:
    """Convert Markdown. Raises Invalid for blocks that are nested too deep, and when nothing is left to show.

    Headings become bold and tables code, whose columns are aligned; a literal `*`, `_` or `~` that stands where a mark could is
    taken for one, because Slack's markup has no way to escape it.
    """
    try:
        tokens = _parser().parse(markdown)
    except RecursionError:
        raise _too_deep() from None
    if any(token.level >= _MAX_DEPTH - 1 for token in tokens):  # deeper down the parser leaves out what there is
        raise _too_deep()
    text = outbound.clean(_SEAMS.sub(_GAP, _blocks(iter(tokens))))
    if not text.strip():
        raise Invalid("body: has nothing to show in it", field="body")
    return text


@cache
def _parser() -> MarkdownIt:
    """Keep what was escaped apart from text, which alone may hold a mention."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _MAX_DEPTH})
    return parser.enable(["table", "strikethrough"]).disable("text_join")


def _too_deep() -> Invalid:
    return Invalid("body: nests deeper than can be written for Slack", field="body")


def _blocks(tokens: Iterator[Token], *, in_item: bool = False) -> str:
    """Write blocks up to the end of what holds them. In an item a list, code or a quote follows without an empty line."""
    parts: list[str] = []
    for token in takewhile(lambda token: token.nesting >= 0, tokens):
        if parts:
            parts.append("\n" if in_item and token.type not in ("paragraph_open", "heading_open") else "\n\n")
        parts.append(_block(token, tokens))
    return "".join(parts)


def _block(token: Token, tokens: Iterator[Token]) -> str:
    match token.type:
        case "paragraph_open":
            return _QUOTE_INSIDE.sub(_JOINER, _inline(_held(tokens)))
        case "heading_open":
            return emphasized(_inline(_held(tokens), within="*"), "*")
        case "bullet_list_open" | "ordered_list_open":
            return _list(token, tokens)
        case "blockquote_open":
            return _quote(_blocks(tokens))
        case "table_open":
            return _code_block(_table(tokens))
        case "fence" | "code_block":
            return _code_block(token.content)
        case _:
            return _escaped(token.content) or "---"


def _held(tokens: Iterator[Token]) -> Sequence[Token]:
    """Give what a paragraph or a heading holds, and go past its end."""
    inline = next(tokens)
    next(tokens)
    return inline.children or ()


def _list(token: Token, tokens: Iterator[Token]) -> str:
    number = int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else None
    items: list[str] = []
    for place, _ in enumerate(takewhile(lambda token: token.nesting >= 0, tokens)):
        mark = "• " if number is None else f"{number + place}. "
        items.append(mark + _indented(_blocks(tokens, in_item=True), len(mark)))
    return "\n".join(items)


def _indented(text: str, width: int) -> str:
    """Indent the lines behind the first; code stands at the margin, because its lines are shown as they are."""
    pieces = text.split(_FENCE)
    pieces[::2] = [_LINE.sub("\n" + " " * width, piece) for piece in pieces[::2]]
    return _FENCE.join(pieces)


def _quote(text: str) -> str:
    """Quote each line. A code block cannot be quoted: each of its lines becomes a span."""
    pieces = text.split(_FENCE)
    pieces[1::2] = ["\n".join(_span(line) for line in piece.strip("\n").split("\n")) for piece in pieces[1::2]]
    return quoted("".join(pieces))


def _code_block(code: str) -> str:
    return f"{_FENCE}\n{_unfenced(_escaped(code.strip(chr(10))))}\n{_FENCE}"


def _table(tokens: Iterator[Token]) -> str:
    rows: list[list[str]] = []
    for token in takewhile(lambda token: token.type != "table_close", tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_plain(token.children or (), with_urls=True).replace("|", "\\|"))
    return _grid(rows)


def _grid(rows: list[list[str]]) -> str:
    """Align the columns, unless a few wide cells would make all the others wide."""
    widths = [max(3, *map(len, column)) for column in zip(*rows, strict=True)]
    told = sum(max(3, len(cell)) for row in rows for cell in row)
    if sum(widths) * len(rows) > _WIDENED * told:
        widths = [3] * len(widths)
    rows.insert(1, ["-" * width for width in widths])
    return "\n".join(f"| {' | '.join(map(str.ljust, row, widths))} |" for row in rows)


def _inline(tokens: Iterable[Token], *, within: str = "") -> str:
    """Write what a paragraph holds. A mark inside of the same mark is none; a seam is where Slack needs a mark to stand apart."""
    tokens = iter(tokens)
    held = set(within)
    frames: list[tuple[str, list[str]]] = [("", [])]
    for token in tokens:
        parts = frames[-1][1]
        if token.type == "link_open":
            parts.append(_link(str(token.attrs["href"]), _plain(_labelling(tokens))))
        elif token.nesting == 0:
            parts.append(_leaf(token))
        elif token.nesting > 0:
            mark = _MARKS[token.tag]
            frames.append(("", parts) if mark in held else (mark, []))
            held.add(mark)
        else:
            mark, _ = frames.pop()
            if mark:
                held.remove(mark)
                frames[-1][1].append(f"{_SEAM}{emphasized(''.join(parts), mark)}{_SEAM}")
    return _unfenced("".join(frames[0][1]))


def _leaf(token: Token) -> str:
    match token.type:
        case "text":
            pieces = _MENTION.split(token.content)
            return "".join(piece if place % 2 else _escaped(piece) for place, piece in enumerate(pieces))
        case "code_inline":
            return _span(_escaped(token.content))
        case "image":
            return _link(str(token.attrs["src"]), _plain(token.children or ()))
        case "softbreak" | "hardbreak":
            return "\n"
        case _:
            return _escaped(token.content)


def _span(escaped: str) -> str:
    """Write a code span; Slack has none for a text with a backtick in it, or without any."""
    return f"`{escaped}`" if escaped.strip() and "`" not in escaped else escaped


def _link(url: str, label: str) -> str:
    """Write a link. What is no address of the web is told in words: in a token it could be a mention of everybody."""
    if not _ADDRESS.match(url):
        return _escaped(_with_url(label, url))
    shown = " ".join(_escaped(label).split())
    target = _escaped(url)
    return f"<{target}|{shown}>" if shown and shown != target else f"<{target}>"


def _labelling(tokens: Iterator[Token]) -> Iterator[Token]:
    """Give what stands in a link, up to its end: an address may be one of its own."""
    links = 1
    for token in tokens:
        links += (token.type == "link_open") - (token.type == "link_close")
        if links == 0:
            return
        yield token


def _plain(tokens: Iterable[Token], *, with_urls: bool = False) -> str:
    """Give what is read, without marks."""
    tokens = iter(tokens)
    parts: list[str] = []
    for token in tokens:
        match token.type:
            case "link_open":
                label = _plain(_labelling(tokens), with_urls=with_urls)
                parts.append(_with_url(label, str(token.attrs["href"])) if with_urls else label)
            case "image":
                label = _plain(token.children or (), with_urls=with_urls)
                parts.append(_with_url(label, str(token.attrs["src"])) if with_urls else label)
            case "softbreak" | "hardbreak":
                parts.append(" ")
            case _:
                parts.append(token.content)
    return "".join(parts)


def _with_url(label: str, url: str) -> str:
    return f"{label} ({url})" if label and url and label != url else label or url


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _unfenced(text: str) -> str:
    """Let no code block begin or end in a text."""
    return _FENCE_INSIDE.sub("``" + _JOINER, text)
