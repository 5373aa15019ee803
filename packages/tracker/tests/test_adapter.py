"""The registry finds the adapter; finding it loads no HTTP library, and the client says what it does."""

import json
import logging
import subprocess
import sys
from typing import Any

import pytest

import tertulia_forge_github
import tertulia_tracker
from tertulia.errors import Denied
from tertulia.registry import installed, recogniser
from tertulia.thread import Draft, MessageRef, ThreadRef
from tertulia_tracker import github as tracker_github
from tertulia_tracker.github import Client, adapter

GitHub = Any
REPORT = "; import json, sys; print(json.dumps(sorted({n.split('.')[0] for n in sys.modules})))"
HEAVY = {"githubkit", "hishel", "httpx", "httpcore"}
ISSUE = ThreadRef(conversation="acme/demo#7")


def loaded(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code + REPORT], capture_output=True, check=True, timeout=60
    )
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("code", ["import tertulia_tracker", "import tertulia_tracker.github"])
def test_importing_loads_nothing(code: str) -> None:
    assert loaded(code) & {"tertulia_forge_github", "pydantic", *HEAVY} == set()


@pytest.mark.parametrize(
    "code",
    [
        "from tertulia_tracker.github import adapter",
        "from tertulia_tracker.github import adapter; adapter.recognise('https://github.com/acme/demo/issues/7')",
    ],
)
def test_the_adapter_loads_no_http_library(code: str) -> None:
    found = loaded(code)

    assert "tertulia" in found
    assert found & HEAVY == set()


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['tertulia_forge_github'] = None; from tertulia_tracker.github import adapter"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)

    assert "install tertulia-tracker[github]" in done.stderr.splitlines()[-1]


def test_the_packages_show_what_they_list() -> None:
    assert dir(tertulia_tracker) == tertulia_tracker.__all__ == ["github"]
    assert dir(tracker_github) == sorted(tracker_github.__all__) == ["Client", "adapter", "connect"]
    assert tertulia_tracker.github is tracker_github
    for module in (tertulia_tracker, tracker_github):
        with pytest.raises(AttributeError, match="has no attribute 'jira'"):
            module.jira  # noqa: B018


def test_the_registry_finds_it_beside_the_forge() -> None:
    found = {one.name: one for one in installed().adapters}

    assert found["tracker-github"] is adapter
    assert found["github"] is tertulia_forge_github.adapter
    assert (adapter.kind, adapter.system, adapter.names, adapter.normalize) == ("tracker", "github", frozenset(), None)
    assert adapter.capabilities == {"edit", "delete", "label"}
    assert {setting.name for setting in adapter.settings} >= {"GITHUB_TOKEN", "GITHUB_API_URL"}
    assert {"read", "post", "private repositories"} | adapter.capabilities <= set(adapter.scopes)
    assert all(hasattr(Client, name) for name in set(adapter.scopes) - {"private repositories"})


def test_it_knows_the_forges_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_API_URL", raising=False)

    thread = recogniser("https://github.com/acme/demo/issues/7", kinds={"tracker"})
    message = recogniser("https://github.com/acme/demo/pull/8#discussion_r5", kinds={"tracker"})

    assert thread == (adapter, ISSUE)
    assert message[1] == MessageRef(conversation="acme/demo#8", source_type="review_comment", id="5")


@pytest.mark.anyio
async def test_the_adapter_connects(github: GitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_API_URL", github.url)
    monkeypatch.setenv("GITHUB_TOKEN", "from-the-environment")
    assert adapter.connect is not None

    async with adapter.connect(http={"trust_env": False, "verify": False}) as client:
        issue = await client.get_issue(ISSUE)

    (request,) = github.server.requests
    assert issue.title == "It fails"
    assert request.headers["authorization"] == "Bearer from-the-environment"
    assert request.headers["user-agent"] == "tertulia-tracker/0.1"


@pytest.mark.anyio
async def test_the_client_names_its_account_its_sdk_and_its_rate(client: Client, github: GitHub) -> None:
    me = await client.whoami()
    await client.whoami()

    assert (me.id, me.login, client.backend) == ("9001", "helper", "github")
    assert github.count("GET", "/user") == 1
    assert client.native is client.http.native
    assert client.rate is not None
    assert (client.rate.limit, client.rate.remaining) == (5000, 4999)
    assert client.scopes is client.http.scopes is None


@pytest.mark.anyio
async def test_an_account_named_by_hand_is_whose_answers_count(client: Client, github: GitHub) -> None:
    options: Any = {"api_url": github.url, "http": {"trust_env": False, "verify": False}}
    draft = Draft(body="Here is why.", agent="helper", key="event-1/helper")
    posted = await client.post(ISSUE, draft)

    me = await client.whoami()
    async with tracker_github.connect(token="app", engine=me, **options) as app:
        again = await app.post(ISSUE, draft)
    async with tracker_github.connect(token="", **options) as nobody:
        with pytest.raises(Denied):
            await nobody.post(ISSUE, draft)

    assert again == posted


@pytest.mark.anyio
async def test_no_log_line_carries_a_body_or_a_token(
    client: Client, github: GitHub, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="tertulia")
    draft = Draft(body="a very private answer", agent="helper", key="event-1/helper")

    await client.post(ISSUE, draft)
    await client.post(ISSUE, draft)

    ours = [record.getMessage() for record in caplog.records if record.name.startswith("tertulia.tracker")]
    everything = " ".join(record.getMessage() for record in caplog.records)
    assert len(ours) == 1 and "nothing was sent" in ours[0]
    assert "private" not in everything
    assert "token-of-helper" not in everything
