"""One delivery of GitHub's before it is parsed: is it whole, and does it agree with itself."""

from __future__ import annotations

import logging
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from tertulia.errors import Invalid
from tertulia.event._model import MAX_NAME, Repo
from tertulia.parsing import MAX_BYTES, checked
from tertulia.parsing.github_events._people import fold

if TYPE_CHECKING:
    from tertulia.event import Delivery
    from tertulia.parsing.github_events._shapes import Payload

__all__ = ["event_repo", "event_name", "read_body", "repo_of", "runner_of", "short"]

_log = logging.getLogger("tertulia.github")

_BOM = b"\xef\xbb\xbf"
_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"


def event_name(delivery: Delivery) -> str:
    """Give the native event's name; a header that names another event is `Invalid`."""
    if delivery.system != "github":
        raise Invalid(f"delivery: system is {short(delivery.system)}, not github", field="system")
    name = delivery.name
    if not isinstance(name, str) or not name:
        raise Invalid("delivery: has no event name", field="name")
    header = delivery.headers.get("x-github-event")
    if header is not None and header != name and str(header).strip() != name:
        raise Invalid(f"delivery: x-github-event is {short(header)}, the name {short(name)}", field="x-github-event")
    return name


def read_body(delivery: Delivery) -> bytes:
    """Give the JSON document of a delivery, taken out of a form when the hook sends forms; not parsed yet."""
    raw, what = delivery.payload, "payload"
    if not isinstance(raw, bytes):
        raise Invalid(f"{what}: must be bytes", field="payload")
    if len(raw) > MAX_BYTES:
        raise Invalid(f"{what}: {len(raw)} bytes are more than {MAX_BYTES}", field="payload")
    kind = delivery.headers.get("content-type", _JSON)
    if kind == _JSON and raw.startswith(b"{"):
        return raw
    if str(kind).partition(";")[0].strip().lower() == _FORM:
        raw = _unform(raw)
    raw = raw.removeprefix(_BOM)
    if not raw or raw.isspace():
        raise Invalid(f"{what}: is empty", field="payload")
    return raw


def repo_of(delivery: Delivery, payload: Payload) -> str:
    """Take what the transport says over what the payload says: a runner knows where it runs."""
    told, own = delivery.repo or None, (payload.get("repository") or {}).get("full_name") or None
    if told is not None and not isinstance(told, str):
        raise Invalid("delivery: repo: must be a string", field="repo")
    if told and own and fold(told) != fold(own):
        _log.warning("the delivery is for %s, its payload names %s", short(told), short(own))
    repo = told or own
    if repo is None:
        raise Invalid(f"github {delivery.name}: repository.full_name: missing", field="repository.full_name")
    return event_repo(repo)


@lru_cache(maxsize=1024)
def event_repo(repo: str) -> str:
    """Give the name of a repository back when an event can carry it."""
    return checked(lambda: _repos().validate_python(repo), "github", "repo")


@cache
def _repos() -> TypeAdapter[str]:
    return TypeAdapter(Repo)


def runner_of(delivery: Delivery) -> str | None:
    """Give who a runner says acted."""
    told = delivery.actor or None
    if told is not None and not (isinstance(told, str) and len(told) <= MAX_NAME):
        raise Invalid(f"delivery: actor: must be a string of at most {MAX_NAME} characters", field="actor")
    return told


def short(value: object) -> str:
    """Write a stranger's word into a message: quoted, printable, at most 64 characters."""
    text = str(value)
    return repr(text if len(text) <= 64 else f"{text[:63]}…")


def _unform(raw: bytes) -> bytes:
    from urllib.parse import unquote_to_bytes

    fields = [part.partition(b"=")[2] for part in raw.split(b"&", 64) if part.partition(b"=")[0] == b"payload"]
    if len(fields) != 1:
        raise Invalid("payload: a form must have one field named payload", field="payload")
    return unquote_to_bytes(fields[0].replace(b"+", b" "))
