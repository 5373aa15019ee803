"""Node ids as GitHub makes them today, and as it made them before."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode

__all__ = ["legacy_id", "node_id"]

_WORD = 1 << 32


def node_id(prefix: str, *numbers: int) -> str:
    """Write an id of today: a prefix, and a MessagePack list of zero and the numbers."""
    packed = bytes([0x91 + len(numbers), 0]) + b"".join(_packed(number) for number in numbers)
    return f"{prefix}_{urlsafe_b64encode(packed).decode().rstrip('=')}"


def legacy_id(kind: str, number: int) -> str:
    """Write an id of before: the length of the type's name, the name and the number."""
    return b64encode(f"0{len(kind)}:{kind}{number}".encode()).decode()


def _packed(number: int) -> bytes:
    return b"\xce" + number.to_bytes(4, "big") if number < _WORD else b"\xcf" + number.to_bytes(8, "big")
