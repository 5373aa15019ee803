"""Importing the package loads nothing; normalizing loads the core only."""

import json
import subprocess
import sys

import pytest

import tertulia_conversation_slack

REPORT = "; import json, sys; print(json.dumps(sorted({n.split('.')[0] for n in sys.modules})))"
NORMALIZE = (
    "from tertulia_conversation_slack import normalize; from tertulia.event import Delivery; "
    "assert normalize(Delivery('slack', '', b'{\"type\": \"hello\"}')).ignored"
)


def loaded(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code + REPORT], capture_output=True, check=True, timeout=60
    )
    return set(json.loads(done.stdout))


def test_importing_the_package_loads_nothing() -> None:
    assert loaded("import tertulia_conversation_slack") & {"pydantic", "slack_sdk", "aiohttp"} == set()


@pytest.mark.parametrize("code", [NORMALIZE, "from tertulia_conversation_slack import adapter"])
def test_normalizing_loads_the_core_only(code: str) -> None:
    found = loaded(code)

    assert "tertulia" in found
    assert found & {"slack_sdk", "aiohttp", "httpx", "requests", "markdown_it"} == set()


def test_connecting_does_not_load_what_converts_long_answers() -> None:
    found = loaded("from tertulia_conversation_slack import Client")

    assert "slack_sdk" in found
    assert "markdown_it" not in found


def test_the_package_shows_what_it_lists() -> None:
    assert dir(tertulia_conversation_slack) == sorted(tertulia_conversation_slack.__all__)
    assert all(hasattr(tertulia_conversation_slack, name) for name in tertulia_conversation_slack.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'client'"):
        tertulia_conversation_slack.client  # noqa: B018
