"""GitHub issues and pull requests for Tertulia: read them whole, answer in them once.

`connect` gives the client, `adapter` is what the registry finds. Both load on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertulia.lazy import lazy

if TYPE_CHECKING:
    from tertulia_tracker.github._adapter import adapter
    from tertulia_tracker.github._client import Client, connect

__all__ = ["Client", "adapter", "connect"]

__getattr__, __dir__ = lazy(__name__, {"Client": "_client", "adapter": "_adapter", "connect": "_client"})
