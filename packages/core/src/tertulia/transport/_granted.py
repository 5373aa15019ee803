"""What a token was granted, as a backend tells with its answers."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["granted"]


def granted(headers: Mapping[str, str], implied: Mapping[str, frozenset[str]] | None = None) -> frozenset[str] | None:
    """Read the scopes in `x-oauth-scopes` (names in lower case), with those that they imply; None when they are not told."""
    told = headers.get("x-oauth-scopes")
    if told is None:
        return None
    scopes = frozenset(filter(None, (scope.strip() for scope in told.split(","))))
    return scopes.union(*((implied or {}).get(scope, ()) for scope in scopes))
