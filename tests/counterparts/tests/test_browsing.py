"""Browsing: discussions of a repository, its categories, labels and collaborators."""

from typing import Any

import pytest

from github_discussions import Discussions

LIST = """
query ($category: ID, $states: [DiscussionState!], $order: DiscussionOrder!) {
  repository(owner: "acme", name: "demo") {
    discussions(first: 100, categoryId: $category, states: $states, orderBy: $order) { nodes { number } }
  }
}
"""
PEOPLE = """
query ($login: String, $query: String) {
  repository(owner: "acme", name: "demo") {
    collaborators(first: 100, login: $login, query: $query) { totalCount edges { permission node { login databaseId } } }
  }
}
"""
NEWEST = {"field": "UPDATED_AT", "direction": "DESC"}


def numbers(answer: Any) -> list[int]:
    """Give the numbers of the discussions that were listed."""
    return [one["number"] for one in answer["data"]["repository"]["discussions"]["nodes"]]


@pytest.mark.parametrize(
    ("field", "direction", "expected"),
    [
        ("UPDATED_AT", "DESC", [1, 3, 2]),
        ("UPDATED_AT", "ASC", [2, 3, 1]),
        ("CREATED_AT", "DESC", [3, 2, 1]),
        ("CREATED_AT", "ASC", [1, 2, 3]),
    ],
)
def test_discussions_are_listed_in_either_order(
    site: Discussions, ask: Any, field: str, direction: str, expected: list[int]
) -> None:
    first, _, _ = (site.open() for _ in range(3))
    site.say(first)

    assert numbers(ask(LIST, order={"field": field, "direction": direction})) == expected


def test_discussions_are_listed_by_category_and_state(site: Discussions, ask: Any) -> None:
    question, idea = site.open(category="Q&A"), site.open(category=site.category("Ideas"))
    site.close(question)

    assert numbers(ask(LIST, order=NEWEST)) == [question.number, idea.number]
    assert numbers(ask(LIST, order=NEWEST, category=idea.category.id)) == [idea.number]
    assert numbers(ask(LIST, order=NEWEST, states=["CLOSED"])) == [question.number]
    assert numbers(ask(LIST, order=NEWEST, states=["OPEN"])) == [idea.number]


def test_a_category_that_is_no_category_is_refused(site: Discussions, ask: Any) -> None:
    told = ask(LIST, order=NEWEST, category="12")

    assert told["errors"][0]["type"] == "NOT_FOUND"


def test_categories_tell_whether_they_take_answers(site: Discussions, ask: Any) -> None:
    query = """query ($assignable: Boolean) { repository(owner: "acme", name: "demo") {
      discussionCategories(first: 25, filterByAssignable: $assignable) { nodes { name slug isAnswerable } } } }"""

    told = ask(query)["data"]["repository"]["discussionCategories"]["nodes"]

    assert [(one["name"], one["isAnswerable"]) for one in told] == [
        ("General", False),
        ("Q&A", True),
        ("Announcements", False),
    ]
    assignable = ask(query, assignable=True)["data"]["repository"]["discussionCategories"]["nodes"]
    assert [one["slug"] for one in assignable] == ["general", "q-a"]


def test_a_category_is_found_by_its_slug(site: Discussions, ask: Any) -> None:
    query = 'query ($slug: String!) { repository(owner: "acme", name: "demo") { discussionCategory(slug: $slug) { name } } }'

    assert ask(query, slug="q-a")["data"]["repository"] == {"discussionCategory": {"name": "Q&A"}}
    assert ask(query, slug="none")["data"]["repository"] == {"discussionCategory": None}


def test_a_label_is_found_by_name_in_any_case(site: Discussions, ask: Any) -> None:
    bug = site.label("Bug")
    site.label("help wanted")
    query = """query ($name: String!) { repository(owner: "acme", name: "demo") {
      label(name: $name) { id name } labels(first: 9, query: "WANTED") { nodes { name } } } }"""

    told = ask(query, name="bug")["data"]["repository"]

    assert told == {"label": {"id": bug.id, "name": "Bug"}, "labels": {"nodes": [{"name": "help wanted"}]}}
    assert ask(query, name="none")["data"]["repository"]["label"] is None


def test_who_may_push_sees_collaborators_and_their_roles(site: Discussions, ask: Any) -> None:
    site.repo.roles |= {"helper": "WRITE", "alice": "TRIAGE"}

    everybody = ask(PEOPLE)["data"]["repository"]["collaborators"]
    alice = ask(PEOPLE, login="Alice")["data"]["repository"]["collaborators"]
    nobody = ask(PEOPLE, login="bob")["data"]["repository"]["collaborators"]

    assert {one["node"]["login"]: one["permission"] for one in everybody["edges"]} == {
        "helper": "WRITE",
        "alice": "TRIAGE",
    }
    assert alice["edges"] == [{"permission": "TRIAGE", "node": {"login": "alice", "databaseId": 1001}}]
    assert nobody == {"totalCount": 0, "edges": []}


def test_others_may_not_see_collaborators(site: Discussions, ask: Any) -> None:
    told = ask(PEOPLE)

    assert told["data"] == {"repository": {"collaborators": None}}
    (error,) = told["errors"]
    assert (error["type"], error["path"]) == ("FORBIDDEN", ["repository", "collaborators"])
    assert error["message"] == "You do not have permission to view repository collaborators."


def test_a_person_is_found_by_login(ask: Any) -> None:
    assert ask('{ user(login: "Alice") { login databaseId } }')["data"]["user"] == {
        "login": "alice",
        "databaseId": 1001,
    }
    assert ask('{ user(login: "nobody") { login } }')["errors"][0]["type"] == "NOT_FOUND"
