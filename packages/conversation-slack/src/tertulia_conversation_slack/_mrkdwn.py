"""What people write in Slack's own markup, as Markdown. Pure, and linear in the text.

Slack escapes `&`, `<` and `>` and nothing else, so a `<` begins a token (`<@U1>`, `<https://x|label>`). Tokens are read
first, and entities are decoded once afterwards: what was escaped never becomes a token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["broadcast", "decoded", "emphasized", "fenced", "from_mrkdwn", "joined", "link", "quoted", "spanned"]

_SPECIAL = re.compile(r"[<&*_~`•◦▪■]")
_TICKS = re.compile(r"`+")
_TOKEN = re.compile(r"<([^<>\n]*)>")
_FENCE = re.compile(r"```(.+?)```", re.DOTALL)
_REST_QUOTED = re.compile(r"^&gt;&gt;&gt;", re.MULTILINE)
_BULLET = re.compile(r"([ \t\u00a0]*)[•◦▪■]\ufe0e?[ \t\u00a0]*")
_MARKS = {"*": "**", "_": "_", "~": "~~"}
_BROADCASTS = frozenset({"here", "channel", "everyone", "group"})
_BREAKS = re.compile(r"[\s()]")
_AS_TYPED = ("http://", "https://", "mailto:", "tel:")


def _emphasis(mark: str) -> str:
    """Match `*bold*`: it neither touches a word outside nor begins or ends with white space, and takes tokens whole."""
    m = re.escape(mark)
    inner = rf"(?:[^{m}\n<`]++|<[^<>\n]*+>|`[^`\n]++`)++"
    return rf"(?<![\w{m}]){m}(?!\s)(?P<{_GROUPS[mark]}>{inner})(?<!\s){m}(?![\w{m}])"


_GROUPS = {"*": "bold", "_": "italic", "~": "strike"}
_MARK_OF = {group: mark for mark, group in _GROUPS.items()}
_INLINE = re.compile(
    "|".join((r"`(?P<code>[^`\n]+)`", r"<(?P<token>[^<>\n]*)>", *(_emphasis(mark) for mark in _GROUPS)))
)


def from_mrkdwn(text: str) -> str:
    """Write mrkdwn as Markdown: emphasis, code, quotes, bullets, links and mentions, what is escaped decoded once."""
    if _SPECIAL.search(text) is None:
        return text
    rest = next((found for found in _REST_QUOTED.finditer(text) if text.count("```", 0, found.start()) % 2 == 0), None)
    if rest is not None:
        return joined([_blocks(text[: rest.start()]), quoted(_blocks(text[rest.end() :].removeprefix(" ")))])
    return _blocks(text)


def _blocks(text: str) -> str:
    """Put code blocks on lines of their own, and convert what is between them."""
    pieces = _FENCE.split(text)
    if len(pieces) == 1:
        return "\n".join(_lines(text))
    parts = (
        fenced(_literal(piece)) if number % 2 else "\n".join(_lines(piece.strip("\n")))
        for number, piece in enumerate(pieces)
    )
    return "\n".join(part for part in parts if part.strip())


def _lines(text: str) -> Iterator[str]:
    """Convert each line. A quote or a list ends with its line, which in Markdown takes an empty one."""
    before = ""
    for line in text.split("\n"):
        kind, made = _line(line)
        if before and kind != before and made.strip():
            yield ""
        yield made
        before = kind


def _line(line: str) -> tuple[str, str]:
    bullet = _BULLET.match(line)
    if bullet is not None:
        return "list", f"{bullet[1]}- {_inline(line[bullet.end() :])}"
    return "quote" if line.startswith("&gt;") else "", _inline(line)


def _inline(text: str) -> str:
    parts: list[str] = []
    place = 0
    for found in _INLINE.finditer(text):
        parts += decoded(text[place : found.start()]), _converted(found)
        place = found.end()
    parts.append(decoded(text[place:]))
    return "".join(parts)


def _converted(found: re.Match[str]) -> str:
    kind = found.lastgroup or ""
    inner = found[kind]
    match kind:
        case "code":
            return spanned(_literal(inner))
        case "token":
            return _token(inner)
        case _:
            return emphasized(_inline(inner), _MARKS[_MARK_OF[kind]])


def _token(inner: str) -> str:
    target, _, label = (decoded(part) for part in inner.partition("|"))
    match target[:1]:
        case "@":
            return f"<{target}>"
        case "#":
            return f"#{label}" if label else f"<{target}>"
        case "!":
            return _special(target, label)
        case _:
            return link(target, label)


def _special(target: str, label: str) -> str:
    name = target[1:].partition("^")[0]
    if name in _BROADCASTS:
        return broadcast(name)
    if name == "subteam" and label:
        return f"@{label.removeprefix('@')}"
    return label or f"<{target}>"


def _literal(code: str) -> str:
    """Give what code shows: Slack writes tokens in it too, and shows their labels."""
    pieces = _TOKEN.split(code)
    return "".join(_shown(piece) if number % 2 else decoded(piece) for number, piece in enumerate(pieces))


def _shown(inner: str) -> str:
    target, _, label = (decoded(part) for part in inner.partition("|"))
    return label or (f"<{target}>" if target[:1] in ("@", "#", "!") else target)


def decoded(text: str) -> str:
    """Decode the three entities Slack writes, once: an ampersand that was one decodes nothing."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") if "&" in text else text


def broadcast(name: str) -> str:
    """Write a mention of everybody in a channel."""
    return f"@{name}"


def link(url: str, label: str) -> str:
    """Write a link; one that Slack made of what somebody typed becomes what was typed."""
    if not label or not url or label == url:
        return url or label
    scheme, typed = url.removesuffix("/"), label.removesuffix("/")
    if scheme.endswith(typed) and scheme.removesuffix(typed) in _AS_TYPED:
        return label
    shown = label.replace("[", "\\[").replace("]", "\\]")
    return f"[{shown}](<{url}>)" if _BREAKS.search(url) else f"[{shown}]({url})"


def emphasized(text: str, mark: str) -> str:
    """Put a mark around each line of a text, with the white space outside, where Markdown wants it."""
    return "\n".join(_marked(line, mark) for line in text.split("\n"))


def _marked(line: str, mark: str) -> str:
    inner = line.strip()
    return line.replace(inner, f"{mark}{inner}{mark}", 1) if inner else line


def spanned(code: str) -> str:
    """Write a code span, in as many backticks as it needs."""
    ticks = "`" * (_longest_run(code) + 1)
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{ticks}{pad}{code}{pad}{ticks}"


def fenced(code: str) -> str:
    """Write a code block, in a fence longer than any in it."""
    fence = "`" * max(3, _longest_run(code) + 1)
    return f"{fence}\n{code.strip(chr(10))}\n{fence}"


def _longest_run(code: str) -> int:
    return max((len(run) for run in _TICKS.findall(code)), default=0) if "`" in code else 0


def quoted(text: str) -> str:
    """Write a text as a quote."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def joined(parts: list[str]) -> str:
    """Write blocks one after another, with an empty line between them."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())
