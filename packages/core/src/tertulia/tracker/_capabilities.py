"""What a client may be able to do; apart, because adapters say it before anybody asks."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Capability"]


class Capability(StrEnum):
    """Name what a tracker client can do besides reading and answering."""

    EDIT = "edit"
    DELETE = "delete"
    LABEL = "label"
    REACT = "react"
    MINIMIZE = "minimize"
    CREATE_ISSUE = "create_issue"
    TRANSITION = "transition"
    SEARCH = "search"
