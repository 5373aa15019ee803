"""Where the API is, and how its routes are written."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia.errors import Invalid
from tertulia_forge_github import path, repo_path
from tertulia_forge_github._api import check_route, locate


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


def test_a_route_is_written_out_of_encoded_parts() -> None:
    assert path("repos", "acme", "demo", "issues", 7) == "/repos/acme/demo/issues/7"
    assert path("users", "helper[bot]") == "/users/helper%5Bbot%5D"
    assert path("labels", "needs a/b? #1 %2e é") == "/labels/needs%20a%2Fb%3F%20%231%20%252e%20%C3%A9"
    assert repo_path("acme/demo.js", "issues", 7) == "/repos/acme/demo.js/issues/7"
    assert repo_path("acme/demo") == "/repos/acme/demo"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=4))
def test_every_part_comes_back_from_its_route(parts: list[str]) -> None:
    if {".", ".."} & set(parts):
        with pytest.raises(Invalid):
            path(*parts)
        return

    route = check_route(path(*parts))

    assert [unquote(part) for part in route.split("/")[1:]] == parts


@given(st.text())
def test_only_an_address_below_the_api_has_a_route(text: str) -> None:
    api = locate("https://git.acme.example/api/v3")

    for url in (text, f"https://git.acme.example{text}", f"https://git.acme.example/api/v3{text}"):
        route = api.route_of(url)
        assert route is None or url.startswith(f"https://git.acme.example/api/v3{route}")


@pytest.mark.parametrize("part", ["", ".", "..", "\ud800"])
def test_a_part_that_leads_elsewhere_is_invalid(part: str) -> None:
    with pytest.raises(Invalid):
        path("repos", part)


@pytest.mark.parametrize(
    "repo", ["", "acme", "acme/demo/x", "acme/..", "./demo", "acme/de mo", "acme/demo?x", "acme//demo"]
)
def test_what_is_no_repository_is_invalid(repo: str) -> None:
    with pytest.raises(Invalid):
        repo_path(repo, "issues")


@pytest.mark.parametrize(
    "route",
    ["", "user", "//evil.example/user", "/a/../b", "/a/%2e%2E/b", "/a/./b", "/a b", "/a?b=1", "/a#b", "/a/", "/%zz"],
)
def test_what_is_no_route_is_invalid(route: str) -> None:
    with pytest.raises(Invalid):
        check_route(route)
