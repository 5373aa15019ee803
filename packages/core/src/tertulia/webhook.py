"""Prove that a webhook came from whom it says, before anybody reads it.

Both functions take the body as it arrived: a signature is over bytes, and decoding and encoding again changes them. They
return nothing when the signature holds and raise `Denied` when anything is missing, malformed, wrong or not configured.
"""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import cast

from tertulia.errors import Denied, Invalid

__all__ = ["SLACK_WINDOW", "Headers", "Secrets", "verify_github", "verify_slack"]

SLACK_WINDOW = 300
"""How far a Slack timestamp may be from now, in seconds, either way (docs.slack.dev, "Verifying requests from Slack")."""

Headers = Mapping[str, str] | Iterable[tuple[str | bytes, str | bytes]]
"""Headers: a mapping, or the pairs of one request (ASGI gives them as bytes); names are taken without case."""

Secrets = str | bytes | Iterable[str | bytes]
"""One secret, or all that may be in use while one replaces another."""

_MAPPING = (dict, Mapping)
_SECRET = (str, bytes)
_BUFFER = (bytearray, memoryview)
_DIGEST = re.compile(r"[0-9a-f]{64}")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")


def verify_github(headers: Headers, raw_body: bytes, secrets: Secrets) -> None:
    """Check GitHub's `X-Hub-Signature-256` over the raw body, whether JSON or form-encoded.

    SHA-1 signatures (`X-Hub-Signature`) are not looked at. Raises Denied, naming the header and never a value.
    """
    keys = _keys(secrets)
    told = _header(headers, "X-Hub-Signature-256")
    _compare(keys, _bytes(raw_body), "sha256=", told, "X-Hub-Signature-256")


def verify_slack(headers: Headers, raw_body: bytes, secrets: Secrets, *, now: float | None = None) -> None:
    """Check Slack's `X-Slack-Signature` over timestamp and raw body, and that the timestamp is at most 300 s away.

    `now` is Unix time in seconds (the clock by default). Raises Denied, naming the header and never a value.
    """
    keys = _keys(secrets)
    headers = headers if isinstance(headers, _MAPPING) else tuple(headers)
    told, stamp = _header(headers, "X-Slack-Signature"), _header(headers, "X-Slack-Request-Timestamp")
    if not _TIMESTAMP.fullmatch(stamp):
        raise Denied("header X-Slack-Request-Timestamp is not a Unix time")
    _compare(keys, b"v0:%b:%b" % (stamp.encode("ascii"), _bytes(raw_body)), "v0=", told, "X-Slack-Signature")
    away = abs((time.time() if now is None else now) - int(stamp))
    if not away <= SLACK_WINDOW:
        raise Denied(f"header X-Slack-Request-Timestamp is more than {SLACK_WINDOW} seconds away from now")


def _keys(secrets: Secrets) -> list[hmac.HMAC]:
    if isinstance(secrets, _SECRET):
        return [_keyed(secrets)]
    every = tuple(secrets or ())
    if not every:
        raise Denied("no webhook secret is configured")
    if not all(isinstance(secret, _SECRET) for secret in every):
        raise Denied("a webhook secret is configured that is not text")
    return [_keyed(secret) for secret in every]


@lru_cache(maxsize=16)
def _keyed(secret: str | bytes) -> hmac.HMAC:
    """Begin a code with a secret, also with one the environment held that is not UTF-8; kept, to go on from a copy."""
    if not secret or secret.isspace():
        raise Denied("an empty webhook secret is configured")
    try:
        key = secret if isinstance(secret, bytes) else secret.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise Denied("a webhook secret is configured that is not text") from None
    return hmac.new(key, digestmod="sha256")


def _header(headers: Headers, wanted: str) -> str:
    """Give the one value of a header; a repeated header counts once only when it says the same."""
    pairs = cast("Mapping[str, str]", headers).items() if isinstance(headers, _MAPPING) else headers
    folded, length = wanted.lower(), len(wanted)
    found = {_text(value) for name, value in pairs if len(name) == length and _text(name).lower() == folded}
    if not found:
        raise Denied(f"header {wanted} is missing")
    if len(found) > 1:
        raise Denied(f"header {wanted} occurs more than once, with different values")
    return found.pop()


def _text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _bytes(raw_body: bytes) -> bytes:
    if isinstance(raw_body, bytes):
        return raw_body
    if not isinstance(raw_body, _BUFFER):
        raise Invalid("raw_body: must be the bytes as they arrived", field="raw_body")
    return bytes(raw_body)


def _compare(keys: list[hmac.HMAC], message: bytes, scheme: str, told: str, header: str) -> None:
    """Try every key, also after one that fits, so that the time taken says nothing about which."""
    fits = False
    for key in keys:
        code = key.copy()
        code.update(message)
        fits |= told.isascii() and hmac.compare_digest(f"{scheme}{code.hexdigest()}", told)
    if not fits:
        raise Denied(f"header {header} {_fault(told, scheme)}")


def _fault(told: str, scheme: str) -> str:
    if not told.startswith(scheme):
        return f"does not begin with {scheme}"
    if not _DIGEST.fullmatch(told, len(scheme)):
        return "does not hold 64 hexadecimal digits"
    return "does not fit the body under any configured secret"
