"""What is asked of GitHub is in its published schema, and nothing of it is about to go."""

import pytest
from graphql import DocumentNode

from github_discussions import documents, problems
from tertulia_conversation_github import _queries as queries

BUILT = {
    f"{make.__name__}({count})": make(count).document
    for make, counts in ((queries.replies, (1, 20)), (queries.reply_ids, (1, 20)), (queries.labels, (0, 1, 5)))
    for count in counts
}
DOCUMENTS = {**documents(queries), **BUILT}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_github_would_take_every_document(name: str) -> None:
    assert problems(DOCUMENTS[name]) == []


def test_no_document_is_left_out() -> None:
    named = {name for name in queries.__all__ if name.isupper()}

    assert named == set(documents(queries))
    assert all(isinstance(document, DocumentNode) for document in DOCUMENTS.values())


def test_documents_are_built_once() -> None:
    assert queries.replies(3) is queries.replies(3)
    assert queries.labels(2) is queries.labels(2)
