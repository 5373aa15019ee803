"""`tertulia schema`: schemas that hold for what the command itself takes and prints."""

import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator


@pytest.mark.parametrize("document", ["event", "snapshot", "context", "state"])
def test_a_schema_is_a_schema(document: str, tertulia: Any) -> None:
    done = tertulia("schema", document)

    assert (done.status, done.err) == (0, "")
    schema = json.loads(done.out)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


def test_a_schema_is_indented_because_people_keep_it(tertulia: Any) -> None:
    assert tertulia("schema", "event").out.startswith('{\n  "')


def test_the_schemas_hold_for_a_thread_and_its_context(tertulia: Any, thread_file: str) -> None:
    snapshot = json.loads(Path(thread_file).read_text("utf-8"))
    context = json.loads(tertulia("context", "--snapshot", thread_file, "--json").out)

    assert errors(tertulia, "snapshot", snapshot) == []
    assert errors(tertulia, "context", context) == []
    assert errors(tertulia, "snapshot", snapshot | {"context": {"windw": 1}}) != []
    assert errors(tertulia, "context", context | {"surprise": 1}) != []


def test_an_adapter_offers_the_schema_of_its_file(
    tertulia: Any, hub: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "The hub's file"}
    monkeypatch.setattr(hub, "adapter", replace(hub.adapter, config_schema=lambda: schema))

    assert json.loads(tertulia("schema", "github-config").out) == schema
    assert "one of event, snapshot, context, state, github-config," in tertulia("schema", "gitub-config").err


def test_a_document_that_nobody_has_is_bad_usage(tertulia: Any, hub: ModuleType) -> None:
    done = tertulia("schema", "slack-config")

    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "error: 'slack-config' is no document of ours (tertulia schema): "
        "ask for one of event, snapshot, context, state, or install the adapter it is of\n"
    )


def errors(tertulia: Any, document: str, value: Any) -> list[str]:
    """Validate a value with a printed schema."""
    schema = json.loads(tertulia("schema", document).out)
    return [error.message for error in Draft202012Validator(schema).iter_errors(value)]
