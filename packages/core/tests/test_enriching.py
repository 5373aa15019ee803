"""Filling in events: what was looked up, and what could not be."""

import logging
from typing import Any

import pytest

from tertulia.enriching import filled, look_up, with_role
from tertulia.errors import Invalid, NotFound
from tertulia.event import Event

LOG = logging.getLogger("tertulia.test")


def event(**actor: Any) -> Event:
    """Somebody has opened issue 7."""
    who = {"id": "bob", "kind": "human", "role": "none", "is_entity_author": True, "account_id": "1002"}
    return Event.check(
        {
            "repo": "acme/demo",
            "entity": {"kind": "work_item", "id": 7, "url": "https://github.com/acme/demo/issues/7"},
            "transition": {"kind": "opened"},
            "state": {"labels": ["old"]},
            "actor": {**who, "role_verified": True, **actor},
            "source": {"system": "github", "raw_type": "issues", "raw_action": "opened"},
        }
    )


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_what_cannot_be_looked_up_is_none_and_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    async def labels() -> tuple[str, ...]:
        return ("bug",)

    async def missing() -> tuple[str, ...]:
        raise NotFound("nobody")

    assert await look_up(labels(), "the labels", event(), LOG) == ("bug",)
    assert await look_up(missing(), "the labels", event(), LOG) is None
    assert "the labels could not be looked up: NotFound" in caplog.text


@pytest.mark.parametrize(
    ("account_id", "told", "role", "verified"),
    [
        ("1002", "1002", "write", True),
        ("1002", None, "write", True),
        (None, "1002", "write", True),
        ("1002", "7", "none", False),
    ],
)
def test_a_role_belongs_to_an_account(account_id: str | None, told: str | None, role: str, verified: bool) -> None:
    one = event(**({"account_id": account_id} if account_id is not None else {}))
    one = one.model_copy(update={"actor": one.actor.model_copy(update={"account_id": account_id})})

    actor = with_role(one, "write", told, LOG)

    assert (actor.role, actor.role_verified) == (role, verified)


def test_a_role_that_could_not_be_looked_up_is_none_unverified() -> None:
    actor = with_role(event(), None, None, LOG)

    assert (actor.role, actor.role_verified) == ("none", False)


def test_an_event_is_filled_in_and_checked() -> None:
    one = event()

    assert filled(one, one.actor, {"labels": ("bug",)}).state.labels == ("bug",)
    with pytest.raises(Invalid, match="labels"):
        filled(one, one.actor, {"labels": ("",)})
