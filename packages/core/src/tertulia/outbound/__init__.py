"""Make an agent's text safe to post, and mark it as ours. Every `post` and `edit` calls `prepare`.

What an agent wrote may be steered by whoever it read. So it carries no control characters, no HTML comment (no marker, no
state block, no key) and no mention of a whole channel; other mentions stay. On Markdown backends our own first and last
line are added after that, and nothing before them can swallow them.
"""

from tertulia.outbound._prepare import (
    Carrier,
    Lines,
    clean,
    find_key,
    key_digest,
    key_line,
    marker_line,
    overhead,
    parse_lines,
    prepare,
)
from tertulia.outbound._split import split

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
    "split",
]
