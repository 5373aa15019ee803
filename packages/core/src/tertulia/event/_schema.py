"""The JSON Schema of an event, made from the model, with the rules between fields written out as conditions."""

from __future__ import annotations

from typing import Any, cast

from tertulia.event._model import CHAT_SYSTEMS, COMMENT_KINDS, JIRA_KEY, Event

__all__ = ["schema"]

_ID = "urn:tertulia:normalized-event:v1"


def schema() -> dict[str, Any]:
    """Give the JSON Schema (draft 2020-12) of a NormalizedEvent.

    What a schema cannot say (`.` and `..` as path segments, ids that must be equal) is in the model only.
    """
    made = Event.model_json_schema()
    _drop_null(made)
    made["allOf"] = _event_rules()
    made["$defs"]["Transition"]["allOf"] = _transition_rules()
    made["$defs"]["ChangeProposal"]["allOf"] = [
        _when({"is_fork": {"const": False}}, then={"required": ["head_repo"]}),
    ]
    title = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": _ID, "title": "NormalizedEvent"}
    return title | {key: value for key, value in made.items() if key != "title"}


def _drop_null(node: Any) -> None:
    """Write an optional field as absent, not as null: that is how events are written."""
    if isinstance(node, list):
        for item in cast("list[object]", node):
            _drop_null(item)
    if not isinstance(node, dict):
        return
    parts = cast("dict[str, Any]", node)
    for name, prop in parts.get("properties", {}).items():
        parts["properties"][name] = _without_null(prop)
    for value in parts.values():
        _drop_null(value)


def _without_null(prop: dict[str, Any]) -> dict[str, Any]:
    choices: list[dict[str, Any]] = prop.get("anyOf", [])
    kept = [choice for choice in choices if choice != {"type": "null"}]
    if len(kept) == len(choices) or len(kept) != 1:
        return prop
    rest = {key: value for key, value in prop.items() if key not in ("anyOf", "default")}
    return kept[0] | rest


def _when(
    properties: dict[str, Any], *, then: dict[str, Any], otherwise: dict[str, Any] | None = None
) -> dict[str, Any]:
    rule: dict[str, Any] = {"if": {"properties": properties, "required": list(properties)}, "then": then}
    return rule | ({"else": otherwise} if otherwise is not None else {})


def _inside(name: str, rule: dict[str, Any] | bool) -> dict[str, Any]:
    return {"properties": {name: rule}}


def _is(name: str, rule: dict[str, Any]) -> dict[str, Any]:
    return _inside(name, rule) | {"required": [name]}


def _transition_rules() -> list[dict[str, Any]]:
    owners = {"label": ["label_changed"], "comment": sorted(COMMENT_KINDS), "review": ["review_submitted"]}
    return [
        _when({"kind": {"enum": kinds}}, then={"required": [name]}, otherwise=_inside(name, False))
        for name, kinds in owners.items()
    ]


def _event_rules() -> list[dict[str, Any]]:
    on_conversation = {"entity": _is("kind", {"const": "conversation"})}
    on_change_proposal = {"entity": _is("kind", {"const": "change_proposal"})}
    on_work_item = {"entity": _is("kind", {"const": "work_item"})}
    ids = {"properties": {"comment": {"required": ["id", "parent_id"]}}}
    numbered = _inside("entity", {"required": ["id"]} | _inside("key", {"pattern": JIRA_KEY}))
    return [
        _when(
            {"source": _is("system", {"enum": sorted(CHAT_SYSTEMS)})},
            then=_inside("entity", {"required": ["key"]}),
            otherwise={"required": ["repo"]} | numbered,
        ),
        _when({"source": _is("system", {"const": "jira"})}, then=_inside("entity", {"required": ["key"]})),
        _when(
            on_conversation,
            then={"properties": {"state": {"required": ["conversation"]}, "transition": ids}},
            otherwise=_inside("state", _inside("conversation", False)),
        ),
        _when(on_change_proposal, then=_inside("entity", _inside("linked_change_proposal", False))),
        _when(
            on_work_item | {"state": {"required": ["change_proposal"]}},
            then=_inside("entity", {"required": ["linked_change_proposal"]}),
        ),
    ]
