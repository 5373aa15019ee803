"""What a client may be able to do, and what conversations may have; apart, because adapters say it before anybody asks."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Capability", "Trait"]


class Capability(StrEnum):
    """Name what a conversation client can do besides reading and answering."""

    BROWSE = "browse"
    EDIT = "edit"
    DELETE = "delete"
    LABEL = "label"
    REACT = "react"
    SET_STATE = "set_state"
    MARK_ANSWER = "mark_answer"
    START = "start"
    MINIMIZE = "minimize"


class Trait(StrEnum):
    """Name what conversations have on some backends and on others have not: a fact, and no operation."""

    OPENING = "opening"
    """A conversation begins with an opening post, which is no root. A chat room has threads alone."""
    CATEGORIES = "categories"
    """A conversation is in a category."""
    QUESTIONS = "questions"
    """There are categories that take answers."""
