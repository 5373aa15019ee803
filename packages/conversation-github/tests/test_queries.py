"""What is asked of GitHub is in its published schema, and nothing of it is about to go."""

import pytest
from graphql import DocumentNode

from github_discussions import documents, problems
from tertulia_conversation_github import _queries as queries

READS = {
    f"{make.__name__}({threads}, roots={roots})": make(threads, roots=roots).document
    for make in (queries.read, queries.read_ids)
    for threads in (0, 1, 20)
    for roots in (True, False)
    if threads or roots
}
LABELS = {f"labels({count})": queries.labels(count).document for count in (0, 1, 5)}
DOCUMENTS = {**documents(queries), **READS, **LABELS}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_github_would_take_every_document(name: str) -> None:
    assert problems(DOCUMENTS[name]) == []


def test_no_document_is_left_out() -> None:
    named = {name for name in queries.__all__ if name.isupper()}

    assert named == set(documents(queries))
    assert all(isinstance(document, DocumentNode) for document in DOCUMENTS.values())


def test_documents_are_built_once() -> None:
    assert queries.read(3, roots=True) is queries.read(3, roots=True)
    assert queries.labels(2) is queries.labels(2)
