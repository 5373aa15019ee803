"""`tertulia doctor` and `tertulia adapters`: what is installed, and whether it works."""

import json
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from tertulia import errors, registry

Call = Any
WORKING = {"FAKE_TOKEN": "engine"}


@pytest.fixture
def doctor(tertulia: Call, hub: ModuleType) -> Call:
    """Run `doctor --json` and give the exit status with what it says about the one adapter."""

    def run(env: dict[str, str] | None = None) -> tuple[int, Any]:
        done = tertulia("doctor", "--json", env=env)
        assert done.err == ""
        (adapter,) = json.loads(done.out)["adapters"]
        return done.status, adapter

    return run


def test_working_credentials_say_who_they_belong_to(doctor: Call, hub: ModuleType) -> None:
    status, adapter = doctor(WORKING)

    assert status == adapter["status"] == 0
    assert adapter["identity"] == {"id": "500", "login": "engine-svc", "kind": "human"}
    assert adapter["credentials"] == [{"name": "FAKE_TOKEN", "set": True}]
    assert adapter["reachable"] is True
    assert adapter["milliseconds"] >= 0
    assert hub.CONNECTED == [{"max_wait": 5.0}]


def test_the_credentials_of_a_source_are_named_and_ask_nobody(
    doctor: Call, hub: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = registry.Source(hub.connect, settings=(registry.Setting("FAKE_APP", "Who listens.", secret=True),))
    monkeypatch.setattr(hub, "adapter", replace(hub.adapter, source=source))

    status, adapter = doctor({"FAKE_APP": "a-secret-value"})

    assert status == 0
    assert adapter["credentials"] == [{"name": "FAKE_TOKEN", "set": False}, {"name": "FAKE_APP", "set": True}]
    assert (adapter["asked"], adapter["advice"]) == (False, "set FAKE_TOKEN")
    assert hub.CONNECTED == []


def test_without_credentials_nobody_is_asked(doctor: Call, hub: ModuleType) -> None:
    status, adapter = doctor()

    assert status == 0
    assert (adapter["asked"], adapter["advice"]) == (False, "set FAKE_TOKEN")
    assert hub.CONNECTED == []


@pytest.mark.parametrize(
    ("error", "status", "reachable"),
    [
        (errors.Denied("401 Bad credentials"), 3, True),
        (errors.RateLimited("slow down", retry_after=9), 4, True),
        (errors.Unavailable("no answer from tracker.example"), 4, False),
        (errors.Invalid("FAKE_URL is no address"), 2, False),
        (RuntimeError("oops"), 1, None),
    ],
)
def test_credentials_that_do_not_work_are_in_the_exit_status(
    error: Exception,
    status: int,
    reachable: bool | None,
    doctor: Call,
    hub: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def refuse(client: Any) -> Any:
        raise error

    monkeypatch.setattr(hub.Hub, "whoami", refuse)

    ended, adapter = doctor(WORKING)

    assert ended == adapter["status"] == status
    assert adapter.get("reachable") is reachable
    assert adapter["problem"]
    assert adapter["advice"]


def test_what_a_credential_is_appears_nowhere(tertulia: Call, hub: ModuleType) -> None:
    done = tertulia("doctor", "--json", env={"FAKE_TOKEN": "a-secret-value"})
    shown = tertulia("doctor", env={"FAKE_TOKEN": "a-secret-value"})

    assert done.status == shown.status == 3
    assert "a-secret-value" not in done.out + done.err + shown.out + shown.err


def test_a_person_sees_the_same(tertulia: Call, hub: ModuleType) -> None:
    works, silent = tertulia("doctor", env=WORKING).out, tertulia("doctor").out

    assert "fake  tracker  works" in works
    assert "engine-svc, a human, id 500" in works
    assert "fake  tracker  not asked" in silent
    assert "set FAKE_TOKEN" in silent


def test_scopes_are_shown_with_what_each_operation_lacks(
    doctor: Call, tertulia: Call, hub: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = {"read": frozenset({"history"}), "post": frozenset({"history", "write"})}
    monkeypatch.setattr(hub, "adapter", replace(hub.adapter, scopes=needed))
    monkeypatch.setattr(hub.Hub, "scopes", frozenset({"history"}), raising=False)

    assert doctor(WORKING)[1]["scopes"] == {
        "granted": ["history"],
        "operations": {
            "read": {"needed": ["history"], "missing": []},
            "post": {"needed": ["history", "write"], "missing": ["write"]},
        },
    }
    shown = " ".join(tertulia("doctor", env=WORKING).out.split())
    assert "scopes history post lacks write (of history, write)" in shown


def test_a_token_whose_scopes_nobody_tells_is_not_said_to_lack_any(
    doctor: Call, tertulia: Call, hub: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "adapter", replace(hub.adapter, scopes={"post": frozenset({"write"})}))
    monkeypatch.setattr(hub.Hub, "scopes", None, raising=False)

    told = {"granted": None, "operations": {"post": {"needed": ["write"], "missing": None}}}
    assert doctor(WORKING)[1]["scopes"] == told
    shown = " ".join(tertulia("doctor", env=WORKING).out.split())
    assert "scopes not told in what was answered, so nobody knows what is missing" in shown
    assert "lacks" not in shown


def test_an_adapter_without_scopes_says_nothing_of_any(doctor: Call, tertulia: Call, hub: ModuleType) -> None:
    assert "scopes" not in doctor(WORKING)[1]
    assert "scopes" not in tertulia("doctor", env=WORKING).out


def test_a_rate_is_shown_when_the_backend_tells_one(
    doctor: Call, tertulia: Call, hub: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Rate:
        limit, remaining, resets_at = 5_000, 4_321, None

    assert "rate not told" in " ".join(tertulia("doctor", env=WORKING).out.split())
    monkeypatch.setattr(hub.Hub, "rate", Rate, raising=False)

    assert doctor(WORKING)[1]["rate"] == {"limit": 5_000, "remaining": 4_321, "resets_at": None}
    assert "4,321 of 5,000 left" in tertulia("doctor", env=WORKING).out


def test_nothing_installed_says_what_to_install(tertulia: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = registry.Problem("broken", "test-broken", "ImportError: x")
    monkeypatch.setattr("tertulia.registry.installed", lambda: registry.Installed(problems=(problem,)))

    done = tertulia("doctor")

    assert done.status == 0
    assert "tertulia-tracker[github]" in done.out
    assert "broken of test-broken cannot be used" in done.out


def test_adapters_show_capabilities_and_limits(tertulia: Call, hub: ModuleType) -> None:
    document, shown = json.loads(tertulia("adapters", "--json").out), tertulia("adapters").out

    (adapter,) = document["adapters"]
    assert adapter["limits"] == {"body_chars": 2_000}
    assert adapter["enriches"] is adapter["live"] is True
    assert "label" in adapter["capabilities"]
    assert "body chars 2,000" in shown
