"""Write a snapshot as `Snapshot.parse` reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tertulia.ledger._models import Options, Policy, Run, ThreadRecord
from tertulia.thread import Account, Attachment, Listing, Message

if TYPE_CHECKING:
    from tertulia.ledger._snapshot import Snapshot

__all__ = ["written"]

_SAME = {
    "source_type",
    "id",
    "title",
    "parent_id",
    "created_at",
    "updated_at",
    "last_edited_at",
    "body",
    "path",
    "line",
}
"""Fields of a message that an item has under the same name."""

_NAMES = {"command_prefixes": "command_prefix"}


def written(snapshot: Snapshot) -> dict[str, Any]:
    """Give the document; what is empty or as by default is left out, but for who started the run and who the engine is."""
    items = [_item(message) for message in snapshot.listing.messages]
    context = {
        **_run(snapshot.run),
        "fetch": _fetch(snapshot.listing),
        "previous_ledger": [_record(record) for record in snapshot.previous],
        **_options(snapshot.options),
    }
    return {"thread": items, "context": {name: value for name, value in context.items() if value not in ([], {}, ())}}


def _item(message: Message) -> dict[str, Any]:
    made = {
        **message.model_dump(mode="json", include=_SAME),
        "user": _user(message.author, message.author_name),
        "author_association": message.association,
        "html_url": message.url,
        "tombstone": message.deleted or None,
        "is_minimized": True if message.minimized is not None else None,
        "minimized_reason": message.minimized,
        "editor": _user(message.editor),
        "performed_via_github_app": {"id": message.app_id} if message.app_id is not None else None,
        "files": [_file(one) for one in message.attachments] or None,
        "cut": message.cut or None,
        "marker": message.marker.model_dump(exclude_none=True) if message.marker is not None else None,
    }
    return {name: value for name, value in made.items() if value is not None or name == "user"}


def _user(account: Account | None, name: str | None = None) -> dict[str, Any] | None:
    if account is None:
        return None
    made = {
        "login": account.login,
        "id": account.id,
        "type": "Mannequin" if account.placeholder else "Bot" if account.kind == "bot" else "User",
        "name": name,
        "aliases": sorted(account.aliases) or None,
    }
    return {key: value for key, value in made.items() if value is not None}


def _file(attachment: Attachment) -> dict[str, Any]:
    made = {"name": attachment.name, "mimetype": attachment.type, "size": attachment.size}
    return {key: value for key, value in made.items() if value is not None}


def _fetch(listing: Listing) -> dict[str, Any]:
    counts: Mapping[str, int] = listing.reported or {}
    return {"complete": listing.complete, **({"reported_count": dict(counts)} if counts else {})}


def _record(record: ThreadRecord) -> dict[str, Any]:
    fields = record.model_dump(mode="json", exclude_none=True, exclude={"source_type", "id"})
    return {"ref": record.ref, **fields}


def _run(run: Run) -> dict[str, Any]:
    made = {
        "trigger_author": _user(run.trigger_author),
        "engine_actor": _user(run.engine),
        **run.model_dump(mode="json", exclude_none=True, include={"trigger_time", "trigger_comment", "root", "rev"}),
        "findings": [finding.model_dump(mode="json", exclude_none=True) for finding in run.findings],
    }
    return made | ({"thread": run.thread} if run.thread else {})


def _options(options: Options) -> dict[str, Any]:
    """Write the options; a fence id is never written, because no two contexts may share one."""
    chosen = options.model_dump(mode="json", exclude_defaults=True, exclude={"nonce"})
    policy = {name: value for name, value in chosen.items() if name in Policy.model_fields}
    rest = {_NAMES.get(name, name): value for name, value in chosen.items() if name not in policy}
    return rest | {"policy": policy}
