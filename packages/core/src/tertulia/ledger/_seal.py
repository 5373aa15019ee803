"""Keys that tell our own states from everybody else's: HMAC-SHA256 over what a state says of itself and its data.

`docs/state-format.md` says it byte for byte.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tertulia.errors import Invalid

__all__ = ["DIGEST_CHARS", "Seal", "StateKeys"]

DIGEST_CHARS = 10
"""Hexadecimal digits of a body's digest: whoever has no key gets one guess in 2^40 at a body with the same."""

_KID = re.compile(r"[a-z0-9][a-z0-9-]{0,15}")
_LEAST = 16
"""Characters a secret must have: a shorter one can be guessed from one signed state."""


@dataclass(frozen=True, slots=True)
class Seal:
    """Hold which key signed, and the 64 hexadecimal digits it signed with."""

    kid: str
    mac: str


@dataclass(frozen=True, slots=True)
class StateKeys:
    """Hold secrets by their names. The first one signs, any of them verifies, so keys can be changed without a gap."""

    secrets: Mapping[str, str] = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse keys that protect nothing."""
        if not self.secrets:
            raise Invalid("state key: there is none", field="state_key")
        for kid, secret in self.secrets.items():
            if not _KID.fullmatch(kid):
                raise Invalid("state key: a name must match [a-z0-9][a-z0-9-]{0,15}", field="state_key")
            if len(secret) < _LEAST:
                raise Invalid(f"state key: {kid} is shorter than {_LEAST} characters", field="state_key")
        object.__setattr__(self, "secrets", MappingProxyType(dict(self.secrets)))

    @classmethod
    def parse(cls, text: str) -> StateKeys:
        """Read `NAME:SECRET`, several of them with white space between; the first one signs."""
        pairs = [part.partition(":") for part in text.split()]
        if any(not colon for _, colon, _ in pairs):
            raise Invalid("state key: write NAME:SECRET, several with a space between", field="state_key")
        if len({kid for kid, _, _ in pairs}) < len(pairs):
            raise Invalid("state key: two keys have one name", field="state_key")
        return cls({kid: secret for kid, _, secret in pairs})

    def sign(self, thread: str, rev: int, data: str) -> Seal:
        """Sign a state's data, as transmitted, for its thread and revision."""
        kid = next(iter(self.secrets))
        return Seal(kid, self._mac(kid, thread, rev, data))

    def verify(self, seal: Seal, thread: str, rev: int, data: str) -> bool:
        """Tell whether one of our keys signed this, in constant time."""
        return seal.kid in self.secrets and hmac.compare_digest(seal.mac, self._mac(seal.kid, thread, rev, data))

    def digest(self, ref: str, body: str) -> str:
        """Digest a body for its record: without the key nobody can confirm a guess at a deleted one."""
        return self._hmac(next(iter(self.secrets)), "tertulia-body", ref, body)[:DIGEST_CHARS]

    def knows(self, digest: str, ref: str, body: str) -> bool:
        """Tell whether a digest is of this body, under one of our keys."""
        found = (self._hmac(kid, "tertulia-body", ref, body)[:DIGEST_CHARS] for kid in self.secrets)
        return any(hmac.compare_digest(digest, one) for one in found)

    def _mac(self, kid: str, thread: str, rev: int, data: str) -> str:
        return self._hmac(kid, "tertulia-state", kid, thread, str(rev), data)

    def _hmac(self, kid: str, *parts: str) -> str:
        message = b"\0".join(part.encode("utf-8", "surrogatepass") for part in parts)
        return hmac.new(self.secrets[kid].encode("utf-8", "surrogatepass"), message, hashlib.sha256).hexdigest()
