"""Clean, mark and read back: what `post` and `edit` do with a body."""

from __future__ import annotations

import hashlib
import re
from typing import Literal, NamedTuple

from tertulia.errors import Invalid
from tertulia.outbound._outline import Outline
from tertulia.thread import Draft

__all__ = [
    "Carrier",
    "Lines",
    "clean",
    "find_key",
    "key_digest",
    "key_line",
    "marker_line",
    "overhead",
    "parse_lines",
    "prepare",
]

Carrier = Literal["markdown", "none"]
"""Where agent and key travel: in lines of the body, or outside it (Slack metadata, a Jira property)."""

_JOINER = "\u2060"
_SLACK = 64
_CONTROLS = {code: None for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n\r"}
_UNUSABLE = _CONTROLS | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_MASS = re.compile(
    r"(<!)(?=(?:channel|here|everyone|group)(?![^\W_]))|(?<![^\W_])(@)(?=(?:channel|here|everyone)(?![^\W_]))",
    re.IGNORECASE,
)
_AGENT = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_PREFIX = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
_MARKER = re.compile(r"<!-- (\S{0,31}?)agent-([a-z0-9][a-z0-9-]{0,62}) -->")
_KEY = re.compile(r"<!-- tertulia key=([0-9a-f]{32})(?: rev=([1-9][0-9]{0,15}))? -->")
_STATE = re.compile(r"<!-- workflow-state [ -~]+ -->")


class Lines(NamedTuple):
    """Hold what our own lines in a body say: the agent that posted it, the digest of the key, and a ledger's revision."""

    agent: str | None = None
    key: str | None = None
    rev: int | None = None


def prepare(
    draft: Draft,
    *,
    carrier: Carrier,
    marker_prefix: str = "bot-",
    limit: int | None = None,
    replacing: str | None = None,
) -> str:
    """Give the body to send for a draft: cleaned, and on Markdown backends between the host's own two lines.

    `limit` counts code points of the whole. `replacing` is the body an edit replaces: the agent and the key in its lines
    are kept. With a state the body is one sentence between the engine's marker and the state's line. Raises Invalid for a
    body with nothing to read in it or over the limit.
    """
    text = clean(draft.body)
    if not any(char.isprintable() and not char.isspace() for char in text):
        raise Invalid("body: has nothing to read in it", field="body")
    if draft.state is not None:
        body = _with_state(text, draft.state, carrier, marker_prefix)
    else:
        body = text if carrier == "none" else _between(text, draft, marker_prefix, replacing)
    if limit is not None and len(body) > limit:
        raise Invalid(f"body: {len(body)} characters with the host's lines are more than {limit}", field="body")
    return body


def clean(text: str) -> str:
    """Take out of a text what no agent may post; doing it again changes nothing.

    Control characters but tab and line feed go (CRLF and CR become LF), `<!--` becomes `&lt;!--`, and mass mentions get
    a word joiner. Half of a surrogate pair, which cannot be sent, becomes U+FFFD.
    """
    text = text.translate(_UNUSABLE).replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace("<!--", "&lt;!--")
    return _MASS.sub(lambda found: found[0] + _JOINER, text)


def marker_line(agent: str, *, marker_prefix: str = "bot-") -> str:
    """Write the first line of a post: which agent it is from."""
    if not _AGENT.fullmatch(agent):
        raise Invalid("agent: must match [a-z0-9][a-z0-9-]{0,62}", field="agent")
    if not _PREFIX.fullmatch(marker_prefix):
        raise Invalid("marker_prefix: must match [a-z0-9][a-z0-9-]{0,30}", field="marker_prefix")
    return f"<!-- {marker_prefix}agent-{agent} -->"


def key_line(key: str, rev: int | None = None) -> str:
    """Write the last line of a post: the digest of the key that makes it happen once, and the revision it rests on."""
    return _digest_line(key_digest(key), rev)


def key_digest(key: str) -> str:
    """Give what stands for a key in a post: the first 32 hexadecimal digits of its SHA-256."""
    if not key:
        raise Invalid("key: is empty", field="key")
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def find_key(body: str) -> str | None:
    """Give the key digest in a body's last line, to compare with `key_digest`; None without one."""
    return parse_lines(body).key


def parse_lines(body: str, *, marker_prefix: str = "bot-") -> Lines:
    """Read our own first and last line back. They prove nothing: look at the account that posted them first.

    Backends may have changed the line ends to CRLF and taken off or added white space at the end.
    """
    body = body.rstrip()
    first, last = body.partition("\n")[0].rstrip(), body.rpartition("\n")[2]
    marker, key = _MARKER.fullmatch(first), _KEY.fullmatch(last)
    agent = marker[2] if marker is not None and marker[1] == marker_prefix else None
    if key is None:
        return Lines(agent)
    return Lines(agent, key[1], int(key[2]) if key[2] is not None else None)


def overhead(draft: Draft, *, carrier: Carrier, marker_prefix: str = "bot-") -> int:
    """Give how much of a limit to keep free for what `prepare` adds to a part of a split body."""
    if carrier == "none":
        return _SLACK
    key = key_line(draft.key, draft.rev) if draft.key is not None else ""
    return _SLACK + len(marker_line(draft.agent, marker_prefix=marker_prefix)) + len(key)


def _between(text: str, draft: Draft, marker_prefix: str, replacing: str | None) -> str:
    kept = parse_lines(replacing, marker_prefix=marker_prefix) if replacing is not None else Lines()
    digest = kept.key or (key_digest(draft.key) if draft.key is not None else None)
    rev = kept.rev if kept.key is not None else draft.rev
    parts = [marker_line(kept.agent or draft.agent, marker_prefix=marker_prefix), _sealed(text)]
    return "\n".join([*parts, "", _digest_line(digest, rev)] if digest is not None else parts)


def _with_state(text: str, state: str, carrier: Carrier, marker_prefix: str) -> str:
    """Write exactly three lines: whose they are, a sentence, and the state."""
    if carrier == "none":
        raise Invalid("state: does not fit a message of this backend: keep it elsewhere", field="state")
    if not _STATE.fullmatch(state) or state.count("-->") > 1:
        raise Invalid("state: is not the line of a state", field="state")
    return f"{_terminal_line(marker_prefix)}\n{' '.join(text.split())}\n{state}"


def _terminal_line(marker_prefix: str) -> str:
    if not _PREFIX.fullmatch(marker_prefix):
        raise Invalid("marker_prefix: must match [a-z0-9][a-z0-9-]{0,30}", field="marker_prefix")
    return f"<!-- {marker_prefix}workflow-terminal -->"


def _digest_line(digest: str, rev: int | None) -> str:
    return f"<!-- tertulia key={digest}{f' rev={rev}' if rev is not None else ''} -->"


def _sealed(text: str) -> str:
    """End what would go on past the text: an open fence is closed, an HTML block without an end does not begin."""
    lines = text.strip("\n").rstrip().split("\n")
    outline = Outline(lines)
    written = [outline.feed(line) for line in lines]
    if outline.fence is not None and outline.depth == 0:
        written.append(outline.fence.mark)
    return "\n".join(written)
