"""GitHub's published GraphQL schema, which is fetched and never committed: found, loaded fast, and asked about documents."""

from __future__ import annotations

import hashlib
import os
import pickle
from functools import cache
from types import ModuleType
from typing import Any

import graphql
from graphql import (
    REMOVE,
    DirectiveNode,
    DocumentNode,
    GraphQLSchema,
    OperationDefinitionNode,
    Visitor,
    build_ast_schema,
    parse,
    validate,
    visit,
)

from npm_packages import CACHE, node_modules

__all__ = ["current", "documents", "problems", "published"]


@cache
def published() -> GraphQLSchema:
    """Give the schema as GitHub publishes it. It must not be changed: everybody gets the same one."""
    return build_ast_schema(_document(), assume_valid=True)


@cache
def current() -> GraphQLSchema:
    """Give the schema without all that is deprecated."""
    return build_ast_schema(visit(_document(), _Current()), assume_valid=True)


def documents(module: ModuleType) -> dict[str, DocumentNode]:
    """Find the queries and mutations of a module, by name: texts, parsed ones, and requests that hold a parsed one."""
    held = {name: getattr(value, "document", value) for name, value in vars(module).items()}
    parsed = {name: parse(value) if _is_text(value) else value for name, value in held.items()}
    return {name: value for name, value in parsed.items() if isinstance(value, DocumentNode) and _asks(value)}


def problems(document: str | DocumentNode) -> list[str]:
    """Say what is wrong with a query or mutation: what the schema does not have, and what it is about to lose."""
    parsed = parse(document) if isinstance(document, str) else document
    unknown = [error.message for error in validate(published(), parsed)]
    return unknown or [f"deprecated: {error.message}" for error in validate(current(), parsed)]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.lstrip().startswith(("query", "mutation", "fragment", "{")) and "{" in value


def _asks(document: DocumentNode) -> bool:
    """Tell a document that can be sent from one that holds fragments only."""
    return any(isinstance(node, OperationDefinitionNode) for node in document.definitions)


class _Current(Visitor):
    def enter_field_definition(self, node: Any, *_: Any) -> Any:
        return REMOVE if _is_deprecated(node.directives) else None

    enter_input_value_definition = enter_enum_value_definition = enter_field_definition


def _is_deprecated(directives: tuple[DirectiveNode, ...] | None) -> bool:
    return any(directive.name.value == "deprecated" for directive in directives or ())


def _document() -> DocumentNode:
    """Parse the schema, or read what an earlier run parsed: that takes a third of the time."""
    text = (node_modules() / "@octokit" / "graphql-schema" / "schema.graphql").read_text("utf-8")
    digest = hashlib.sha256(f"{graphql.__version__}\n{text}".encode()).hexdigest()[:16]
    kept = CACHE / "graphql" / f"{digest}.pickle"
    if kept.exists():
        document: DocumentNode = pickle.loads(kept.read_bytes())
        return document
    document = parse(text, no_location=True)
    kept.parent.mkdir(parents=True, exist_ok=True)
    scratch = kept.with_suffix(f".{os.getpid()}")
    scratch.write_bytes(pickle.dumps(document))
    scratch.replace(kept)
    return document
