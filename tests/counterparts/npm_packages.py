"""What is installed from npm for tests: an emulator, and what GitHub publishes there."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["CACHE", "node_modules"]

CACHE = Path(__file__).parents[2] / ".cache"


def node_modules() -> Path:
    """Find what `npm ci` installed: where nox says, else the newest in the cache."""
    if named := os.environ.get("TERTULIA_NODE_MODULES"):
        return Path(named)
    cached = sorted((CACHE / "node").glob("*/installed"), key=lambda stamp: stamp.stat().st_mtime)
    if not cached:
        raise FileNotFoundError("nothing in .cache/node: run `nox -s e2e` once")
    return cached[-1].parent / "node_modules"
