"""What an answer becomes on its way out: one post, or numbered parts of what is too long for one. Pure."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from tertulia.errors import Invalid

if TYPE_CHECKING:
    from tertulia.outbound import Carrier
    from tertulia.thread import Draft

__all__ = ["MOST", "Answer", "cut", "key_of_body"]

MOST = 20
"""Parts that one answer may have: more of them is a flood, not an answer."""

_NUMBERS = len("(20/20)\n\n")


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold an answer: who gives it, the key that makes it happen once, where a look-up may start, and what it rests on."""

    body: str
    agent: str
    key: str
    since: datetime | None = None
    rev: int | None = None


def cut(answer: Answer, limit: int | None, carrier: Carrier) -> tuple[Draft, ...]:
    """Give the posts an answer needs: one keyed KEY, or parts keyed KEY/1, KEY/2 and so on that begin with `(1/2)`.

    The same answer and limit give the same parts, so that a run that failed goes on where it ended. Raises Invalid for a
    body with nothing to read in it, and for one that needs too many parts.
    """
    from tertulia import outbound
    from tertulia.thread import Draft

    text = outbound.clean(answer.body)
    whole = Draft(body=text, agent=answer.agent, key=answer.key, since=answer.since, rev=answer.rev)
    outbound.prepare(whole, carrier=carrier)
    room = limit - outbound.overhead(whole, carrier=carrier) if limit is not None else len(text)
    if len(text) <= room:
        return (whole,)
    parts = outbound.split(text, room - _NUMBERS)
    if len(parts) > MOST:
        raise Invalid(f"body: {len(text)} characters need {len(parts)} posts, more than {MOST}", field="body")
    count = len(parts)
    return tuple(
        whole.model_copy(update={"body": f"({n}/{count})\n\n{part}", "key": f"{answer.key}/{n}"})
        for n, part in enumerate(parts, start=1)
    )


def key_of_body(thread: str, agent: str, body: str) -> str:
    """Give the key of an answer that no event asked for: the same text in the same thread is one answer."""
    told = json.dumps([thread, agent, body], ensure_ascii=True)
    return hashlib.sha256(told.encode("ascii")).hexdigest()
