"""What Slack says about the people in a thread: asked once for each of them, and again when it may have changed."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping

from tertulia.errors import Denied, NotFound
from tertulia.parsing import as_object
from tertulia_conversation_slack._api import Call
from tertulia_conversation_slack._convert import STRANGER, Member, association
from tertulia_conversation_slack._reading import together

__all__ = ["Roster"]

_log = logging.getLogger("tertulia.conversation_slack")
_KEPT = 300.0
"""Seconds for which an answer holds: a membership that was taken away shows within five minutes."""


class Roster:
    """Know the members of the home workspace; whoever cannot be looked up is nobody we know, and the log says so."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, Member]] = {}

    async def look_up(self, users: Collection[str], home: str, call: Call, now: float) -> Mapping[str, Member]:
        """Give what is known about users, and ask for the others."""
        missing = [user for user in users if user not in self._known or now - self._known[user][0] >= _KEPT]
        for user, member in zip(missing, await together(_ask(user, home, call) for user in missing), strict=True):
            self._known[user] = (now, member)
        return {user: self._known[user][1] for user in users}


async def _ask(user: str, home: str, call: Call) -> Member:
    try:
        answer = await call.ask("users.info", user=user)
    except (NotFound, Denied) as error:
        _log.warning("%s could not be looked up, and counts as nobody we know: %s", user, error)
        return STRANGER
    return association(as_object(answer.get("user")), home)
