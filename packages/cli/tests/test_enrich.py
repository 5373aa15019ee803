"""`tertulia normalize --enrich`: what the backend knows is filled in, and what it does not tell is less trust."""

import json
import logging
from types import ModuleType
from typing import Any

import pytest

from tertulia import errors

Call = Any
JSON = ("normalize", "--system", "json", "--enrich")


def test_what_the_backend_knows_is_filled_in(tertulia: Call, hub: ModuleType, event_file: str) -> None:
    done = tertulia(*JSON, event_file)

    (event,) = json.loads(done.out)["events"]
    assert (done.status, done.err) == (0, "")
    assert (event["actor"]["role"], event["actor"]["role_verified"]) == ("admin", True)


def test_what_could_not_be_looked_up_is_one_line_and_no_error(
    tertulia: Call, hub: ModuleType, event_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def enrich(event: Any, client: Any) -> Any:
        for what in ("the role", "the\nlabels"):
            logging.getLogger("tertulia.fake").warning("%s could not be looked up: %s", what, "Denied")
        return event

    object.__setattr__(hub.adapter, "enrich", enrich)

    done = tertulia(*JSON, event_file)

    assert done.status == 0
    assert json.loads(done.out)["events"][0]["actor"]["role"] == "none"
    assert done.err == (
        "note: less is trusted: the role could not be looked up: Denied; the labels could not be looked up: Denied\n"
    )


def test_an_event_that_may_not_be_asked_about_is_refused(tertulia: Call, hub: ModuleType, event_file: str) -> None:
    hub.FAULTS["enrich"] = [errors.Invalid("enrich: entity.url is not on the configured host")]

    done = tertulia(*JSON, event_file)

    assert (done.status, done.out) == (2, "")
    assert "entity.url is not on the configured host (--enrich)" in done.err


def test_without_an_adapter_the_package_to_install_is_named(
    tertulia: Call, event_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertulia.registry.GROUP", "nobody.is.here")

    done = tertulia(*JSON, event_file)

    assert done.status == 2
    assert "no installed adapter enriches github events" in done.err
    assert "install tertulia-forge-github" in done.err


def test_without_the_option_nobody_is_asked(tertulia: Call, hub: ModuleType, event_file: str) -> None:
    done = tertulia("normalize", "--system", "json", event_file)

    assert json.loads(done.out)["events"][0]["actor"]["role"] == "none"
    assert hub.CONNECTED == []
