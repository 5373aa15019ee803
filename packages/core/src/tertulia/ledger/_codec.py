"""A state as the characters of a comment: its records by column, deflated, in base64url.

`docs/state-format.md` describes it for other languages.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter

from tertulia._frozen import checked
from tertulia._json import load_object
from tertulia.errors import Invalid
from tertulia.ledger._columns import Column, Joined, Letters, Numbers, Parents, Plain, Rows, Steps, Table, Times, Urls
from tertulia.ledger._models import ThreadRecord
from tertulia.ledger._seal import DIGEST_CHARS

__all__ = ["MAX_INFLATED", "TooLarge", "columns_of", "pack", "records_of", "to_json", "unpack"]

MAX_INFLATED = 16 * 1024 * 1024
"""Bytes that a state may inflate to: a hundred thousand records take a fifth of it."""

_RAW = -15
_RECORDS = TypeAdapter(tuple[ThreadRecord, ...])
_WRONG = (TypeError, ValueError, LookupError, StopIteration, OverflowError)
_KINDS = Letters({"issue-body": "b", "command": "c", "engine-output": "e", "agent-output": "a", "human-feedback": "h"})
_YES = Letters({False: "0", True: "1"})

_COLUMNS: Mapping[str, tuple[Column, Any]] = {
    "kind": (_KINDS, ...),
    "source_type": (Table(Steps()), ...),
    "id": (Steps(), ...),
    "trusted": (_YES, False),
    "deleted": (_YES, False),
    "user_id": (Table(Steps()), None),
    "user_login": (Table(Plain()), None),
    "user_name": (Table(Plain()), None),
    "author_type": (Letters({"human": "h", "bot": "b", None: "-"}), None),
    "author_association": (Table(Plain()), None),
    "app_id": (Table(Steps()), None),
    "created_at": (Times(), None),
    "updated_at": (Times(after="created_at"), None),
    "url": (Urls(), None),
    "parent_id": (Parents(), None),
    "minimized": (Table(Plain()), None),
    "first_seen": (Numbers(), None),
    "observed_rev": (Numbers(), None),
    "digest": (Joined(DIGEST_CHARS), None),
    "cut": (Numbers(), 0),
}
"""Per field of a record, how its column is written, and what every record has when the column is left out."""


class TooLarge(Invalid):
    """Say that a state inflates to more than a state may be."""


def columns_of(records: Sequence[ThreadRecord]) -> dict[str, Any]:
    """Write records as a JSON object of columns."""
    rows: Rows = {name: [getattr(record, name) for record in records] for name in _COLUMNS}
    written = {
        name: column.write(rows[name], rows)
        for name, (column, absent) in _COLUMNS.items()
        if absent is ... or any(value != absent for value in rows[name])
    }
    return {"n": len(records), **written}


def records_of(columns: Mapping[str, Any]) -> tuple[ThreadRecord, ...]:
    """Read records from their columns. Raises Invalid for what `columns_of` would not have written."""
    count = columns.get("n")
    if type(count) is not int or unknown(columns):
        raise Invalid("state: records: has no number of records, or a column that this release does not know")
    rows: dict[str, Sequence[Any]] = {}
    for name, (column, absent) in _COLUMNS.items():
        if absent is ... and name not in columns:
            raise Invalid(f"state: records: {name} is missing")
        rows[name] = _read(name, column, columns[name], rows) if name in columns else [absent] * count
        if len(rows[name]) != count:
            raise Invalid(f"state: records: {name} has {len(rows[name])} values for {count} records")
    made = [dict(zip(rows, values, strict=True)) for values in zip(*rows.values(), strict=True)]
    return checked(lambda: _RECORDS.validate_python(made), "state", "records")


def unknown(columns: Mapping[str, Any]) -> bool:
    """Tell whether there is a column of a later release."""
    return not columns.keys() <= _COLUMNS.keys() | {"n"}


def _read(name: str, column: Column, written: Any, rows: Rows) -> Sequence[Any]:
    try:
        return column.read(written, rows)
    except _WRONG:
        raise Invalid(f"state: records: {name} is not what this column holds") from None


def to_json(document: Mapping[str, Any]) -> str:
    """Write JSON that can be read again: half of a surrogate pair, which is no text, becomes a question mark."""
    written = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return written.encode("utf-8", "replace").decode("utf-8")


def pack(document: Mapping[str, Any]) -> str:
    """Write a JSON object: UTF-8, raw deflate, base64url without padding."""
    plain = to_json(document).encode()
    deflate = zlib.compressobj(9, zlib.DEFLATED, _RAW, 9)
    return base64.urlsafe_b64encode(deflate.compress(plain) + deflate.flush()).rstrip(b"=").decode("ascii")


def unpack(data: str) -> dict[str, Any]:
    """Read what `pack` wrote. Raises TooLarge when it inflates beyond `MAX_INFLATED`, Invalid when it is anything else."""
    try:
        packed = base64.b64decode(data + "=" * (-len(data) % 4), altchars=b"-_", validate=True)
        inflate = zlib.decompressobj(_RAW)
        plain = inflate.decompress(packed, MAX_INFLATED + 1)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise Invalid(f"state: data: cannot be inflated: {error}") from None
    if len(plain) > MAX_INFLATED:
        raise TooLarge(f"state: data: inflates to more than {MAX_INFLATED:,} bytes")
    if not inflate.eof or inflate.unused_data:
        raise Invalid("state: data: is cut, or something stands behind it")
    return load_object(plain, "state", limit=None)
