"""The one category of a conversation: where it belongs, never a label, and nothing that grants anything.

A category belongs to a conversation; threads and messages have none. Its format says how the conversation works, and is
left out where nobody knows.
"""

from tertulia.event import Category, Format

__all__ = ["Category", "Format", "format_of"]


def format_of(*, answerable: bool | None) -> Format | None:
    """Give the format of a category: `question_answer` if and only if it takes answers; a name never decides it.

    GitHub says so itself (REST `is_answerable`, GraphQL `isAnswerable`). An adapter that guesses documents how.
    """
    return "question_answer" if answerable else None
