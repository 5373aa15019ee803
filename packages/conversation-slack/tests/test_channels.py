"""What becomes of a channel, and what the operator says about it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tertulia.errors import Invalid
from tertulia.event import Event
from tertulia_conversation_slack import Config, adapter, config_schema

LATER = "1740823700.000400"
FILE = b"""
repo = "acme/demo"
[sections]
C0GENERAL = " Help desk "
[repos]
C0OTHER = "acme/docs"
[roles]
U0ANNA = "maintain"
S0TRIAGE = "triage"
"""

Make = Callable[..., Event]


@pytest.mark.parametrize(
    ("inner", "kind", "closed", "title"),
    [
        (
            {"type": "channel_created", "channel": {"id": "C1", "name": "new", "creator": "U0ANNA"}},
            "opened",
            None,
            "new",
        ),
        ({"type": "channel_archive", "channel": "C1", "user": "U0ANNA"}, "closed", True, None),
        ({"type": "channel_unarchive", "channel": "C1", "user": "U0ANNA"}, "reopened", False, None),
        ({"type": "channel_rename", "channel": {"id": "C1", "name": "other"}}, "edited", None, "other"),
        ({"type": "channel_deleted", "channel": "C1", "user": "U0ANNA"}, "updated", None, None),
        ({"type": "group_archive", "channel": "G1", "user": "U0ANNA"}, "closed", True, None),
        ({"type": "group_rename", "channel": {"id": "G1", "name": "other"}}, "edited", None, "other"),
    ],
)
def test_what_becomes_of_a_channel(
    event: Make, inner: dict[str, Any], kind: str, closed: bool | None, title: str | None
) -> None:
    made = event(inner | {"event_ts": LATER})

    conversation = made.state.conversation
    assert conversation is not None
    assert (made.transition.kind, conversation.closed, conversation.title) == (kind, closed, title)
    assert made.source.raw_type == inner["type"]
    assert made.transition.comment is None
    assert "@2025-03-01T10:08:20Z/" in made.key


@pytest.mark.parametrize(
    ("subtype", "kind"),
    [
        ("channel_topic", "edited"),
        ("group_purpose", "edited"),
        ("channel_name", "edited"),
        ("channel_archive", "closed"),
        ("group_unarchive", "reopened"),
    ],
)
def test_a_message_may_tell_of_the_channel(native: Any, event: Make, subtype: str, kind: str) -> None:
    made = event(native.message("changed it", subtype=subtype))

    assert (made.transition.kind, made.source.raw_action, made.actor.id) == (kind, subtype, "U0ANNA")
    assert made.transition.comment is None


def test_an_archived_channel_is_one_fact_though_two_events_tell_it(native: Any, event: Make) -> None:
    told = event({"type": "channel_archive", "channel": "C0GENERAL", "user": "U0ANNA", "event_ts": "1740823500.000900"})

    assert told.key == event(native.message(subtype="channel_archive")).key


def test_who_creates_a_channel_is_its_author(event: Make) -> None:
    created = {"type": "channel_created", "channel": {"id": "C1", "name": "new", "creator": "U0ANNA"}}

    assert event(created).actor.is_entity_author
    assert not event(created | {"channel": {"id": "C1"}}).actor.is_entity_author


def test_an_event_without_a_time_of_its_own_has_its_envelope_s(event: Make) -> None:
    made = event({"type": "channel_archive", "channel": "C1"})
    none = event({"type": "channel_archive", "channel": "C1"}, around={"event_time": None})

    assert made.time is not None
    assert made.time.isoformat() == "2025-03-01T10:05:00+00:00"
    assert none.time is None


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"channel_type": "channel"}, "channel"),
        ({"channel_type": "group"}, "private-channel"),
        ({"channel_type": "mpim"}, "group-dm"),
        ({"channel_type": "im"}, "dm"),
        ({"channel_type": "app_home"}, "dm"),
        ({"channel_type": None, "channel": "C1"}, "channel"),
        ({"channel_type": None, "channel": "G1"}, "private-channel"),
        ({"channel_type": None, "channel": "D1"}, "dm"),
        ({"channel_type": "new"}, "channel"),
    ],
)
def test_a_channel_without_a_section_has_its_kind_for_a_category(
    native: Any, event: Make, fields: dict[str, Any], name: str
) -> None:
    made = event(native.message(**fields))

    assert made.state.conversation is not None
    assert made.state.conversation.category.model_dump(exclude_none=True) == {"name": name}


def test_the_operator_s_file_gives_section_repository_and_role(native: Any, event: Make) -> None:
    config = Config.parse(FILE)

    made = event(native.message(), options={"config": config})
    other = event(native.message(channel="C0OTHER", user="U0BEN"), options={"config": config})

    assert made.state.conversation is not None
    assert other.state.conversation is not None
    category = made.state.conversation.category
    assert (category.id, category.name, category.slug) == ("help-desk", "Help desk", "help-desk")
    assert (made.repo, made.actor.role, made.actor.role_verified) == ("acme/demo", "maintain", True)
    assert (other.repo, other.actor.role, other.actor.role_verified) == ("acme/docs", "none", False)
    assert other.state.conversation.category.id is None


def test_the_transport_s_repository_wins(native: Any, event: Make) -> None:
    made = event(native.message(), repo="acme/told", options={"config": Config.parse(FILE)})

    assert made.repo == "acme/told"


@pytest.mark.parametrize("team", ["team", "user_team", "source_team"])
def test_an_author_of_another_organisation_is_external_whatever_the_file_says(
    native: Any, event: Make, team: str
) -> None:
    config, shared = Config.parse(FILE), {"is_ext_shared_channel": True}
    message = native.message(**{team: "T0OTHER"})

    outside = event(message, around=shared, options={"config": config})
    inside = event(native.message(), around=shared, options={"config": config})
    colleague = event(message, options={"config": config})

    assert (outside.actor.role, outside.actor.role_verified) == ("external", False)
    assert inside.actor.role == "maintain"
    assert colleague.actor.role == "maintain", "nobody outside can be in a channel that is not shared"


def test_the_workspace_an_app_is_installed_in_is_home(native: Any, event: Make) -> None:
    around = {"team_id": "T0OTHER", "context_team_id": "T0ACME", "is_ext_shared_channel": True}

    assert event(native.message(team="T0ACME"), around=around).actor.role == "none"
    assert event(native.message(team="T0OTHER"), around=around).actor.role == "external"
    assert event(native.message(team="E0ACME"), around=around | {"enterprise_id": "E0ACME"}).actor.role == "none"


def test_an_organisation_s_event_is_of_the_workspace_the_app_is_in(native: Any, event: Make) -> None:
    installed = [{"team_id": "T0ACME", "user_id": "U0BOT", "is_bot": True}]

    assert event(native.message(), around={"team_id": None}).entity.key == "T0ACME/C0GENERAL"
    around = {"team_id": None, "context_team_id": "T0HERE", "authorizations": installed}
    assert event(native.message(team=None), around=around).entity.key == "T0HERE/C0GENERAL"


@pytest.mark.parametrize(
    ("document", "field"),
    [
        (b"sections = 1", "sections"),
        (b"[sections]\nC0A = '...'", "sections.C0A"),
        (b"[sections]\nC0A = 'Help'\nC0B = 'help!'", "sections"),
        (b"[sections]\nU0A = 'Help'", "sections.U0A"),
        (b"[roles]\nU0ANNA = 'external'", "roles.U0ANNA"),
        (b"[roles]\nC0A = 'read'", "roles.C0A"),
        (b"[repos]\nC0A = 'demo'", "repos.C0A"),
        (b"team = 'T1'", "team"),
    ],
)
def test_a_wrong_file_is_refused_with_what_is_wrong(document: bytes, field: str) -> None:
    with pytest.raises(Invalid) as caught:
        Config.parse(document)

    assert caught.value.field is not None
    assert caught.value.field.startswith(field)


@pytest.mark.parametrize("document", [b"repo = ", b"\xff", b"#" * (1024 * 1024 + 1)])
def test_what_is_no_file_is_refused(document: bytes) -> None:
    with pytest.raises(Invalid, match="slack configuration"):
        Config.parse(document)


def test_the_schema_takes_what_the_file_takes() -> None:
    import tomllib

    validator = jsonschema.Draft202012Validator(config_schema())

    assert validator.is_valid(tomllib.loads(FILE.decode()))
    assert validator.is_valid({})
    assert not validator.is_valid({"team": "T1"})
    assert not validator.is_valid({"roles": {"U0ANNA": "external"}})
    for table, value in (("sections", "Help"), ("repos", "acme/demo"), ("roles", "read")):
        assert not validator.is_valid({table: {"general": value}})


def test_the_environment_names_the_file(native: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import json

    from tertulia.event import Delivery

    path = tmp_path / "slack.toml"
    delivery = Delivery("slack", "message", json.dumps(native.envelope(native.message())).encode())
    assert adapter.normalize is not None
    monkeypatch.setenv("TERTULIA_SLACK_CONFIG", str(path))

    with pytest.raises(Invalid, match="cannot be read"):
        adapter.normalize(delivery)
    path.write_bytes(FILE)
    (found,) = adapter.normalize(delivery).events
    path.write_bytes(FILE.replace(b'"acme/demo"', b'"acme/changed"'))
    (changed,) = adapter.normalize(delivery).events

    assert (found.repo, changed.repo) == ("acme/demo", "acme/changed")
