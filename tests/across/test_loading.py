"""What importing loads, and that it connects to nothing. Each check runs in a fresh, isolated process."""

import json
import subprocess
import sys

import pytest

HEAVY = {"httpx", "httpcore", "githubkit", "hishel", "aiohttp", "gql", "slack_sdk", "requests", "urllib3"}
"""HTTP libraries and SDKs. Normalizing loads none of them."""

OURS = (
    "tertulia",
    "tertulia_forge_github",
    "tertulia_conversation_github",
    "tertulia_conversation_slack",
    "tertulia_tracker",
    "tertulia_cli",
    "tertulia_contract",
)

WATCH = """
import json, os, sys
OUTSIDE = {"socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname",
           "subprocess.Popen", "os.system", "os.posix_spawn", "os.exec"}
def watch(event, arguments):
    if event in OUTSIDE:
        os.write(2, f"reached outside: {event}\\n".encode())
        os._exit(9)
sys.addaudithook(watch)
before = set(sys.modules)
"""

REPORT = """
print(json.dumps(sorted({name.split(".")[0] for name in set(sys.modules) - before})))
"""

NORMALIZE = """
from importlib.metadata import entry_points
from tertulia.event import Delivery
body = json.dumps({
    "action": "opened",
    "issue": {"id": 1, "number": 7, "title": "It fails", "body": "/ask why", "state": "open", "labels": [],
              "html_url": "https://github.com/acme/demo/issues/7", "user": {"login": "maint-a", "id": 1001, "type": "User"},
              "created_at": "2026-10-01T10:00:00Z", "updated_at": "2026-10-01T10:00:00Z"},
    "repository": {"id": 1, "full_name": "acme/demo", "html_url": "https://github.com/acme/demo"},
    "sender": {"login": "maint-a", "id": 1001, "type": "User"},
}).encode()
adapter = entry_points(group="tertulia.adapters")["github"].load()
normalized = adapter.normalize(Delivery(system="github", name="issues", payload=body))
assert [event.transition.kind for event in normalized.events] == ["opened"], normalized
adapter = entry_points(group="tertulia.adapters")["conversation-slack"].load()
body = json.dumps({
    "type": "event_callback", "team_id": "T1",
    "event": {"type": "message", "channel": "C1", "user": "U1", "text": "/ask why", "ts": "1740823500.000100"},
}).encode()
normalized = adapter.normalize(Delivery(system="slack", name="", payload=body))
assert [event.transition.kind for event in normalized.events] == ["comment_added"], normalized
"""


def fresh(code: str) -> set[str]:
    """Run code in a new process and name the top-level modules it loaded."""
    command = [sys.executable, "-I", "-W", "error", "-c", WATCH + code + REPORT]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_the_core_loads_the_standard_library_only() -> None:
    loaded = fresh("import tertulia")

    assert loaded - set(sys.stdlib_module_names) == {"tertulia"}


def test_normalizing_loads_no_http_library_and_no_sdk() -> None:
    loaded = fresh(NORMALIZE)

    assert {"tertulia_forge_github", "tertulia_conversation_slack"} <= loaded
    assert loaded & HEAVY == set()


def test_nothing_connects_when_every_module_is_imported() -> None:
    loaded = fresh(
        "import importlib, pkgutil\n"
        f"for name in {OURS}:\n"
        "    package = importlib.import_module(name)\n"
        "    for found in pkgutil.walk_packages(package.__path__, name + '.'):\n"
        "        if not found.name.endswith('.__main__'):\n"
        "            importlib.import_module(found.name)\n"
    )

    assert set(OURS) <= loaded


def test_the_watch_sees_what_is_loaded() -> None:
    assert "pydantic" in fresh("import pydantic")
    assert fresh("import httpx") & HEAVY


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.socket().connect(('127.0.0.1', 9))",
        "import socket; socket.getaddrinfo('localhost', 9)",
        "import subprocess; subprocess.Popen(['true'])",
        "import os; os.system('true')",
    ],
)
def test_the_watch_sees_what_reaches_outside(code: str) -> None:
    with pytest.raises(AssertionError, match="reached outside"):
        fresh(code)
