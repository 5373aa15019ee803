"""What the registry finds, and what loading it loads."""

import subprocess
import sys

import pytest

import tertulia_conversation_github as discussions
from tertulia.registry import connector, enricher, installed, recogniser
from tertulia.thread import MessageRef, ThreadRef

THREAD = ThreadRef(conversation="acme/demo#7")
COMMENT = MessageRef(conversation="acme/demo#7", source_type="discussion_comment", id="8801")
URL = "https://github.com/acme/demo/discussions/7"


def test_the_registry_finds_it() -> None:
    assert discussions.adapter in installed().adapters
    assert connector("github", "conversation") is discussions.adapter
    assert enricher("github", conversation=True) is discussions.adapter
    assert recogniser(URL) == (discussions.adapter, THREAD)


def test_it_names_what_its_client_can_do() -> None:
    adapter = discussions.adapter

    assert (adapter.system, adapter.kind, adapter.name) == ("github", "conversation", "conversation-github")
    assert adapter.capabilities == {one.value for one in discussions.Client.capabilities}
    assert adapter.limits == discussions.Client.limits
    assert [setting.name for setting in adapter.settings if setting.secret] == ["GITHUB_TOKEN", "GH_TOKEN"]
    assert {"read", "post", "enrich", "private repositories"} | (adapter.capabilities - {"browse"}) <= set(
        adapter.scopes
    )
    assert all(hasattr(discussions.Client, name) for name in set(adapter.scopes) - {"enrich", "private repositories"})


@pytest.mark.parametrize(
    ("url", "ref"),
    [
        (URL, THREAD),
        (f"{URL}/", THREAD),
        (f"{URL}?sort=new", THREAD),
        (f"{URL}#discussion-8801", THREAD),
        (f"{URL}#discussioncomment-8801", COMMENT),
        (f"{URL}?sort=new#discussioncomment-8801", COMMENT),
        (f"{URL}#discussioncomment-", None),
        (f"{URL}#discussioncomment-x", None),
        ("https://github.com/acme/demo/issues/7", None),
        ("https://github.com/orgs/acme/discussions/7", None),
        ("https://evil.example/acme/demo/discussions/7", None),
        ("http://github.com/acme/demo/discussions/7", None),
        ("", None),
    ],
)
def test_a_discussion_is_recognised_by_its_address(url: str, ref: ThreadRef | MessageRef | None) -> None:
    assert discussions.adapter.recognise(url) == ref


def test_the_host_is_the_configured_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_API_URL", "https://ghe.example.test/api/v3")

    assert discussions.adapter.recognise("https://ghe.example.test/acme/demo/discussions/7") == THREAD
    assert discussions.adapter.recognise(URL) is None


def test_loading_the_adapter_loads_no_http_library() -> None:
    code = (
        "import sys; from tertulia_conversation_github import adapter;"
        f"adapter.recognise({URL!r});"
        "print(sorted({'gql', 'graphql', 'httpx'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout == "[]\n"


def test_public_names_are_loaded_when_they_are_used() -> None:
    assert set(discussions.__all__) <= set(dir(discussions))
    for name in discussions.__all__:
        assert getattr(discussions, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        _ = discussions.nothing
