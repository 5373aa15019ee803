"""The object that the registry finds."""

from __future__ import annotations

from tertulia.registry import Adapter, Setting
from tertulia_forge_github._events import NAMES, normalize
from tertulia_forge_github._urls import recognise

__all__ = ["adapter"]

adapter = Adapter(
    name="github",
    system="github",
    kind="forge",
    names=NAMES,
    normalize=normalize,
    recognise=recognise,
    settings=(
        Setting("GITHUB_TOKEN", "The token that requests are made with.", secret=True),
        Setting(
            "GITHUB_API_URL",
            "The REST API, https://api.github.com by default; on Enterprise Server https://HOST/api/v3.",
        ),
    ),
)
