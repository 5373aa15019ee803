"""Where GitHub's APIs are, and what its addresses say."""

import pytest

from tertulia.errors import Invalid
from tertulia.parsing.github import Page, Place, checked_id, checked_repo, is_shown_by, locate, page_of


@pytest.fixture(autouse=True)
def github_com(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the environment of whoever runs the tests out."""
    monkeypatch.delenv("GITHUB_API_URL", raising=False)
    monkeypatch.delenv("GITHUB_GRAPHQL_URL", raising=False)


@pytest.mark.parametrize(
    ("api_url", "graphql_url", "web_host"),
    [
        ("https://api.github.com", "https://api.github.com/graphql", "github.com"),
        ("https://api.github.com/", "https://api.github.com/graphql", "github.com"),
        ("https://api.acme.ghe.com", "https://api.acme.ghe.com/graphql", "acme.ghe.com"),
        ("https://git.acme.example/api/v3", "https://git.acme.example/api/graphql", "git.acme.example"),
        ("https://git.acme.example:8443/api/v3/", "https://git.acme.example:8443/api/graphql", "git.acme.example:8443"),
        ("http://127.0.0.1:5900", "http://127.0.0.1:5900/graphql", "127.0.0.1:5900"),
        ("http://[::1]:5900", "http://[::1]:5900/graphql", "[::1]:5900"),
    ],
)
def test_graphql_and_the_web_server_are_found_from_the_api(api_url: str, graphql_url: str, web_host: str) -> None:
    api = locate(api_url)

    assert (api.url, api.graphql_url, api.web_host) == (api_url.rstrip("/"), graphql_url, web_host)


def test_the_environment_says_where_the_api_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert locate().url == "https://api.github.com"

    monkeypatch.setenv("GITHUB_API_URL", "https://git.acme.example/api/v3")
    monkeypatch.setenv("GITHUB_GRAPHQL_URL", "https://git.acme.example/graph")

    assert locate().url == "https://git.acme.example/api/v3"
    assert locate().graphql_url == "https://git.acme.example/graph"
    assert locate("https://api.github.com").graphql_url == "https://api.github.com/graphql"


def test_rest_and_graphql_are_on_one_host_because_they_share_the_token() -> None:
    for graphql_url in ("https://evil.example/graphql", "https://api.github.com:444/graphql"):
        with pytest.raises(Invalid, match="is not on the host"):
            locate("https://api.github.com", graphql_url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.github.com",
        "ftp://api.github.com",
        "http://api.github.com",
        "https://user:secret@api.github.com",
        "https://api.github.com?x=1",
        "https://api.github.com/#x",
        "https://api.github.com/../x",
        "https://api.github.com:99999",
        "https://api.git hub.com",
        "https://",
    ],
)
def test_what_is_no_address_of_an_api_is_invalid(url: str) -> None:
    with pytest.raises(Invalid) as caught:
        locate(url)

    assert "secret" not in str(caught.value)


def test_a_page_says_which_conversation_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert page_of("https://github.com/acme/demo/discussions/7") == Page("acme/demo#7", "discussions", "")
    assert page_of("https://GitHub.com:443/a_b/d.e/pull/1/?x=y#frag-2") == Page("a_b/d.e#1", "pull", "frag-2")

    monkeypatch.setenv("GITHUB_API_URL", "https://git.acme.example/api/v3/")
    assert page_of("https://github.com/acme/demo/discussions/7") is None
    assert page_of("https://git.acme.example/acme/demo/discussions/7") is not None


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://github.com/acme/demo/issues/7",
        "https://github.com.evil.example/acme/demo/issues/7",
        "https://user@github.com/acme/demo/issues/7",
        "https://github.com@evil.example/acme/demo/issues/7",
        "https://github.com:8443/acme/demo/issues/7",
        "https://github.com/acme/demo/issues/07",
        "https://github.com/acme/demo/issues/7/files",
        "https://github.com/acme/../issues/7",
    ],
)
def test_what_is_no_page_of_the_configured_host_is_none(url: str) -> None:
    assert page_of(url) is None


def test_an_api_shows_the_pages_of_its_own_web_server() -> None:
    assert is_shown_by("https://acme.ghe.com/acme/demo", "https://api.acme.ghe.com")
    assert is_shown_by("http://127.0.0.1:5900/acme/demo", "http://127.0.0.1:5900")
    assert not is_shown_by("http://git.acme.example/acme/demo", "http://git.acme.example")
    assert not is_shown_by("https://api.github.com/acme/demo", "https://api.github.com")
    assert not is_shown_by("acme/demo", "https://api.github.com")


def test_a_place_is_read_and_written() -> None:
    place = Place.of("acme/de.mo#7")

    assert place == ("acme", "de.mo", "7")
    assert place.conversation == "acme/de.mo#7"
    assert place.same(Place.of("Acme/DE.mo#7"))
    assert not place.same(Place.of("acme/de.mo#8"))


@pytest.mark.parametrize("text", ["", "acme/demo", "acme/demo#0", "acme/demo#07", "../demo#7", "acme/..#7", "a/b/c#7"])
def test_what_is_no_place_is_invalid(text: str) -> None:
    with pytest.raises(Invalid, match="acme/demo#7"):
        Place.of(text)


def test_ids_are_numbers_and_repositories_have_an_owner() -> None:
    assert checked_id("4870591746", "id") == "4870591746"
    assert checked_repo("acme/..demo") == "acme/..demo"
    for ident in ("", "0", "07", "DC_kwDO", "1" * 20):
        with pytest.raises(Invalid, match="must be a number"):
            checked_id(ident, "id")
    for repo in ("acme", "acme/..", "./demo", "acme/demo/x"):
        with pytest.raises(Invalid, match="acme/demo"):
            checked_repo(repo)
