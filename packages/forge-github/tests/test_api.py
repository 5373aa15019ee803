"""How the routes of the API are written."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia.errors import Invalid
from tertulia.parsing.github import locate
from tertulia_forge_github import path, repo_path
from tertulia_forge_github._api import check_route, route_of


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
        route = route_of(api, url)
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
