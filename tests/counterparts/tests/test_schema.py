"""The published schema: documents are held to it, and the table of resolvers too."""

import inspect
from types import ModuleType

import pytest
from graphql import GraphQLObjectType

from github_discussions import current, documents, problems, published
from github_discussions._queries import FIELDS


def test_a_document_that_the_schema_knows_has_no_problems() -> None:
    assert problems("query ($id: ID!) { node(id: $id) { ... on DiscussionComment { replyTo { id } } } }") == []


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ("{ viewer { nothing } }", "nothing"),
        ("{ node { id } }", "node"),
        ("query ($id: Int!) { node(id: $id) { id } }", "Int"),
        ("query ($id: ID!) { viewer { login } }", "$id"),
    ],
)
def test_a_document_that_the_schema_does_not_know_has_problems(document: str, name: str) -> None:
    (problem,) = problems(document)

    assert name in problem
    assert not problem.startswith("deprecated")


def test_what_is_deprecated_is_a_problem_of_its_own() -> None:
    document = (
        "query ($id: ID!) { node(id: $id) { ... on Reactable { reactionGroups { users(first: 1) { totalCount } } } } }"
    )

    (problem,) = problems(document)

    assert problem.startswith("deprecated: Cannot query field 'users' on type 'ReactionGroup'.")


def test_a_schema_without_what_is_deprecated_keeps_the_rest() -> None:
    group = current().get_type("ReactionGroup")

    assert isinstance(group, GraphQLObjectType)
    assert {"reactors", "content"} <= set(group.fields)


def test_the_documents_of_a_module_are_found_in_every_form() -> None:
    module = ModuleType("queries")
    module.TEXT = "query { viewer { login } }"  # type: ignore[attr-defined]
    module.FRAGMENT = "fragment Who on User { login }"  # type: ignore[attr-defined]
    module.WORDS = "query what you like"  # type: ignore[attr-defined]
    module.PARSED = documents(module)["TEXT"]  # type: ignore[attr-defined]
    module.REQUEST = type("Request", (), {"document": module.PARSED})()  # type: ignore[attr-defined]

    assert list(documents(module)) == ["TEXT", "PARSED", "REQUEST"]


def test_every_resolver_is_for_a_field_of_the_schema_and_takes_its_arguments() -> None:
    for name, resolver in FIELDS.items():
        kind, _, field = name.partition(".")
        owner = published().get_type(kind)
        assert isinstance(owner, GraphQLObjectType), name
        arguments = dict.fromkeys(owner.fields[field].args)
        inspect.signature(resolver).bind(None, None, **arguments)
