"""Unicode: what was written is what is read."""

from __future__ import annotations

import pytest

from tertulia.thread import ThreadRef, Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import draft, posted_by, written
from tertulia_contract._marks import needs

__all__ = ["Unicode"]

_TEXTS = {
    "umlauts": "Grüße, niño, Ελλάδα",
    "two forms": "é and e\u0301",
    "emoji": "\U0001f469\u200d\U0001f4bb and \U0001f1ea\U0001f1f8",
    "right to left": "שלום \u2067עולם\u2069",
    "far planes": "𝔘𝔫𝔦 \U0010ffff",
    "long lines": "one\u2028two\u2029three",
    "han": "問題は火曜日に起こる",
    "look-alikes": "раураӏ is not paypal",
}


class Unicode:
    """Hold that a body keeps its characters, in both directions."""

    @pytest.mark.parametrize("text", _TEXTS.values(), ids=_TEXTS)
    async def test_what_an_agent_wrote_is_read_back(self, client: Threads, thread: ThreadRef, text: str) -> None:
        """The body passes through `tertulia.outbound`, which changes no letter of it."""
        await client.post(thread, draft(text))

        (found,) = await posted_by(client, thread)
        assert written(found) == text

    @needs(Ability.SPEAK)
    @pytest.mark.parametrize("text", _TEXTS.values(), ids=_TEXTS)
    async def test_what_a_person_wrote_is_read_as_it_is(
        self, client: Threads, backend: Backend, thread: ThreadRef, text: str
    ) -> None:
        """Read the thread whole: nothing is normalized, so that hidden things can be shown."""
        await backend.say(thread, text)

        assert (await client.read(thread)).messages[1].body == text

    @pytest.mark.parametrize("text", ["half \ud83d", "\ude00 half"])
    async def test_half_of_a_surrogate_pair_is_replaced(self, client: Threads, thread: ThreadRef, text: str) -> None:
        """The body passes through `tertulia.outbound`: half of a surrogate pair, which cannot be sent, becomes U+FFFD."""
        await client.post(thread, draft(text))

        (found,) = await posted_by(client, thread)
        assert "half" in written(found)
        assert "\ufffd" in found.body

    async def test_line_ends_are_line_feeds(self, client: Threads, thread: ThreadRef) -> None:
        """The body passes through `tertulia.outbound`: CRLF and CR become LF."""
        await client.post(thread, draft("one\r\ntwo\rthree"))

        (found,) = await posted_by(client, thread)
        assert written(found) == "one\ntwo\nthree"
