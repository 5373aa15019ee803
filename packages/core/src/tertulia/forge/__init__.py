"""Git hosting on any forge: permissions, change proposals, files."""

from tertulia.forge._client import Client, Unimplemented
from tertulia.forge._models import (
    Capability,
    Change,
    ChangeDraft,
    ChangeFile,
    File,
    Permission,
    Review,
    ReviewComment,
    ReviewDraft,
    ReviewState,
    ReviewThread,
)

__all__ = [
    "Capability",
    "Change",
    "ChangeDraft",
    "ChangeFile",
    "Client",
    "File",
    "Permission",
    "Review",
    "ReviewComment",
    "ReviewDraft",
    "ReviewState",
    "ReviewThread",
    "Unimplemented",
]
