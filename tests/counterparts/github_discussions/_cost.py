"""What a request asks for, at most: counted before anything is executed, as GitHub documents it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    value_from_ast_untyped,
)

__all__ = ["Cost", "fields", "operation"]


@dataclass(frozen=True)
class Cost:
    """Count possible `nodes`, and the `pages` that have to be fetched for them."""

    nodes: int
    pages: int

    @property
    def points(self) -> int:
        """What the request costs of the hour's points."""
        return max(1, round(self.pages / 100))

    @classmethod
    def of(cls, document: DocumentNode, variables: Mapping[str, Any]) -> Cost:
        """Count what a document asks for."""
        asked_for = operation(document)
        declared = asked_for.variable_definitions or ()
        defaults = {one.variable.name.value: _value(one.default_value, {}) for one in declared if one.default_value}
        asked = list(_connections(document, asked_for.selection_set, {**defaults, **variables}, 1))
        return cls(nodes=sum(above * width for above, width in asked), pages=sum(above for above, _ in asked))


def operation(document: DocumentNode) -> OperationDefinitionNode:
    """Find the one operation of a document."""
    return next(node for node in document.definitions if isinstance(node, OperationDefinitionNode))


def fields(document: DocumentNode, selected: SelectionSetNode | None) -> Iterator[FieldNode]:
    """List the fields of a selection, those of its fragments too."""
    for node in selected.selections if selected else ():
        if isinstance(node, FieldNode):
            yield node
        elif isinstance(node, InlineFragmentNode):
            yield from fields(document, node.selection_set)
        elif isinstance(node, FragmentSpreadNode):
            named = (one for one in document.definitions if isinstance(one, FragmentDefinitionNode))
            yield from fields(document, next(one for one in named if one.name.value == node.name.value).selection_set)


def _connections(
    document: DocumentNode, selected: SelectionSetNode | None, variables: Mapping[str, Any], above: int
) -> Iterator[tuple[int, int]]:
    """List each connection with the number of things it may hang on, and its width."""
    for node in fields(document, selected):
        given = {argument.name.value: _value(argument.value, variables) for argument in node.arguments or ()}
        width = next((given[name] for name in ("first", "last") if isinstance(given.get(name), int)), None)
        if width is not None:
            yield above, width
        many = len(given["ids"]) if node.name.value == "nodes" and isinstance(given.get("ids"), list) else 1
        yield from _connections(document, node.selection_set, variables, above * (width or many))


def _value(node: Any, variables: Mapping[str, Any]) -> Any:
    return variables.get(node.name.value) if isinstance(node, VariableNode) else value_from_ast_untyped(node)
